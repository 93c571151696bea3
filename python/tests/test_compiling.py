"""Tests of compile, check, fix, format and archives."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from conftest import TARGET, repository

import splc


def test_level_files_match_the_games_own_compiler() -> None:
    compared = 0
    for dialect, target in [("unnethack", "unnethack-6.0.4"), ("nethack36", "nethack-3.6.7")]:
        for path in sorted((repository() / "corpus" / dialect).glob("*.des")):
            beside = {level.name: level.read_bytes() for level in path.with_suffix("").glob("*.lev")}
            if not beside:
                continue
            made = splc.compile(path, target)
            for name, content in beside.items():
                assert made[name] == content, f"{path.name}: {name}"
                compared += 1
    # Text and path give the same result.
    text = (repository() / "corpus" / "unnethack" / "bigrm.des").read_text()
    path = repository() / "corpus" / "unnethack" / "bigrm.des"
    assert splc.compile(text, "unnethack") == splc.compile(path, "unnethack-6.0.4") == splc.compile(str(path), "unnethack")


def test_a_source_is_text_bytes_or_a_path(yard: str, tmp_path: Path) -> None:
    path = tmp_path / "a b.des"
    path.write_text(yard)
    expected = splc.compile(yard, TARGET)
    assert list(expected) == ["mylevel.lev"]
    assert splc.compile(yard.encode(), TARGET) == splc.compile(path, TARGET) == splc.compile(str(path), TARGET) == expected
    with pytest.raises(FileNotFoundError):
        splc.compile("nowhere.des", TARGET)
    with pytest.raises(TypeError, match="text, bytes or a path"):
        splc.compile(3, TARGET)  # type: ignore[arg-type]


def test_every_mistake_is_in_the_message_with_its_line(wrong: str) -> None:
    both = wrong + "TRAP: \"pti\", (1,1)\n"
    with pytest.raises(splc.CompileError) as caught:
        splc.compile(both, TARGET, name="yard.des")
    message = str(caught.value)
    assert "2 errors" in message and "yard.des:17:" in message and "yard.des:22:" in message
    assert "did you mean" in message and "dust vortex" in message
    first, second = (it for it in caught.value.diagnostics if it.severity == "error")
    assert (first.code, first.name.count(" ")) == ("E0010", 0)
    assert first.span is not None and (first.span.file, first.span.line) == ("yard.des", 17)
    assert first.help is not None and first.edits and first.edits[0].applicable
    assert first.text in first.rendered and second.span is not None and second.span.line == 22
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == message and again.diagnostics == caught.value.diagnostics


def test_check_raises_nothing(yard: str, wrong: str) -> None:
    assert [it for it in splc.check(yard, TARGET) if it.severity != "note"] == []
    assert [it.code for it in splc.check(wrong, TARGET)] == ["E0010"]
    # The edits apply to the text.
    (diagnostic,) = splc.check(wrong, TARGET)
    for edit in sorted(diagnostic.edits, key=lambda edit: -edit.span.start):
        wrong = wrong[: edit.span.start] + edit.replacement + wrong[edit.span.end :]
    assert splc.check(wrong, TARGET) == []


def test_warnings_are_issued_and_lints_can_be_allowed_and_denied() -> None:
    text = 'MAZE: "x", \' \'\nGEOMETRY: center, center\nMAP\n...\nENDMAP\n' * 2
    with pytest.warns(splc.CompileWarning, match="W0406") as caught:
        splc.compile(text, TARGET)
    assert caught[0].filename == __file__
    with pytest.raises(splc.CompileError):
        splc.compile(text, TARGET, deny=["duplicate-level"])
    assert splc.check(text, TARGET, allow=["W0406"]) == []
    with pytest.raises(ValueError, match="duplicate-level"):
        splc.check(text, TARGET, allow=["duplicate-leve"])


def test_fix_applies_safe_fixes(wrong: str) -> None:
    fixed = splc.fix(wrong, TARGET)
    assert fixed.diagnostics == () and len(fixed.changes) == 1 and "('v',\"dust vortex\")" in str(fixed)
    assert splc.check(fixed.text, TARGET) == []


def test_format_formats() -> None:
    assert splc.format('LEVEL:"yard"\nNOMAP\nTRAP:"pit",( 3,4 )\n') == 'LEVEL: "yard"\nNOMAP\nTRAP: "pit", (3,4)\n'
    with pytest.raises(splc.CompileError):
        splc.format("LEVEL:\n(((", "unnethack")


def test_targets() -> None:
    assert TARGET in {target.name for target in splc.targets()}
    with pytest.raises(ValueError, match="did you mean"):
        splc.compile("", "nethack-3.6.7-nel")
    with pytest.raises(ValueError, match="unknown abi"):
        splc.compile("", TARGET, abi="vax")
    assert "monster" in splc.explain("E0201")
    with pytest.raises(KeyError):
        splc.explain("E9999")


def test_includes_come_from_the_argument_or_the_folder_of_the_file(tmp_path: Path) -> None:
    text = 'INCLUDE "pool.inc"\nLEVEL: "garden"\nROOM: "ordinary", random, random, random, random {\npool()\n}\n'
    pool = "FUNCTION pool() {\nFOUNTAIN: random\n}\n"
    expected = splc.compile(text, "unnethack", include={"pool.inc": pool})
    with pytest.raises(splc.CompileError, match="pool.inc"):
        splc.compile(text, "unnethack")
    (tmp_path / "garden.des").write_text(text)
    (tmp_path / "pool.inc").write_text(pool)
    assert splc.compile(tmp_path / "garden.des", "unnethack") == expected
    level = splc.load(tmp_path / "garden.des", "unnethack")
    pickled = pickle.dumps(level)
    (tmp_path / "pool.inc").unlink()
    assert pickle.loads(pickled).run(3) == level.run(3)


def test_many_sources_are_compiled_at_once(yard: str, wrong: str) -> None:
    sources = [yard.replace("GOLD: 10", f"GOLD: {amount}") for amount in range(1, 301)]
    made = splc.compile_many(sources, TARGET)
    assert made == splc.compile_many(sources, TARGET, threads=1) == [splc.compile(source, TARGET) for source in sources]
    assert made == splc.compile_many(sources, TARGET, threads=2**31)
    with pytest.raises(splc.CompileError, match="source 1 of 3"):
        splc.compile_many([yard, wrong, yard], TARGET)
    kept = splc.compile_many([yard, wrong, yard], TARGET, errors="return")
    assert isinstance(kept[1], splc.CompileError) and kept[0] == kept[2] == splc.compile(yard, TARGET)
    assert splc.compile_many([], TARGET) == []


def test_archives_are_read_and_written() -> None:
    files = {"dungeon": b"d" * 10, "mylevel.lev": b"", "quest.dat": bytes(range(256))}
    data = splc.archive(files)
    assert splc.read_archive(data) == files
    assert splc.archive(splc.read_archive(data)) == data
    with pytest.raises(ValueError):
        splc.archive({"a b": b""})
    for wrong in (b"", b"no archive", data[:-1]):
        with pytest.raises(ValueError):
            splc.read_archive(wrong)


def test_no_input_crashes_the_interpreter() -> None:
    for text in ["", "\0", "\udcff", "MAP\n" * 10_000, "{" * 100_000, "LEVEL: \"" + "x" * 100_000]:
        splc.check(text, TARGET)
        splc.check(text.encode("utf-8", "surrogateescape"), "unnethack")
