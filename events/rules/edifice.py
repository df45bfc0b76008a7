"""The Edifice: who may join a project, and what its completion or failure does to whom."""

from __future__ import annotations

from events import facts as f
from events.catalogue.things import Coins, DiscardBuilding, DropDefeats, LoseCoins, LoseVictoryTokens, Project, VictoryToken
from events.refusals import Reason, Refusal
from events.rules.effects import receive
from events.rules.state import Closing, Extra, Game
from events.rules.story import GAME, Story
from events.sealed import Opening, exact
from events.vocabulary import AGES, DEBT, CardId


def project_of(game: Game, age: int | None = None) -> Project:
    """The project of an Age (by default the current one)."""
    return game.box.projects[game.edifice[(age or game.age) - 1].project]


def project_coins(game: Game) -> int:
    """What joining the current project costs."""
    return project_of(game).coins


def why_not_join(game: Game, seat: int) -> Reason | None:
    """Why a city cannot take a token with a stage now, money apart (R62, R63); None if it can."""
    if not game.edifice:
        return Reason.EDIFICE_OFF
    if game.age in game.cities[seat].participates:
        return Reason.ALREADY_PARTICIPATING
    return Reason.NO_TOKEN_LEFT if game.edifice[game.age - 1].tokens == 0 else None


def may_join(game: Game, seat: int) -> bool:
    """Whether a city can take a token with a stage now, money apart."""
    return bool(game.edifice) and why_not_join(game, seat) is None


def take_token(story: Story, seat: int) -> None:
    """R62, R63: a token of the current project; spares come from the box when more pay than tokens are left."""
    game = story.game
    left = game.edifice[game.age - 1].tokens
    story.tell(
        f.ParticipationTaken(
            at=story.at,
            by=GAME,
            city=seat,
            age=game.age,
            project=game.edifice[game.age - 1].project,
            left=max(0, left - 1),
            box=left == 0,
        )
    )


def token_from_box(story: Story, seat: int, age: int) -> None:
    """R73: Ur's token.  Nothing of a failed project or of an Age whose token the city has held; of a completed one the reward."""
    game = story.game
    project = game.edifice[age - 1]
    if project.state == "failed" or age in game.cities[seat].participates:
        return
    story.tell(
        f.ParticipationTaken(at=story.at, by=GAME, city=seat, age=age, project=project.project, left=project.tokens, box=True)
    )
    if project.state == "completed":
        _reward(story, seat, age)


def complete_at_once(story: Story) -> None:
    """R64 with `at-once`: the last token is gone, the holders are rewarded before anything else happens."""
    game = story.game
    if not game.edifice or game.rules.edifice_reward != "at-once":
        return
    project = game.edifice[game.age - 1]
    if project.state == "open" and project.tokens == 0:
        _complete(story)


def _holders(game: Game) -> tuple[int, ...]:
    return tuple(seat for seat, city in enumerate(game.cities) if game.age in city.participates)


def _complete(story: Story) -> None:
    game = story.game
    holders = _holders(game)
    story.tell(f.EdificeCompleted(at=story.at, by=GAME, age=game.age, project=project_of(game).id, holders=holders))
    for seat in holders:
        _reward(story, seat, game.age)


def _reward(story: Story, seat: int, age: int) -> None:
    """R64, R69, R70: what lasts is kept as the project's name; tokens and coins come now.  Nothing is granted twice."""
    game = story.game
    project = project_of(game, age)
    if project.id in game.cities[seat].rewards:  # only in a position set up by hand
        return
    tokens = tuple(effect.points for effect in project.reward if isinstance(effect, VictoryToken))
    drops = any(isinstance(effect, DropDefeats) for effect in project.reward)
    dropped = sum(token < 0 for token in game.cities[seat].tokens) if drops else 0
    story.tell(f.RewardGranted(at=story.at, by=GAME, city=seat, project=project.id, tokens=tokens, dropped=dropped))
    receive(story, seat, sum(effect.amount for effect in project.reward if isinstance(effect, Coins)), project.id)


def fails(game: Game) -> bool:
    """Whether a token is left on the Age's project (R65)."""
    return game.edifice[game.age - 1].tokens > 0


def candidates(game: Game, seat: int) -> tuple[CardId, ...]:
    """The buildings that a city can lose to the Age's discard penalty (R67), in catalogue order; () if that is not the penalty."""
    penalty = project_of(game).penalty
    if not isinstance(penalty, DiscardBuilding):
        return ()
    box = game.box
    return box.sorted([card for card in game.cities[seat].built if box.cards[card].type == penalty.type])


def evaluate_edifice(story: Story) -> None:
    """R64-R68, R72: completed, failed with penalties, or (first) the question which building is lost."""
    game = story.game
    phase = game.phase
    if isinstance(phase, Extra) and phase.question == "lose" and all(phase.answers):
        lost = {city: answer.card for city, answer in zip(phase.cities, phase.answers, strict=True) if answer}
        story.tell(
            f.ExtraRevealed(at=story.at, by=GAME, question="lose", age=game.age, turn=game.turn, openings=answers_opened(phase))
        )
        _penalise(story, lost)
    elif isinstance(phase, Closing) and phase.owed[:1] == ("edifice",):
        if game.edifice[game.age - 1].state == "open":
            if not fails(game):
                _complete(story)
            elif _fail(story):
                return
    else:
        raise Refusal(Reason.NOTHING_DUE, "No evaluation of the Edifice is due.")
    _evaluated(story)


def answers_opened(phase: Extra) -> tuple[Opening, ...]:
    """Openings of every act and card of a question's answers."""
    openings: list[Opening] = []
    for answer in phase.answers:
        assert answer is not None
        assert answer.act is not None
        openings.append(Opening(version=answer.version, path="act", bytes=exact(answer.act).decode()))
        card = f.CardValue(card=answer.card, signature=answer.card_signature)
        openings.append(Opening(version=answer.version, path="card", bytes=exact(card).decode()))
    return tuple(openings)


def _evaluated(story: Story) -> None:
    game = story.game
    last: f.Owed = "score" if game.age == AGES else "deal"
    failed_first = game.edifice[game.age - 1].state == "failed" and game.rules.edifice_penalty == "before-conflicts"
    owed: tuple[f.Owed, ...] = ("conflicts", last) if failed_first else (last,)
    story.tell(f.EdificeEvaluated(at=story.at, by=GAME, age=game.age, project=project_of(game).id, owed=owed))


def _fail(story: Story) -> bool:
    """R65: says who is penalised; True if cities must first choose what to lose (R67)."""
    game = story.game
    holders = _holders(game)
    penalised = tuple(seat for seat in range(len(game.cities)) if seat not in holders)
    story.tell(
        f.EdificeFailed(
            at=story.at,
            by=GAME,
            age=game.age,
            project=project_of(game).id,
            left=game.edifice[game.age - 1].tokens,
            holders=holders,
            penalised=penalised,
        )
    )
    asked = tuple(seat for seat in penalised if len(candidates(game, seat)) > 1)
    if not asked:
        _penalise(story, {})
        return False
    story.tell(
        f.ExtraAsked(
            at=story.at,
            by=GAME,
            question="lose",
            age=game.age,
            turn=game.turn,
            cities=asked,
            seats=tuple(game.answerer(city) for city in asked),
            offers=(),
            deadline=None if game.rules.turn_ms is None else story.at + game.rules.turn_ms,
        )
    )
    return True


def _penalise(story: Story, lost: dict[int, CardId | None]) -> None:
    """R66: in seat order, each penalty whole or one Debt token."""
    game = story.game
    holders = _holders(game)
    for seat in range(len(game.cities)):
        if seat not in holders:
            _suffer(story, seat, lost.get(seat))


def _suffer(story: Story, seat: int, chosen: CardId | None) -> None:
    game = story.game
    city, project = game.cities[seat], project_of(game)
    suffered = f.PenaltySuffered(at=story.at, by=GAME, city=seat, project=project.id, kind="debt", debt=DEBT[game.age - 1])
    match project.penalty:
        case LoseCoins(amount=amount) if city.coins >= amount:
            suffered = f.PenaltySuffered(at=story.at, by=GAME, city=seat, project=project.id, kind="coins", coins=amount)
        case DiscardBuilding():
            card = chosen or next(iter(candidates(game, seat)), None)
            if card is not None:
                suffered = f.PenaltySuffered(at=story.at, by=GAME, city=seat, project=project.id, kind="discard", card=card)
        case LoseVictoryTokens(amount=amount):
            lowest = tuple(sorted(token for token in city.tokens if token > 0)[:amount])  # R68
            if len(lowest) == amount:
                suffered = f.PenaltySuffered(at=story.at, by=GAME, city=seat, project=project.id, kind="tokens", tokens=lowest)
        case _:
            pass
    story.tell(suffered)
