"""Everybody looks with their own eyes, and nobody sees more, less, or anything else later."""

from __future__ import annotations

import pytest

from events import codec
from events.codec import EVERYTHING, SPECTATOR
from events.rules import legal
from events.rules.state import Choosing, Extra
from projections.eyes import Eyes, look
from tests.games import KINDS, Kind, own_card, played
from tests.projections.given import moments_of

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@each_kind
def test_looking_in_between_changes_nothing(kind: Kind) -> None:
    """Fold law: some entries now and the rest later give what all at once give, for every viewer."""
    game = played(kind)
    entries, names = game.entries, game.names
    half = len(entries) // 2
    for viewer in (SPECTATOR, EVERYTHING, *range(kind.players)):
        now = Eyes(viewer).see_all(entries[:half], names).see_all(entries[half:], names)
        assert now.game == Eyes(viewer).see_all(entries, names).game


@each_kind
def test_several_pairs_of_eyes_see_what_each_sees_alone(kind: Kind) -> None:
    """`look` reads an open entry only once; nobody sees anything else because of it."""
    game = played(kind)
    viewers = (SPECTATOR, EVERYTHING, *range(kind.players))
    together = [Eyes(viewer) for viewer in viewers]
    for version, entry in game.entries:
        look(version, entry, game.names, *together)
    for eyes in together:
        assert eyes.game == Eyes(eyes.viewer).see_all(game.entries, game.names).game
        assert eyes.conflicts == together[0].conflicts
    assert len(together[0].conflicts) == 3


@each_kind
def test_who_sees_everything_sees_the_game(kind: Kind) -> None:
    """The fold of everything is the game that the rules know."""
    game = played(kind)
    assert Eyes(EVERYTHING).see_all(game.entries, game.names).game == game.game


@each_kind
def test_a_seat_knows_all_that_it_may_do(kind: Kind) -> None:
    """At every moment the legal plays by a seat's own eyes are those by the rules' own knowledge, the Free City's included."""
    looked = 0
    for game, views, _ in moments_of(played(kind)):
        if not isinstance(game.phase, (Choosing, Extra)):
            continue
        for city in range(len(game.cities)):
            seen = views.seats[game.answerer(city)].game
            plays = legal(game, city, own_card(game, city))
            assert legal(seen, city, own_card(seen, city)) == plays
            looked += len(plays)
    assert looked > 500


def test_an_entry_out_of_order_is_refused() -> None:
    """Eyes see a log from its beginning and miss nothing."""
    game = played(KINDS[0])
    entries = game.entries
    with pytest.raises(codec.BrokenRecord, match="GameOpened"):
        Eyes(SPECTATOR).see(1, entries[1][1], game.names)
    eyes = Eyes(SPECTATOR).see_all(entries[:5], game.names)
    with pytest.raises(ValueError, match="entry 7 does not follow entry 5"):
        eyes.see(7, entries[6][1], game.names)
    with pytest.raises(LookupError):
        _ = Eyes(SPECTATOR).game


def test_an_erased_name_is_nobody() -> None:
    """Without its opening a name is unknown, and the chain and all else stay as they were."""
    game = played(KINDS[4])
    names = {path: opening for path, opening in game.names.items() if not path.startswith("2/")}
    assert len(names) == len(game.names) - 1
    seen = Eyes(SPECTATOR).see_all(game.entries, names).game
    assert [person.name for person in seen.people if person] == [None, "Bo", "Cy"]
    assert seen.cities == Eyes(SPECTATOR).see_all(game.entries, game.names).game.cities
