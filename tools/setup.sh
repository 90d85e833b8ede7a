#!/bin/sh
# Creates the virtual environment $1 and installs the package with the extras of $2, at pinned versions.
set -eu
venv=$1
package=$2
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "distrl needs Python 3.11 or newer; $python is $("$python" -V 2>&1). Try: make PYTHON=python3.12 train" >&2
    exit 1
fi
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    # Debian and Ubuntu keep venv in a package of its own.
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "Installing python3-venv, which $python needs to create virtual environments"
    $sudo apt-get install -y -q python3-venv || { $sudo apt-get update -q && $sudo apt-get install -y -q python3-venv; }
fi
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
echo "Installing $package into $venv (the first time takes a few minutes: PyTorch is large)"
"$venv/bin/python" -m pip install -q --disable-pip-version-check -c constraints.txt -e "$package"
