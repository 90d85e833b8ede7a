"""`if … then … else … fi` in a line of the shell."""

import pytest

from distrl.simphone import Phone

CASES = [
    ("if true; then echo yes; else echo no; fi", "yes\n", 0),
    ("if false; then echo yes; else echo no; fi", "no\n", 0),
    ("if false; then echo yes; fi; echo after", "after\n", 0),
    ("if [ -d /sdcard ] && [ -d /nowhere ]; then echo both; else echo one; fi", "one\n", 0),
    ('\n  if [ -d "/sdcard" ]; then\n    echo "Exists"\n  else\n    echo "no"\n  fi\n  ', "Exists\n", 0),
    ("if true; then if false; then echo a; else echo b; fi; echo c; else echo d; fi", "b\nc\n", 0),
    ("if true\nthen\nif true\nthen\necho deep\nfi\nfi", "deep\n", 0),
    ("if true; then exit 3; fi; echo never", "", 3),
    ("false && if true; then echo never; fi", "", 1),
    ("if true; then false; fi || echo rescued", "rescued\n", 0),
    ("echo if then fi", "if then fi\n", 0),
    ("if true; then echo x", "/system/bin/sh: syntax error: unexpected end of file, 'fi' is missing\n", 2),
    ("echo 'x", "/system/bin/sh: syntax error: unterminated quoted string\n", 2),
]  # fmt: skip


@pytest.mark.parametrize(("line", "stdout", "code"), CASES)
def test_branches(line: str, stdout: str, code: int) -> None:
    result = Phone(0).shell(line)
    assert (result.stdout, result.code) == (stdout, code)
