"""Nobody learns what is hidden: not from the public bytes, not from another's fold, not from what a play would have been."""

from __future__ import annotations

import hmac
import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from events import codec, facts as f
from events.catalogue import current
from events.commands import RevealTurn
from events.rules import Game, evolve, initial, legal, outcome
from events.rules.state import Choosing, Extra
from events.sealed import nonce_of, seal_of
from tests.rules.driver import PUBLISHER, command_of, key_of, options, own_card, steps, written

TABLES = {
    "3 players": options(3),
    "5 players, Edifice": options(5, True),
    "4 players, Edifice, publisher": options(4, True, **PUBLISHER),
    "2 players": options(2),
    "2 players, Edifice, by turn": options(2, True, **PUBLISHER),
}


# ---- folds ------------------------------------------------------------------------------------------------------------
class Eyes:
    """One viewer's fold beside the whole game, with what the viewer may know."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.game = initial(current())
        self.known: Counter[str] = Counter()
        self.under: dict[tuple[int, int], bool] = {}

    def see(self, whole: Game, event: f.AnyEvent, seen: f.AnyEvent) -> None:
        self.game = evolve(self.game, seen)
        match event:
            case f.CardDiscarded():
                if self.viewer in event.card.readers:
                    self.known[event.card.value] += 1
            case f.PenaltySuffered(kind="discard"):
                self.known[event.card or ""] += 1
            case f.CardBuilt(origin="discard"):
                self.known -= Counter([event.card])
            case f.StageBuilt():
                self.under[event.city, event.stage - 1] = self.viewer in event.card.readers
        self._check(whole)

    def _check(self, whole: Game) -> None:
        mine = self.game
        for place, (seen, real) in enumerate(zip(mine.cities, whole.cities, strict=True)):
            assert (seen.coins, seen.built, seen.tokens, seen.options) == (real.coins, real.built, real.tokens, real.options)
            hand = real.hand if place == self.viewer else (None,) * len(real.hand)
            assert Counter(seen.hand) == Counter(hand)
            under = tuple(card if self.under[place, number] else None for number, card in enumerate(real.under))
            assert seen.under == under
        assert mine.pile == (None,) * len(whole.pile)
        assert mine.drawn == (whole.drawn if whole.holder == self.viewer else None)
        assert len(mine.discard) == len(whole.discard)
        seen_discards = Counter(card for card in mine.discard if card is not None)
        assert seen_discards == self.known, "what was shown, less what was built from the pile"
        assert not seen_discards - Counter(whole.discard), "a discard that is no longer there"
        self._phase(whole)

    def _phase(self, whole: Game) -> None:
        phase, real = self.game.phase, whole.phase
        if isinstance(phase, Choosing) and isinstance(real, Choosing):
            for place, (seen, true) in enumerate(zip(phase.choices, real.choices, strict=True)):
                assert (seen is None) == (true is None)
                if seen is not None and true is not None:
                    own = whole.answerer(place) == self.viewer
                    assert (seen.act, seen.card) == ((true.act, true.card) if own else (None, None))
        if isinstance(phase, Extra) and isinstance(real, Extra):
            for place, seat in enumerate(real.seats):
                if real.offers:
                    assert phase.offers[place] == (real.offers[place] if seat == self.viewer else ())
                answer = phase.answers[place]
                assert answer is None or seat == self.viewer or (answer.act, answer.card) == (None, None)


@pytest.mark.parametrize("name", TABLES)
def test_a_viewers_fold_never_knows_what_it_may_not(name):
    """R9, R91: every seat and the spectator, after every event: own hand, own choice, own discards and stages, nothing else."""
    for seed in range(4):
        entries, events, names = written(TABLES[name], seed)
        eyes = [Eyes(viewer) for viewer in (codec.SPECTATOR, *range(TABLES[name].players))]
        whole = initial(current())
        for version, (entry, event) in enumerate(zip(entries, events, strict=True), 1):
            whole = evolve(whole, event)
            for one in eyes:
                one.see(whole, event, codec.read(version, entry.e, entry.s, names, one.viewer))


@pytest.mark.parametrize("name", TABLES)
def test_a_seat_can_play_from_its_own_fold_alone(name):
    """What it sees is enough: the legal plays of its own fold are those of the whole game."""
    entries, events, names = written(TABLES[name], 3)
    for viewer in range(TABLES[name].players):
        whole = mine = initial(current())
        for version, (entry, event) in enumerate(zip(entries, events, strict=True), 1):
            whole = evolve(whole, event)
            mine = evolve(mine, codec.read(version, entry.e, entry.s, names, viewer))
            if isinstance(whole.phase, Choosing | Extra):
                cities = [place for place in range(len(whole.cities)) if whole.answerer(place) == viewer]
                for place in cities:
                    assert legal(mine, place, own_card(mine, place)) == legal(whole, place, own_card(whole, place))


# ---- non-interference ---------------------------------------------------------------------------------------------------
def masked(e: bytes) -> Any:
    """Public bytes without what the seals look like."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: None if key in ("seal", "nonce") else bare(inner) for key, inner in value.items()}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    return bare(json.loads(e))


def played_on(game: Game, place: int, act: f.ActValue, card: str) -> tuple[Game, list[codec.Written], list[f.AnyEvent]]:
    """One choice made, the others as they lie or by default, and the turn revealed."""
    events, after = outcome(game, command_of(game, game.answerer(place), place, act, card))
    told = list(events)
    for other in range(len(after.cities)):
        assert isinstance(after.phase, Choosing)
        if after.phase.choices[other] is None:
            play = legal(after, other, own_card(after, other))[-1]
            left, right = play.payments[0] if play.payments else (0, 0)
            option = play.options[0] if play.options else None
            value = f.ActValue(kind=play.kind, left=left, right=right, option=option)
            more, after = outcome(after, command_of(after, after.answerer(other), other, value, play.card))
            told += more
    more, after = outcome(after, RevealTurn(at=after.at))
    told += more
    return after, [codec.write(event, game.version + n, "a-game", key_of(1)) for n, event in enumerate(told, 1)], told


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["3 players", "5 players, Edifice"]), st.integers(0, 60), st.integers(0, 10**6))
def test_which_card_was_hidden_changes_nothing_for_the_others(name, seed, at):
    """Two games alike but for the card that one seat discards or puts under its board: every other viewer has the same bytes and
    the same values, but for seals; the one who gets the passed hand is the only exception the rules make."""
    luck = random.Random(at)
    moments = [step.before for step in steps(TABLES[name], seed) if isinstance(step.before.phase, Choosing)]
    moment = luck.choice([game for game in moments if game.phase.choices[0] is None and game.turn < 6])
    plays = [play for play in legal(moment, 0) if play.kind in ("discard", "stage")]
    kind = luck.choice(sorted({play.kind for play in plays}))
    cards = [play for play in plays if play.kind == kind]
    if len(cards) < 2:
        return
    one, other = luck.sample(cards, 2)
    left, right = one.payments[0] if one.payments else (0, 0)
    act = f.ActValue(kind=kind, left=left, right=right, option=one.options[0] if one.options else None)
    first, second = played_on(moment, 0, act, one.card), played_on(moment, 0, act, other.card)
    if isinstance(first[0].phase, Extra):
        return  # the pile itself is then on offer
    assert [masked(entry.e) for entry in first[1]] == [masked(entry.e) for entry in second[1]]
    assert [len(entry.e) for entry in first[1]] == [len(entry.e) for entry in second[1]]
    n = len(moment.cities)
    receiver = 1 if moment.age != 2 else n - 1
    for viewer in (codec.SPECTATOR, *range(1, n)):
        if viewer != receiver:
            assert values(moment, first[1], viewer) == values(moment, second[1], viewer)


def values(moment: Game, entries: list[codec.Written], viewer: int) -> list[list[Any]]:
    """What a viewer reads behind the seals of some entries."""
    events = [codec.read(version, entry.e, entry.s, {}, viewer) for version, entry in enumerate(entries, moment.version + 1)]
    return [[one.value for _, one in codec.seals(event)] for event in events]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 10**6))
def test_before_the_reveal_every_choice_looks_alike(seed, at):
    """A build, a stage with a token, a discard: same bytes but for the seals, of the same length."""
    luck = random.Random(at)
    moments = [step.before for step in steps(TABLES["5 players, Edifice"], seed) if isinstance(step.before.phase, Choosing)]
    moment = luck.choice([game for game in moments if game.phase.choices[0] is None])
    shown = set()
    for play in legal(moment, 0):
        left, right = (*play.joinable, *play.payments, (0, 0))[0]
        option = (*play.options, None)[0]
        act = f.ActValue(kind=play.kind, left=left, right=right, participate=bool(play.joinable), option=option)
        events, _ = outcome(moment, command_of(moment, 0, 0, act, play.card))
        e = codec.write(events[0], moment.version + 1, "a-game", key_of(1)).e
        shown.add((json.dumps(masked(e), sort_keys=True), len(e)))
    assert len(shown) == 1


# ---- public bytes -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", TABLES)
def test_public_bytes_hold_no_hidden_value_nonce_key_or_name(name):
    """A search of every byte before the key's publication."""
    for seed in range(4):
        entries, events, names = written(TABLES[name], seed)
        assert isinstance(events[-1], f.GameClosed)
        public = b"\n".join(entry.e for entry in entries[:-1])
        opened = {(one.version, one.path) for event in events if hasattr(event, "openings") for one in event.openings}
        key = key_of(seed)
        assert key.hex().encode() not in public
        for opening in names.values():
            found = json.loads(opening)
            assert found["nonce"].encode() not in public
            assert found["bytes"].encode() not in public
        shut = 0
        for version, (entry, event) in enumerate(zip(entries, events, strict=True), 1):
            for path, _ in codec.seals(event):
                if (version, path) not in opened:
                    shut += 1
                    assert nonce_of(key, version, path).hex().encode() not in public
                    value = bytes(exact_value(entry.s, path))
                    if value.startswith(b"[") and len(value) > 30:
                        assert value not in public
        assert shut > 50
        _no_hidden_card(events, public)


def exact_value(s: bytes | None, path: str) -> bytes:
    """The exact bytes of one sealed value."""
    return bytes(msgspec.json.decode(s or b"{}", type=dict[str, msgspec.Raw])[path])


def _no_hidden_card(events: list[f.AnyEvent], public: bytes) -> None:
    """A card that was dealt, but never built nor lost, is named nowhere."""
    deals = [event for event in events if isinstance(event, f.AgeDealt)]
    dealt = {card for deal in deals for hand in (*deal.hands, deal.pile) if hand for card in hand.value}
    shown = {event.card for event in events if isinstance(event, f.CardBuilt | f.PenaltySuffered)}
    hidden = dealt - shown
    assert hidden
    for card in hidden:
        assert f'"{card}"'.encode() not in public
        assert f'\\"{card}\\"'.encode() not in public


# ---- the end ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", TABLES)
def test_the_published_key_opens_every_seal(name):
    """From the public bytes and `s` alone, with the key of the last event, anyone checks every value that was ever hidden."""
    entries, _, _ = written(TABLES[name], 2)
    closed = codec.parse(entries[-1].e)
    assert isinstance(closed, f.GameClosed)
    key = bytes.fromhex(closed.key)
    opened = codec.parse(entries[0].e)
    assert isinstance(opened, f.GameOpened)
    checked = 0
    for version, entry in enumerate(entries, 1):
        for path, one in codec.seals(codec.parse(entry.e)):
            assert seal_of(nonce_of(key, version, path), opened.game, version, path, exact_value(entry.s, path)) == one.seal
            checked += 1
    assert checked > 100


def order(seed: bytes, label: str, items: list[tuple[str, int]]) -> list[str]:
    """The written rule of every draw, once more: sorted by HMAC-SHA256(seed, label, id, copy)."""

    def place(one: tuple[str, int]) -> bytes:
        return hmac.digest(seed, f"{label}\n{one[0]}\n{one[1]}".encode(), "sha256")

    return [item for item, _ in sorted(items, key=place)]


@pytest.mark.parametrize("name", TABLES)
def test_the_published_key_deals_the_same_cards_again(name):
    """Entropies and key give the seed, the seed every hand, the pile, the boards and the projects."""
    rules = TABLES[name]
    _, events, _ = written(rules, 9)
    key = key_of(9)
    entropies = [bytes.fromhex(event.entropy) for event in events if isinstance(event, f.EntropyRevealed)]
    assert entropies == [hmac.digest(key, f"entropy\n{seat}".encode(), "sha256") for seat in range(rules.players)]
    seed = hmac.digest(key, b"seed\n" + b"".join(entropies), "sha256")
    box, counted = current(), max(rules.players, 3)
    started = next(event for event in events if isinstance(event, f.GameStarted))
    boards = order(seed, "boards", [(wonder, 0) for wonder in rules.wonders])
    assert [board.wonder for board in started.boards] == boards[: len(started.boards)]
    assert [board.side for board in started.boards] == [
        order(seed, f"sides/{place}", [("day", 0), ("night", 0)])[0] for place in range(len(started.boards))]  # fmt: skip
    for age, project in enumerate(started.projects, 1):
        assert project == order(seed, f"projects/{age}", [(p.id, 0) for p in box.projects.values() if p.age == age])[0]
    for event in events:
        if isinstance(event, f.AgeDealt):
            deck = list(box.deck(event.age, counted))
            if event.age == 3:
                deck += [(guild, 0) for guild in order(seed, "guilds", [(guild, 0) for guild in box.guilds])[: counted + 2]]
            cards = order(seed, f"age/{event.age}", deck)
            assert [sorted(hand.value) for hand in event.hands] == [sorted(cards[7 * i : 7 * i + 7]) for i in range(rules.players)]
            assert event.pile is None or list(event.pile.value) == cards[7 * rules.players :]
