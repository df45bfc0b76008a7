"""The projector keeps what people see in step with the log, however often, late, or by how many it is done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from events import codec
from events.store.memory import MemoryStore
from events.store.protocol import StoreUnavailable
from events.transact import UnknownGame
from projections.eyes import SPECTATOR
from projections.lobby import LOBBY
from projections.project import Projections
from projections.rebuild import rebuild_all, rebuild_game, views_of
from projections.replay import replayed
from projections.views import CHRONICLE, SCORE, TABLE, hand_of, load
from tests.games import KINDS, Clock, Kind, Sitting, options
from tests.projections.given import plain

each_kind = pytest.mark.parametrize("kind", KINDS[1::3], ids=str)
NAMES = (TABLE, CHRONICLE, SCORE)


def stored(sitting: Sitting) -> dict[str, bytes]:
    """Every view of a game as the store has it."""
    names = (*NAMES, *(hand_of(seat) for seat in range(sitting.rules.players)))
    found = {name: load(sitting.store, sitting.id, name) for name in names}
    return {name: view[1] for name, view in found.items() if view is not None}


def right(sitting: Sitting) -> dict[str, bytes]:
    """Every view as the log says it is."""
    return views_of(sitting.store, sitting.id).documents()


@each_kind
def test_after_each_move_the_views_are_right(kind: Kind) -> None:
    """Followed move by move, every view is what the log alone gives, and carries its version."""
    sitting = Sitting(kind.rules)
    projections = Projections(sitting.store)
    moves = 0
    while not sitting.game.age or sitting.step():
        if not sitting.game.age:
            sitting.start()
        assert projections.project(sitting.id) == sitting.game.version
        assert plain(stored(sitting)[TABLE])["version"] == sitting.game.version
        moves += 1
        if moves % 7 == 0:
            assert stored(sitting) == right(sitting)
    assert stored(sitting) == right(sitting)
    assert moves > 60


@each_kind
def test_a_rebuild_gives_the_same_bytes(kind: Kind) -> None:
    """All views of all games, dropped and made again from the logs, are byte for byte what the projector wrote."""
    sitting = Sitting(kind.rules)
    other = Sitting(options(3), 2, store=sitting.store)
    other.clock = sitting.clock
    projections = Projections(sitting.store)
    sitting.play(until=lambda game: game.age == 3)
    other.play(until=lambda game: game.turn == 2)
    projections.project(sitting.id)
    sitting.play(until=lambda game: game.age == 3 and game.turn == 4)
    for game in (sitting.id, other.id):
        projections.project(game)
    before, rows = (stored(sitting), stored(other)), sitting.store.load_rows(LOBBY)
    assert len(rows) == 2
    assert dict(rebuild_all(sitting.store)) == {sitting.id: sitting.game.version, other.id: other.game.version}
    assert (stored(sitting), stored(other)) == before
    assert sitting.store.load_rows(LOBBY) == rows


def test_a_rebuild_has_no_side_effect() -> None:
    """Nothing is published, no feed line, no wake-up: the log and all beside it stay as they were."""
    sitting = Sitting(options(3)).play(until=lambda game: game.age == 2)
    store = sitting.store
    Projections(store).project(sitting.id)
    store.listen(0)
    before = (sitting.entries, store.waking(0), store.overdue(0, 2**62))
    store.follow([0], "all", "one", 10_000, 0)
    rebuild_game(store, sitting.id)
    assert (sitting.entries, store.waking(0), store.overdue(0, 2**62)) == before
    assert store.listen(0) == []
    assert store.follow([0], "all", "two", 10, 0) == []


def test_projecting_again_changes_nothing() -> None:
    """Idempotent: duplicates and late calls are harmless."""
    sitting = Sitting(options(3)).play(until=lambda game: game.turn == 3)
    projections = Projections(sitting.store)
    first = projections.project(sitting.id)
    before = stored(sitting)
    assert projections.project(sitting.id) == first
    assert Projections(sitting.store).project(sitting.id) == first
    assert stored(sitting) == before


def test_a_projector_that_slept_changes_nothing_back() -> None:
    """Two processes: the one that wakes up late with an old game in mind catches up, and no view goes back in time."""
    sitting = Sitting(options(4, True)).play(until=lambda game: game.turn == 2)
    slow, fast = Projections(sitting.store), Projections(sitting.store)
    slow.project(sitting.id)
    for turn in (3, 4, 5):
        sitting.play(until=lambda game, turn=turn: game.turn == turn)  # type: ignore[misc]
        fast.project(sitting.id)
    sitting.step()
    assert slow.project(sitting.id) == sitting.game.version
    assert stored(sitting) == right(sitting)
    assert fast.project(sitting.id) == sitting.game.version
    sitting.play()
    slow.project(sitting.id)
    fast.project(sitting.id)
    assert stored(sitting) == right(sitting)


def test_many_at_once_leave_the_right_views() -> None:
    """Threads of several processes project one game while it is played."""
    sitting = Sitting(options(3, True))
    sitting.start()
    several = [Projections(sitting.store) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        waiting = []
        while sitting.step():
            waiting += [pool.submit(projections.project, sitting.id) for projections in several]
        for one in waiting:
            assert one.result() > 0
    for projections in several:
        assert projections.project(sitting.id) == sitting.game.version
    assert stored(sitting) == right(sitting)


def test_only_what_changed_is_written() -> None:
    """While people choose, neither the chronicle nor the scores are written again."""
    sitting = Sitting(options(3))
    sitting.start()
    projections = Projections(sitting.store)
    started = projections.project(sitting.id)
    sitting.step()
    projections.project(sitting.id)
    versions = {name: (load(sitting.store, sitting.id, name) or (0, b""))[0] for name in (*NAMES, "hand/2")}
    assert versions == {TABLE: started + 1, "hand/2": started + 1, CHRONICLE: started, SCORE: started}
    sitting.play(until=lambda game: game.turn == 2)
    projections.project(sitting.id)
    assert stored(sitting) == right(sitting)


class Stumbling(MemoryStore):
    """A store that is away for a moment."""

    away = False

    def save_views(self, game: str, version: int, views: dict[str, bytes]) -> bool:
        if self.away:
            raise StoreUnavailable("away")
        return super().save_views(game, version, views)


def test_a_store_that_was_away_gets_everything_later() -> None:
    """What could not be written is written with the next call."""
    clock = Clock()
    store = Stumbling(clock)
    sitting = Sitting(options(3), store=store).play(until=lambda game: game.turn == 2)
    projections = Projections(store)
    projections.project(sitting.id)
    sitting.play(until=lambda game: game.turn == 3)
    store.away = True
    with pytest.raises(StoreUnavailable):
        projections.project(sitting.id)
    store.away = False
    assert projections.project(sitting.id) == sitting.game.version
    assert stored(sitting) == right(sitting)


class Busy(MemoryStore):
    """A store in which somebody plays, and is shown, just before the views are dropped."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.meanwhile: list[Callable[[], object]] = []

    def drop_views(self, game: str) -> None:
        while self.meanwhile:
            self.meanwhile.pop()()
        super().drop_views(game)


def test_a_table_that_plays_on_during_its_rebuild_is_not_left_behind() -> None:
    """What was shown meanwhile is not dropped for something older: the projector would never write it again."""
    store = Busy(Clock())
    sitting = Sitting(options(3), store=store).play(until=lambda game: game.turn == 2)
    projections = Projections(store)
    projections.project(sitting.id)
    store.meanwhile.append(lambda: projections.project(sitting.play(until=lambda game: game.turn == 3).id))
    assert rebuild_game(store, sitting.id) == sitting.game.version
    projections.project(sitting.id)
    assert stored(sitting) == right(sitting)


def test_an_unknown_game_is_refused_and_forgotten() -> None:
    """No log, no views, nothing kept."""
    projections = Projections(MemoryStore())
    with pytest.raises(UnknownGame):
        projections.project("nowhere")
    with pytest.raises(UnknownGame):
        rebuild_game(projections.store, "nowhere")


def test_games_that_fall_out_are_folded_again() -> None:
    """The memory of a process is bounded; the views are not the worse for it."""
    first = Sitting(options(3), 1).play(until=lambda game: game.turn == 2)
    second = Sitting(options(3), 2, store=first.store).play(until=lambda game: game.turn == 2)
    projections = Projections(first.store, kept=1)
    for turn in (3, 4):
        for sitting in (first, second):
            sitting.play(until=lambda game, turn=turn: game.turn == turn)  # type: ignore[misc]
            projections.project(sitting.id)
    for sitting in (first, second):
        assert stored(sitting) == right(sitting)


def test_a_broken_entry_is_an_error_each_time() -> None:
    """A log that cannot be read is reported, never half shown."""
    sitting = Sitting(options(3)).play(until=lambda game: game.turn == 2)
    projections = Projections(sitting.store)
    projections.project(sitting.id)
    before = stored(sitting)
    sitting.step()
    log = sitting.store._logs[sitting.id]  # type: ignore[attr-defined]
    whole = log.entries[-1]
    log.entries[-1] = type(whole)(b'{"type":"Nonsense"}', None, whole.l)
    for _ in range(2):
        with pytest.raises(codec.BrokenRecord):
            projections.project(sitting.id)
    assert stored(sitting) == before
    log.entries[-1] = whole
    projections.project(sitting.id)
    assert stored(sitting) == right(sitting)


def test_an_erased_name_does_not_come_back() -> None:
    """A projector that knew the name forgets it with the next version; a rebuild forgets it at once."""
    sitting = Sitting(options(3)).play(until=lambda game: game.turn == 2)
    projections = Projections(sitting.store)
    projections.project(sitting.id)
    path = next(path for path in sitting.names if b"Ada" in sitting.names[path])
    assert sitting.store.erase_name(sitting.id, path)
    rebuild_game(sitting.store, sitting.id)
    assert not any(b"Ada" in body for body in stored(sitting).values())
    sitting.table.forget(sitting.id)
    sitting.step()
    projections.project(sitting.id)
    assert not any(b"Ada" in body for body in stored(sitting).values())
    assert b"seat 1" in stored(sitting)[CHRONICLE]
    assert stored(sitting) == right(sitting)


def test_a_view_is_what_a_replay_shows_at_its_version() -> None:
    """What was stored at a version is what `document_at` gives for that version ever after."""
    sitting = Sitting(options(3, True))
    projections = Projections(sitting.store)
    sitting.start()
    kept = []
    while sitting.step():
        version = projections.project(sitting.id)
        kept.append((version, stored(sitting)))
    for version, views in kept[::6]:
        assert replayed(sitting.store, sitting.id, SPECTATOR, version) == views[TABLE]
        for seat in range(3):
            assert replayed(sitting.store, sitting.id, seat, version) == views[hand_of(seat)]
