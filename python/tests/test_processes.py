"""Tests with many processes: fork, spawn, a loader like PyTorch's, a local Dask cluster."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from typing import Any

import numpy
import pytest
from conftest import TARGET

import splc


def picture(task: tuple[splc.Level, int]) -> str:
    level, seed = task
    return level.run(seed).text


def compiled(text: str) -> dict[str, bytes]:
    return splc.compile(text, TARGET)


def failed(text: str) -> str:
    splc.compile(text, TARGET)
    return ""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str, yard: str, wrong: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    level = splc.load(yard, TARGET)
    # There are threads before the fork.
    level.sample(1000)
    with multiprocessing.get_context(method).Pool(4) as pool:
        assert pool.map(picture, [(level, seed) for seed in range(20)]) == [level.run(seed).text for seed in range(20)]
        assert pool.map(compiled, [yard] * 4) == [splc.compile(yard, TARGET)] * 4
        # The exception is transferred completely.
        with pytest.raises(splc.CompileError, match="dust vortex") as caught:
            pool.map(failed, [wrong])
    assert caught.value.diagnostics[0].code == "E0010"


class Levels:
    """A data set like ``torch.utils.data.Dataset``."""

    def __init__(self, text: str, size: int) -> None:
        self.level, self.size = splc.load(text, TARGET), size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at: int) -> Any:
        return self.level.run(at).chars


def work(data: Levels, batches: Any, results: Any) -> None:
    for number, batch in iter(batches.get, None):
        results.put((number, numpy.stack([data[at] for at in batch])))


def load_in_workers(data: Levels, batch: int, workers: int, method: str) -> Iterator[Any]:
    """Acts like ``torch.utils.data.DataLoader``: each worker gets the data set and indices, and returns batches."""
    context = multiprocessing.get_context(method)
    batches, results = context.Queue(), context.Queue()
    starts: Sequence[int] = range(0, len(data), batch)
    processes = [context.Process(target=work, args=(data, batches, results)) for _ in range(workers)]
    for process in processes:
        process.start()
    for number, start in enumerate(starts):
        batches.put((number, range(start, min(start + batch, len(data)))))
    for _ in processes:
        batches.put(None)
    done = dict(results.get(timeout=120) for _ in starts)
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return iter([done[number] for number in range(len(starts))])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_loader_with_workers(method: str, yard: str) -> None:
    data = Levels(yard, 40)
    loaded = numpy.concatenate(list(load_in_workers(data, 8, 3, method)))
    assert numpy.array_equal(loaded, data.level.sample(range(40)).chars)


def test_a_dask_cluster(yard: str) -> None:
    distributed = pytest.importorskip("distributed")
    level = splc.load(yard, TARGET)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            futures = client.map(picture, [(level, seed) for seed in range(12)])
            assert client.gather(futures) == [level.run(seed).text for seed in range(12)]
            with pytest.raises(splc.CompileError, match="cannot be compiled"):
                client.submit(failed, "LEVEL:").result()
