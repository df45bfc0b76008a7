"""Who won which border at the end of an Age."""

from __future__ import annotations

from events import facts as f
from events.refusals import Reason, Refusal
from events.rules.effects import shields
from events.rules.state import Closing
from events.rules.story import GAME, Story
from events.vocabulary import DEFEAT, VICTORY, left_of, right_of


def resolve_conflicts(story: Story) -> None:
    """R50: two comparisons a city, once an Age; the left one's token is taken first."""
    game = story.game
    if not (isinstance(game.phase, Closing) and game.phase.owed[:1] == ("conflicts",)):
        raise Refusal(Reason.NOTHING_DUE, "No conflicts are due.")
    n = len(game.cities)
    strength = [shields(game.box, city) for city in game.cities]

    def compare(city: int, neighbour: int) -> f.Comparison:
        own, theirs = strength[city], strength[neighbour]
        token = 0 if own == theirs else VICTORY[game.age - 1] if own > theirs else DEFEAT
        return f.Comparison(neighbour=neighbour, own=own, theirs=theirs, token=token)

    results = tuple(
        f.CityConflicts(
            city=city, shields=strength[city], left=compare(city, left_of(city, n)), right=compare(city, right_of(city, n))
        )
        for city in range(n)
    )
    story.tell(f.ConflictsResolved(at=story.at, by=GAME, age=game.age, cities=results))
