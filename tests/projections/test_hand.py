"""A seat sees its hand, what it has chosen, all that it may do and what it costs, and why the rest is not possible."""

from __future__ import annotations

import random

import msgspec
import pytest

from events.commands import WithdrawAction
from events.facts import ActValue
from events.refusals import Refusal
from events.rules import decide, legal
from events.rules.state import Choosing, Extra, Game
from projections.documents import HandDoc, PlayDoc, QuestionDoc
from projections.views import Views, hand_of
from tests.games import KINDS, Kind, Sitting, acts, command_of, liking, options, own_card, played
from tests.projections.given import moments_of, plain, resting

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def hand_view(sitting: Sitting, seat: int) -> HandDoc:
    """What a seat sees now."""
    body = Views().see_all(sitting.entries, sitting.names).documents()[hand_of(seat)]
    return msgspec.json.decode(body, type=HandDoc)


def commanded(play: PlayDoc) -> tuple[ActValue, str | None]:
    """The act that somebody reads off a listed play: its first payment and option."""
    kind = next(
        kind for kind in ("build", "stage", "discard", "pick", "lose", "decline") if getattr(play, kind) is not msgspec.UNSET
    )
    left, right = (0, 0) if play.payments is msgspec.UNSET else play.payments[0]
    options = () if play.options is msgspec.UNSET else play.options
    return ActValue(kind=kind, left=left, right=right, option=options[0] if options else None), (  # type: ignore[arg-type]
        None if kind == "decline" else getattr(play, kind)
    )


def joining(game: Game, city: int, luck: random.Random) -> tuple[ActValue, str | None]:
    """Builds stages and joins projects whenever that is possible."""
    for play in legal(game, city, own_card(game, city)):
        if play.kind == "stage":
            return acts(play)[-1], play.card
    return liking(game, city, luck)


def check_question(game: Game, seat: int, question: QuestionDoc, luck: random.Random) -> None:
    """The list is the legal one, each sampled play is accepted, and what is refused is refused in these words."""
    city = question.city
    plays = legal(game, city, own_card(game, city))
    assert len(question.plays) == len(plays)
    for shown, play in zip(question.plays, plays, strict=True):
        assert commanded(shown) == (acts(play)[0], play.card)
        if play.kind in ("build", "stage"):
            assert shown.payments == play.payments
        if play.kind == "stage":
            assert (shown.joinable, shown.participate) == (play.joinable, bool(play.joinable))
    if not question.changeable or (city == game.free and question.kind == "choose" and question.own is None):
        return
    act, card = commanded(luck.choice(question.plays))
    assert decide(game, command_of(game, seat, city, act, card))
    buildable = {play.card for play in plays if play.kind in ("build", "pick", "lose")}
    assert set(question.refused) == set(question.cards) - buildable
    for refused, why in question.refused.items():
        kind = "pick" if question.kind == "pick" else "build"
        with pytest.raises(Refusal) as refusal:
            decide(game, command_of(game, seat, city, ActValue(kind=kind), refused))  # type: ignore[arg-type]
        assert (refusal.value.reason, refusal.value.message) == (why.reason, why.message)


@each_kind
def test_all_that_a_seat_may_do(kind: Kind) -> None:
    """In a whole game: hand in catalogue order, every legal play with its payments, every refusal in the table's own words."""
    luck, asked = random.Random(1), 0
    for game, views, _ in moments_of(played(kind)):
        if not resting(game) or not game.cities or (game.version % 2 and isinstance(game.phase, Choosing)):
            continue
        documents = views.documents()
        for seat in range(kind.players):
            you = msgspec.json.decode(documents[hand_of(seat)], type=HandDoc).you
            assert you.hand == game.box.sorted([card for card in game.cities[seat].hand if card])
            assert you.drawn == (game.drawn if game.holder == seat else None)
            for question in you.questions:
                check_question(game, seat, question, luck)
                asked += 1
            if isinstance(game.phase, Extra):
                assert [one.city for one in you.questions] == [
                    city for city, asked_seat in zip(game.phase.cities, game.phase.seats, strict=True) if asked_seat == seat
                ]
            elif isinstance(game.phase, Choosing):
                assert [one.city for one in you.questions] == [seat, *([game.free] if game.holder == seat else [])]
            else:
                assert you.questions == ()
    assert asked > 9 * kind.players


@each_kind
def test_the_hand_view_is_the_table_with_one_more_key(kind: Kind) -> None:
    """Whoever can draw the table can draw a seat's view."""
    for game, views, _ in moments_of(played(kind)):
        if resting(game) and game.version % 4 == 0:
            documents = views.documents()
            table = plain(documents["table"])
            for seat in range(kind.players):
                seen = plain(documents[hand_of(seat)])
                assert list(seen) == [*table, "you"]
                assert seen.pop("you")["seat"] == seat
                assert seen == table


def test_a_choice_lies_face_down_until_the_reveal() -> None:
    """The chooser sees it and may change it; the others see that somebody has chosen."""
    sitting = Sitting(options(3))
    sitting.start()
    act, card = liking(sitting.game, 0, sitting.luck)
    sitting.send(command_of(sitting.game, 0, 0, act, card))
    own = hand_view(sitting, 0)
    question = own.you.questions[0]
    assert question.chosen is not None
    assert (question.chosen.kind, question.chosen.card, question.chosen.number) == (act.kind, card, 1)
    assert (question.number, question.changeable) == (1, True)
    assert question.plays
    other = hand_view(sitting, 1)
    assert [one.chosen for one in other.awaiting] == [True, False, False]
    assert other.you.questions[0].chosen is None
    sitting.send(WithdrawAction(seat=0, city=0, age=1, turn=1))
    question = hand_view(sitting, 0).you.questions[0]
    assert (question.chosen, question.number) == (None, 2)


def test_why_no_stage_can_be_built() -> None:
    """No money for it, or none left: said once for all cards, in words."""
    reasons: set[str] = set()
    joiners = Sitting(Kind(7, True, "publisher").rules).play(taste=joining)
    for sitting in (joiners, *(played(kind) for kind in KINDS[:8])):
        for game, views, _ in moments_of(sitting):
            if isinstance(game.phase, Choosing) and not any(game.phase.choices):
                for seat in range(len(views.seats)):
                    for question in msgspec.json.decode(views.documents()[hand_of(seat)], type=HandDoc).you.questions:
                        stages = [play for play in question.plays if play.stage is not msgspec.UNSET]
                        assert (question.stage is None) == bool(stages)
                        joins = any(play.joinable for play in stages)
                        assert (question.join is None) == (joins or not stages)
                        for why in (question.stage, question.join, question.discard):
                            if why is not None:
                                assert why.message.endswith((".", ")."))
                                reasons.add(why.reason)
    assert reasons == {
        "no-stage-left", "cannot-pay", "edifice-off", "already-participating", "no-token-left", "free-city-must-build",
    }  # fmt: skip


def test_the_free_city_waits_for_the_own_choice() -> None:
    """R91, R94: its cards are the holder's hand without the own choice; a discard that is not offered says why."""
    sitting = Sitting(options(2), seed=2)
    sitting.start()
    holder = sitting.game.holder
    assert holder is not None
    you = hand_view(sitting, holder).you
    own, free = you.questions
    assert (own.city, free.city, free.own) == (holder, 2, None)
    assert you.drawn is not None
    assert sorted(free.cards) == sorted(own.cards) == sorted((*you.hand, you.drawn))
    act, card = commanded(own.plays[0])
    sitting.send(command_of(sitting.game, holder, holder, act, card))
    free = hand_view(sitting, holder).you.questions[1]
    assert free.own == card
    assert sorted((*free.cards, card)) == sorted(own.cards)
    assert free.discard is not None
    assert free.discard.reason == "free-city-must-build"
    other = hand_view(sitting, 1 - holder)
    assert other.you.drawn is None
    assert [one.city for one in other.you.questions] == [1 - holder]
    assert other.free_city is not None
    assert other.free_city.has_drawn


def test_a_seat_remembers_what_it_laid_away() -> None:
    """Cards under its board and its own discards are known to it, to nobody else."""
    game = played(Kind(4, False, "booklet"))
    closed = game.game
    for seat in range(4):
        you = hand_view(game, seat).you
        assert you.under.get(str(seat), ()) == closed.cities[seat].under
        assert set(you.under) <= {str(seat)}
        discards = [event for event in game.events if type(event).__name__ == "CardDiscarded" and event.city == seat]  # type: ignore[union-attr]
        assert len(you.discard) <= len(discards)
        assert you.discard
