"""What it costs to prove a game: packing it, auditing it, laying a turn of it open."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from projections.audit import audit
from projections.dispute import dispute
from tests.audit.given import HOST, Played, whole_game
from tests.audit.stranger import Stranger
from tests.bench import Figure, times

ROUNDS, SECONDS = 6, 0.4


def cpu(size: float, work: Callable[[], object]) -> float:
    """CPU seconds of one call: the best of a few rounds, since whatever else runs on the machine can only make it slower."""
    if size:
        work()  # warms up
    return min(one_round(size * SECONDS, work) for _ in range(times(ROUNDS, size)))


def one_round(seconds: float, work: Callable[[], object]) -> float:
    """The mean of as many calls as fit into a round, at least one."""
    began, count = time.process_time(), 0
    while not count or time.process_time() - began < seconds:
        work()
        count += 1
    return (time.process_time() - began) / count


def table(seed: int, people: int, edifice: bool) -> Played:
    """A finished game of four."""
    return whole_game(seed, people, players=4, edifice=edifice)


def run(size: float) -> list[Figure]:
    try:
        return _figures(size)
    finally:
        gc.unfreeze()


def _figures(size: float) -> list[Figure]:
    bots, edifice, signed = table(81, 0, False), table(82, 0, True), table(83, 4, True)
    plain, large, keys = bots.bundle(), edifice.bundle(), signed.bundle()
    unsigned_heads = bots.bundle(host=None)
    entries, names = edifice.store.read(edifice.game), edifice.store.names(edifice.game)
    games = [table(seed, 0, seed % 2 == 0).bundle(host=None) for seed in range(84, 84 + times(8, size))]
    gc.collect()
    gc.freeze()  # as the house's own processes do, so that the collector does not walk through what stays
    each = cpu(size, lambda: [audit(raw) for raw in games]) / len(games)
    return [
        ("games audited a CPU-second, four bots, as the projector does it (aim: 150)", 1 / each, "games/s"),
        ("audit of a finished 4-player game", 1000 * cpu(size, lambda: audit(unsigned_heads)), "ms"),
        ("  with the host's signed heads", 1000 * cpu(size, lambda: audit(plain, (), HOST.public)), "ms"),
        ("  with the Edifice and signed heads", 1000 * cpu(size, lambda: audit(large, (), HOST.public)), "ms"),
        ("  with two of the four seats signing, too", 1000 * cpu(size, lambda: audit(keys, (), HOST.public)), "ms"),
        ("packing its bundle, signed heads included", 1000 * cpu(size, bots.bundle), "ms"),
        ("the size of its bundle", len(plain) / 1024, "KiB"),
        ("the same, with the Edifice", len(large) / 1024, "KiB"),
        ("a disputed turn", 1000 * cpu(size, lambda: dispute(entries, names, 0, 2, 3, 0)), "ms"),
        ("the stranger's verifier", 1000 * cpu(size, lambda: Stranger(plain).read()), "ms"),
    ]
