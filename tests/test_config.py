"""Configuration: precedence, and faults that are reported all together."""

from pathlib import Path

import pytest

from distrl.config import PRESETS, RunConfig, dump, keys, load, resolve
from distrl.errors import ConfigError


def test_overrides_beat_file_beats_preset_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("collect: {devices: 7, workers: 2}\nseed: 5\n")
    config = resolve("tiny", file, ["collect.devices=9"])
    assert (config.collect.devices, config.collect.workers, config.seed) == (9, 2, 5)
    assert config.policy.width == 32
    assert config.replay.alpha == RunConfig().replay.alpha


def test_all_faults_come_together() -> None:
    with pytest.raises(ConfigError) as caught:
        resolve(overrides=["replay.ratioo=2", "seed=-1", "nonsense", "collect.devices=many"])
    text = str(caught.value)
    assert "4 faults" in text
    assert "did you mean 'replay.ratio'" in text
    assert "seed = -1" in text
    assert "key=value" in text
    assert "collect.devices" in text


@pytest.mark.parametrize("content", ["- a\n- b\n", "a: [", "\x00", "just text"])
def test_unreadable_files_give_one_sentence(tmp_path: Path, content: str) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        resolve(file=file)
    assert str(file) in str(caught.value)


def test_missing_file_and_unknown_preset(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        resolve(file=tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="laptop"):
        resolve("desktop")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_saved_configuration_is_read_back_exactly(preset: str) -> None:
    config = resolve(preset)
    assert load(dump(config), "saved") == config


def test_presets_are_not_changed_by_overrides() -> None:
    resolve("tiny", overrides=["collect.devices=99"])
    assert resolve("tiny").collect.devices == 4


def test_every_setting_says_what_it_means() -> None:
    def undescribed(section: type) -> list[str]:
        missing = []
        for name, field in section.model_fields.items():  # type: ignore[attr-defined]
            if hasattr(field.annotation, "model_fields"):
                missing += undescribed(field.annotation)
            elif not field.description:
                missing.append(f"{section.__name__}.{name}")
        return missing

    assert undescribed(RunConfig) == []
    assert len(keys()) == len(set(keys())) > 40
