"""One turn, in the rulebook's order: turn the cards over, pay, place, then effects, then extras, then pass the hands on."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events import facts as f
from events.catalogue.things import BuildFromDiscard, PlayLastCard, Token
from events.facts import ActValue, CardValue
from events.refusals import Reason, Refusal
from events.rules.building import card_price, next_stage, printed, stage_need, trader
from events.rules.edifice import answers_opened, complete_at_once, fails, project_of, take_token, token_from_box
from events.rules.effects import coins_of, gives_coins, receive, stage_effects
from events.rules.free_city import next_holder, swapped
from events.rules.known import all_known
from events.rules.legal import pickable
from events.rules.state import Choosing, Extra, Game
from events.rules.story import GAME, Story
from events.rules.trade import taken
from events.sealed import Opening, Sealed, exact
from events.vocabulary import AGES, DISCARD_COINS, LEFTWARD, TURNS, CardId, Free, left_of, right_of

Origin = Literal["hand", "pile"]
"""Where the card of an action comes from (R95)."""


class Plan(Struct, frozen=True, gc=False):
    """What a city does: its choice with the price as it stood when the turn began (R10)."""

    city: int
    act: ActValue
    card: CardId
    free: Free | None
    coins: int


def reveal_turn(story: Story) -> None:
    """R11 for everyone at once; nothing in it depends on the order of the seats but where the rules say so."""
    game = story.game
    phase = game.phase
    if not isinstance(phase, Choosing) or not all(phase.choices):
        raise Refusal(Reason.NOTHING_DUE, "No turn is due: somebody has not chosen.")
    plans, openings = [], []
    for city, choice in enumerate(phase.choices):
        assert choice is not None
        assert choice.act is not None
        assert choice.card is not None
        plans.append(plan(game, city, choice.act, choice.card))
        openings.append(Opening(version=choice.version, path="act", bytes=exact(choice.act).decode()))
        if choice.act.kind == "build":
            value = CardValue(card=choice.card, signature=choice.card_signature)
            openings.append(Opening(version=choice.version, path="card", bytes=exact(value).decode()))
    story.tell(f.TurnRevealed(at=story.at, by=GAME, age=game.age, turn=game.turn, openings=tuple(openings)))
    carry_out(story, plans)
    if not _ask_last_card(story):
        end_of_actions(story)


def plan(game: Game, city: int, act: ActValue, card: CardId) -> Plan:
    """A choice with what it costs now."""
    match act.kind:
        case "build":
            free = card_price(trader(game, city), card).free
            return Plan(city, act, card, free, 0 if free else printed(game.box)[card].need.coins)
        case "stage":
            own = game.cities[city]
            return Plan(city, act, card, None, stage_need(game.box, own.wonder, own.side, own.stages).coins)
        case _:
            return Plan(city, act, card, None, 0)


def carry_out(story: Story, plans: list[Plan], origin: Origin = "hand") -> None:
    """Pays, places, then gives the effects; then a project that is complete pays at once, if the table plays so (R64)."""
    for one in plans:
        _pay(story, one)
    for one in plans:
        _place(story, one, origin)
    for one in plans:
        _effects(story, one)
    complete_at_once(story)


def _pay(story: Story, one: Plan) -> None:
    n = len(story.game.cities)
    if one.act.left:
        _payment(story, one.city, left_of(one.city, n), one.act.left, "trade")
    if one.act.right:
        _payment(story, one.city, right_of(one.city, n), one.act.right, "trade")
    if one.coins:
        _payment(story, one.city, None, one.coins, "cost")
    if one.act.participate:
        _payment(story, one.city, None, project_of(story.game).coins, "project")


def _payment(story: Story, city: int, to: int | None, amount: int, why: Literal["trade", "cost", "project"]) -> None:
    story.tell(f.CoinsPaid(at=story.at, by=GAME, city=city, to=to, amount=amount, why=why))


def _place(story: Story, one: Plan, origin: Origin) -> None:
    match one.act.kind:
        case "build":
            story.tell(f.CardBuilt(at=story.at, by=GAME, city=one.city, card=one.card, free=one.free, origin=origin))
        case "stage":
            _place_stage(story, one, origin)
        case _:
            hidden = Sealed(readers=(story.game.answerer(one.city),), value=one.card)
            story.tell(f.CardDiscarded(at=story.at, by=GAME, city=one.city, card=hidden, why="action", origin=origin))


def _place_stage(story: Story, one: Plan, origin: Origin) -> None:
    game = story.game
    number = game.cities[one.city].stages
    stage = next_stage(game.box, game.cities[one.city])
    assert stage is not None
    effects = taken(stage.effects, one.act.option)
    story.tell(
        f.StageBuilt(
            at=story.at,
            by=GAME,
            city=one.city,
            stage=number + 1,
            option=one.act.option,
            card=Sealed(readers=(game.answerer(one.city),), value=one.card),
            pick=BuildFromDiscard in map(type, effects),
            origin=origin,
        )
    )
    if one.act.participate:
        take_token(story, one.city)


def _effects(story: Story, one: Plan) -> None:
    """R11, R12: coins by what stands after everyone's placement."""
    game = story.game
    match one.act.kind:
        case "build":
            if gives_coins(game.box, one.card):
                receive(story, one.city, coins_of(game, one.city, game.box.cards[one.card].effects), one.card)
        case "stage":
            city = game.cities[one.city]
            effects = stage_effects(game.box, city, city.stages - 1)
            receive(story, one.city, coins_of(game, one.city, effects), f"stage:{city.stages}")
            for effect in effects:
                if isinstance(effect, Token):
                    age = int((one.act.option or "").removeprefix("age-")) if len(effect.ages) > 1 else effect.ages[0]
                    token_from_box(story, one.city, age)
        case _:
            receive(story, one.city, DISCARD_COINS, "discard")


# ---- extras -----------------------------------------------------------------------------------------------------------
def _deadline(story: Story) -> int | None:
    turn_ms = story.game.rules.turn_ms
    return None if turn_ms is None else story.at + turn_ms


def _ask(story: Story, question: str, city: int, offer: tuple[CardId, ...]) -> None:
    game = story.game
    seat = game.answerer(city)
    story.tell(
        f.ExtraAsked(
            at=story.at,
            by=GAME,
            question=question,  # type: ignore[arg-type]
            age=game.age,
            turn=game.turn,
            cities=(city,),
            seats=(seat,),
            offers=(Sealed(readers=(seat,), value=offer),),
            deadline=_deadline(story),
        )
    )


def _ask_last_card(story: Story) -> bool:
    """R40, R95: the last card of the hand, the Free City's from the bottom of the pile; no card, no question."""
    game = story.game
    if game.turn != TURNS:
        return False
    for seat, city in enumerate(game.cities):
        stages = game.box.faces[city.wonder, city.side].stages[: city.stages]
        if any(isinstance(effect, PlayLastCard) for stage in stages for effect in stage.effects):
            cards = game.pile[-1:] if seat == game.free else city.hand
            if cards:
                _ask(story, "last-card", seat, game.box.sorted(all_known(cards)))
                return True
    return False


def end_of_actions(story: Story) -> None:
    """All actions are done: at the sixth turn the leftovers go (R13), then picks (R41), then the hands pass or the Age ends."""
    if story.game.turn == TURNS:
        _leftovers(story)
    next_pick_or_pass(story)


def _leftovers(story: Story) -> None:
    """R13, R96: hand by hand, then the pile, face down and without coins."""
    for seat, city in enumerate(story.game.cities):
        for card in city.hand:
            sealed = Sealed(readers=(seat,), value=card)
            story.tell(f.CardDiscarded(at=story.at, by=GAME, city=seat, card=sealed, why="leftover"))  # type: ignore[arg-type]
    for card in story.game.pile:
        assert story.game.free is not None
        sealed = Sealed(readers=(), value=card)
        story.tell(
            f.CardDiscarded(at=story.at, by=GAME, city=story.game.free, card=sealed, why="pile", origin="pile")  # type: ignore[arg-type]
        )


def next_pick_or_pass(story: Story) -> None:
    """R41, R42: asks the next city that may build from the discard pile; whoever could build nothing is not asked."""
    game = story.game
    for seat in game.picks:
        if pickable(game, game.cities[seat], game.discard):
            _ask(story, "pick", seat, game.box.sorted(all_known(game.discard)))
            return
    if game.turn == TURNS:
        _end_age(story)
    else:
        pass_hands(story)


def resolve_answer(story: Story) -> None:
    """The one seat that was asked has answered: R40 or R41 is carried out and the turn goes on."""
    game = story.game
    phase = game.phase
    assert isinstance(phase, Extra)
    assert phase.answers[0] is not None
    answer, city = phase.answers[0], phase.cities[0]
    assert answer.act is not None
    openings = answers_opened(phase) if answer.act.kind in ("build", "pick", "decline") else answers_opened(phase)[:1]
    story.tell(f.ExtraRevealed(at=story.at, by=GAME, question=phase.question, age=game.age, turn=game.turn, openings=openings))
    match answer.act.kind:
        case "decline":
            next_pick_or_pass(story)
        case "pick":
            assert answer.card is not None
            story.tell(f.CardBuilt(at=story.at, by=GAME, city=city, card=answer.card, free="discard", origin="discard"))
            receive(story, city, coins_of(story.game, city, game.box.cards[answer.card].effects), answer.card)
            next_pick_or_pass(story)
        case _:
            assert answer.card is not None
            carry_out(story, [plan(game, city, answer.act, answer.card)], "pile" if city == game.free else "hand")
            end_of_actions(story)


# ---- passing ----------------------------------------------------------------------------------------------------------
def pass_hands(story: Story) -> None:
    """R6, R92: the hands go on and the next turn begins."""
    game = story.game
    hands, to = _passed(game)
    story.tell(
        f.HandsPassed(
            at=story.at,
            by=GAME,
            age=game.age,
            turn=game.turn + 1,
            to=to,
            size=len(hands[0]),
            hands=tuple([Sealed(readers=(seat,), value=hand) for seat, hand in zip(game.seats, hands, strict=True)]),
            holder=next_holder(game),
            deadline=_deadline(story),
        )
    )
    draw(story)


def _passed(game: Game) -> tuple[list[tuple[CardId, ...]], Literal["left", "right", "border"]]:
    """Each seat's next hand, and which way they go."""
    if game.free is not None:  # a drawn card stands at the end of its hand
        return [game.box.sorted(all_known(hand)) for hand in swapped(game)], "border"
    hands = [all_known(city.hand) for city in game.cities]
    if LEFTWARD[game.age - 1]:
        return [hands[-1], *hands[:-1]], "left"
    return [*hands[1:], hands[0]], "right"


def draw(story: Story) -> None:
    """R91: the holder draws the top of the pile; an empty pile gives nothing."""
    game = story.game
    if game.holder is not None and game.pile:
        top = game.pile[0]
        sealed = Sealed(readers=(game.holder,), value=top)
        story.tell(f.CardDrawn(at=story.at, by=GAME, seat=game.holder, card=sealed, left=len(game.pile) - 1))  # type: ignore[arg-type]


def _end_age(story: Story) -> None:
    """R74: conflicts, then the evaluation; a failure comes first if the table plays so."""
    game = story.game
    last: f.Owed = "score" if game.age == AGES else "deal"
    owed: tuple[f.Owed, ...] = ("conflicts", last)
    if game.edifice:
        first = game.rules.edifice_penalty == "before-conflicts" and fails(game)
        owed = ("edifice", "conflicts", last) if first else ("conflicts", "edifice", last)
    story.tell(f.AgeEnded(at=story.at, by=GAME, age=game.age, owed=owed))
