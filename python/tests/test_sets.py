"""Tests of sets of levels on disk."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest
from conftest import TARGET

import splc

pyarrow = pytest.importorskip("pyarrow")


def contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def test_a_set_has_the_levels_of_its_seeds(yard: str, tmp_path: Path) -> None:
    import pyarrow.parquet

    level = splc.load(yard, TARGET)
    kept = splc.sample(level, tmp_path / "set", 100, piece=32)
    assert (len(kept), kept.pieces, kept.missing()) == (100, 4, [])
    sample = level.sample(100)
    # The files are those of any other reader of Parquet.
    table = pyarrow.parquet.read_table(kept.file(1))
    assert table["seed"].to_pylist() == list(range(33, 65))
    squares = numpy.array(table["terrain"].to_pylist(), numpy.uint8).reshape(-1, 21, 80)
    assert numpy.array_equal(squares, sample.terrain[32:64])
    digest = hashlib.blake2b(b"".join(sample.layers[name][40].tobytes() for name in kept.layers), digest_size=16)
    assert table["hash"][8].as_py() == digest.digest()
    again = splc.open_set(tmp_path / "set")
    assert numpy.array_equal(again.array("chars"), sample.chars)
    assert numpy.array_equal(numpy.concatenate([part.light for part in again]), sample.light)
    assert again.level().run(7) == level.run(7) and (again.target, again.splc) == (TARGET, splc.__version__)
    assert again.to_arrow(["seed"])["seed"].to_pylist() == list(range(1, 101)) and again.verify(3)


def test_the_files_do_not_depend_on_the_workers(yard: str, tmp_path: Path) -> None:
    expected = contents(splc.sample(yard, tmp_path / "one", 200, TARGET, piece=16).path)
    spawn = multiprocessing.get_context("spawn")
    for count in (2, 4):
        with ProcessPoolExecutor(count, mp_context=spawn) as pool:
            made = splc.sample(yard, tmp_path / f"{count}", 200, TARGET, piece=16, executor=pool)
        assert contents(made.path) == expected
    with ThreadPoolExecutor(3) as pool:
        assert contents(splc.sample(yard, tmp_path / "t", 200, TARGET, piece=16, executor=pool).path) == expected


def test_a_dask_cluster_writes_the_same_files(yard: str, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    expected = contents(splc.sample(yard, tmp_path / "one", 64, TARGET, piece=8).path)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            made = splc.sample(yard, tmp_path / "dask", 64, TARGET, piece=8, executor=client)
    assert contents(made.path) == expected


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_a_killed_run_is_resumed(yard: str, tmp_path: Path) -> None:
    seeds, piece = 10_000, 50
    (tmp_path / "yard.des").write_text(yard)
    program = f"import splc; splc.sample('yard.des', 'set', {seeds}, {TARGET!r}, piece={piece}, layers=['chars'])"
    run = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path)
    deadline = time.monotonic() + 120
    while not (tmp_path / "set" / "levels-000003.parquet").exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    partly = splc.open_set(tmp_path / "set")
    written = {path.name: path.stat().st_mtime_ns for path in partly.path.glob("levels-*")}
    assert 0 < len(written) < partly.pieces and len(partly.missing()) == partly.pieces - len(written)
    source = tmp_path / "yard.des"
    done = splc.sample(source, tmp_path / "set", seeds, TARGET, piece=piece, layers=["chars"])
    assert done.missing() == [] and all((done.path / name).stat().st_mtime_ns == at for name, at in written.items())
    whole = splc.sample(source, tmp_path / "other", seeds, TARGET, piece=piece, layers=["chars"])
    hidden = [path for path in done.path.iterdir() if path.name.startswith(".")]
    for path in hidden:
        path.unlink()
    assert contents(done.path) == contents(whole.path)


def test_a_folder_has_one_set(yard: str, tmp_path: Path) -> None:
    splc.sample(yard, tmp_path, 10, TARGET)
    with pytest.raises(ValueError, match="another set of levels: a different seeds"):
        splc.sample(yard, tmp_path, 11, TARGET)
    with pytest.raises(ValueError, match="made_from"):
        splc.sample(yard.replace("GOLD: 10", "GOLD: 11"), tmp_path, 10, TARGET)
    with pytest.raises(ValueError, match="unknown layer"):
        splc.sample(yard, tmp_path / "other", 10, TARGET, layers=["smell"])
    data = json.loads((tmp_path / "set.json").read_text())
    (tmp_path / "set.json").write_text(json.dumps({**data, "version": 99}))
    with pytest.raises(ValueError, match="is not a set of levels"):
        splc.open_set(tmp_path)


def test_equal_levels_are_on_one_side_of_a_split(tmp_path: Path) -> None:
    text = 'MAZE: "x", \' \'\nGEOMETRY: center, center\nMAP\n....\nENDMAP\nGOLD: 5, random\nTRAP: "pit", random\n'
    kept = splc.sample(text, tmp_path, 400, TARGET, piece=64)
    for_training, for_testing = kept.split(0.3)
    assert sorted([*for_training, *for_testing]) == list(range(400)) and len(for_testing) > 0
    chars = kept.array("chars").reshape(400, -1)
    sides = [{bytes(chars[at]) for at in side} for side in (for_training, for_testing)]
    assert not sides[0] & sides[1] and len(sides[0]) + len(sides[1]) < 30
    assert kept.split(0)[1].size == 0 and kept.split(1)[0].size == 0


def test_failed_levels_are_kept_out_of_splits(tmp_path: Path) -> None:
    text = 'LEVEL: "x"\nIF [50%] {\n$a = { 1, 2 }\n}\nGOLD: $a[0], (1,1)\n'
    kept = splc.sample(text, tmp_path, 40, TARGET)
    faults = [at for part in kept for at in part.faults]
    assert faults == [at for at, fault in enumerate(kept.to_arrow()["fault"].to_pylist()) if fault]
    assert faults and not set(faults) & {*kept.split()[0], *kept.split()[1]}


def test_a_set_keeps_included_files_and_catalogs(tmp_path: Path) -> None:
    (tmp_path / "pool.inc").write_text("FUNCTION pool() {\nFOUNTAIN: random\n}\n")
    (tmp_path / "garden.des").write_text(
        'INCLUDE "pool.inc"\nLEVEL: "garden"\nROOM: "ordinary", random, random, random, random {\npool()\n}\n'
    )
    (tmp_path / "mygame.toml").write_text('extends = "unnethack-6.0.4"\nname = "mygame"\ntitle = "My Game"\n')
    kept = splc.sample(tmp_path / "garden.des", tmp_path / "set", 20, catalog=tmp_path / "mygame.toml")
    for name in ("pool.inc", "garden.des", "mygame.toml"):
        (tmp_path / name).unlink()
    assert splc.open_set(kept.path).verify(0) and str(tmp_path) not in (kept.path / "set.json").read_text()
