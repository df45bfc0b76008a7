"""What one seat knows and the others do not: its hand, its face-down choice, everything it may do with each price, and why not."""

from __future__ import annotations

from msgspec import UNSET

from events.facts import ActValue
from events.refusals import Refusal
from events.rules.allowed import refuse_play
from events.rules.building import next_stage, stage_options
from events.rules.legal import Play, choosable, known_offer, legal
from events.rules.state import Choice, Choosing, Extra, Game
from events.vocabulary import CardId
from projections.documents import ChosenDoc, PlayDoc, QuestionDoc, WhyNot, YouDoc


def you_document(game: Game, seat: int) -> YouDoc:
    """What a seat knows beside the table.  `game` must be that seat's own fold."""
    city = game.cities[seat] if game.cities else None
    return YouDoc(
        seat=seat,
        hand=game.box.sorted([card for card in city.hand if card is not None]) if city else (),
        drawn=game.drawn,
        under={str(place): one.under for place, one in enumerate(game.cities) if any(card is not None for card in one.under)},
        discard=tuple(card for card in game.discard if card is not None),
        questions=questions(game, seat),
    )


def questions(game: Game, seat: int) -> tuple[QuestionDoc, ...]:
    """What the seat is asked now: for its own city and, as the holder, for the Free City; () if nothing."""
    phase = game.phase
    if isinstance(phase, Choosing):
        cities = [city for city in range(len(game.cities)) if game.answerer(city) == seat]
        return tuple(_turn_question(game, phase, city) for city in cities)
    if isinstance(phase, Extra):
        return tuple(_extra_question(game, phase, place) for place, asked in enumerate(phase.seats) if asked == seat)
    return ()


def _turn_question(game: Game, phase: Choosing, city: int) -> QuestionDoc:
    own = None
    if city == game.free:
        laid = phase.choices[game.answerer(city)]
        own = laid.card if laid else None
    plays = legal(game, city, own)
    cards = game.box.sorted(choosable(game, city, own))
    return QuestionDoc(
        city=city,
        kind="choose",
        number=phase.numbers[city],
        changeable=not all(phase.choices),
        chosen=_chosen(phase.choices[city]),
        cards=cards,
        plays=tuple(_play(game, city, play) for play in plays),
        refused=_refused(game, city, cards, plays),
        stage=_no_stage(game, city, cards, plays),
        join=_no_joining(game, city, cards, plays),
        discard=_no_discard(game, city, cards, plays),
        own=own if city == game.free else UNSET,
    )


def _extra_question(game: Game, phase: Extra, place: int) -> QuestionDoc:
    city = phase.cities[place]
    plays = legal(game, city)
    last = phase.question == "last-card"
    cards = known_offer(phase, city) if phase.offers else tuple(play.card for play in plays if play.card is not None)
    return QuestionDoc(
        city=city,
        kind=phase.question,
        number=phase.numbers[place],
        changeable=not all(phase.answers),
        chosen=_chosen(phase.answers[place]),
        cards=cards,
        plays=tuple(_play(game, city, play) for play in plays),
        refused=_refused(game, city, cards, plays) if last else _held(game, city, cards, plays),
        stage=_no_stage(game, city, cards, plays) if last else None,
        join=_no_joining(game, city, cards, plays) if last else None,
        discard=_no_discard(game, city, cards, plays) if last else None,
    )


def _chosen(choice: Choice | None) -> ChosenDoc | None:
    if choice is None or choice.act is None:
        return None
    act = choice.act
    return ChosenDoc(
        number=choice.number,
        kind=act.kind,
        card=choice.card,
        left=act.left,
        right=act.right,
        participate=act.participate,
        option=act.option,
    )


def play_document(game: Game, city: int, play: Play) -> PlayDoc:
    """One legal play in the words of the position document, with the coins that go to the bank as `cost`."""
    return _play(game, city, play)


def _play(game: Game, city: int, play: Play) -> PlayDoc:
    card = play.card or UNSET
    match play.kind:
        case "build":
            assert play.card is not None
            cost = 0 if play.free else game.box.cards[play.card].cost.get("coins", 0)
            return PlayDoc(build=card, payments=play.payments, free=play.free, cost=cost)
        case "stage":
            stage = next_stage(game.box, game.cities[city])
            assert stage is not None
            return PlayDoc(
                stage=card,
                payments=play.payments,
                cost=stage.cost.get("coins", 0),
                participate=bool(play.joinable),
                joinable=play.joinable,
                options=play.options,
            )
        case "pick":
            return PlayDoc(pick=card, payments=play.payments, free=play.free)
        case "decline":
            return PlayDoc(decline=True)
        case "lose":
            return PlayDoc(lose=card)
        case _:
            return PlayDoc(discard=card)


# ---- why not ----------------------------------------------------------------------------------------------------------
def _why(game: Game, city: int, act: ActValue, card: CardId, cards: tuple[CardId, ...]) -> WhyNot | None:
    """The refusal that this play would meet, in the table's own words; None if it would be accepted."""
    try:
        refuse_play(game, city, act, card, cards)
    except Refusal as refusal:
        return WhyNot(reason=str(refusal.reason), message=refusal.message)
    return None


def _refused(game: Game, city: int, cards: tuple[CardId, ...], plays: tuple[Play, ...]) -> dict[str, WhyNot]:
    """Each card of the hand that cannot be built, with the reason."""
    built = {play.card for play in plays if play.kind == "build"}
    found = {}
    for card in dict.fromkeys(cards):
        if card not in built and (why := _why(game, city, ActValue(kind="build"), card, cards)) is not None:
            found[card] = why
    return found


def _held(game: Game, city: int, cards: tuple[CardId, ...], plays: tuple[Play, ...]) -> dict[str, WhyNot]:
    """Cards of the discard pile that stand in the city already (R19)."""
    usable = {play.card for play in plays}
    who = game.called(city)
    return {
        card: WhyNot(reason="already-built", message=f"{who} has a {game.box.cards[card].name} already (R19).")
        for card in dict.fromkeys(cards)
        if card not in usable and usable
    }


def _no_stage(game: Game, city: int, cards: tuple[CardId, ...], plays: tuple[Play, ...]) -> WhyNot | None:
    """Why no stage can be built; None if one can."""
    if not cards or any(play.kind == "stage" for play in plays):
        return None
    stage = next_stage(game.box, game.cities[city])
    options = stage_options(stage) if stage else ()
    return _why(game, city, ActValue(kind="stage", option=options[0] if options else None), cards[0], cards)


def _no_joining(game: Game, city: int, cards: tuple[CardId, ...], plays: tuple[Play, ...]) -> WhyNot | None:
    """Why the stage that can be built cannot join the project; None if it can, or if no stage can be built."""
    stages = [play for play in plays if play.kind == "stage"]
    if not stages or stages[0].joinable:
        return None
    option = stages[0].options[0] if stages[0].options else None
    return _why(game, city, ActValue(kind="stage", participate=True, option=option), cards[0], cards)


def why_no_discard(game: Game, city: int, own: CardId | None = None) -> WhyNot | None:
    """Why the Free City may not discard beside its holder's `own` card (R94); None if it may or is not asked.

    `game`: the holder's own fold.
    """
    phase = game.phase
    plays = legal(game, city, own)
    if not plays or (isinstance(phase, Extra) and phase.question != "last-card"):
        return None
    cards = known_offer(phase, city) if isinstance(phase, Extra) else choosable(game, city, own)
    return _no_discard(game, city, cards, plays)


def _no_discard(game: Game, city: int, cards: tuple[CardId, ...], plays: tuple[Play, ...]) -> WhyNot | None:
    """Why the Free City may not discard (R94); None if it may, and always for a seat's own city."""
    if city != game.free or not cards or any(play.kind == "discard" for play in plays):
        return None
    return _why(game, city, ActValue(kind="discard"), cards[0], cards)
