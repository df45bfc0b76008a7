"""The cards as one reads them on the table: a line a card, written down apart from the box's files.

Costs: one letter a unit (W wood, S stone, C clay, O ore, G glass, L loom, P papyrus), a digit for coins, "-" for nothing.
Effects: letters make something ("W/S" one of the two, "WW" two; "(...)": not for sale); "3p" points, "5c" coins, "2s" shields;
"@" a symbol; ":" what is counted, and where.
"""

from __future__ import annotations

from events.vocabulary import Resource

LETTERS: dict[str, Resource] = {
    "W": "wood", "S": "stone", "C": "clay", "O": "ore", "G": "glass", "L": "loom", "P": "papyrus",
}  # fmt: skip
COLOURS = {"brown": "raw", "grey": "manufactured", "blue": "civilian", "yellow": "commercial", "green": "scientific",
           "red": "military", "purple": "guild"}  # fmt: skip

# id                  Age colour cost effect copies free from
CARDS = """
lumber-yard           1 brown  -       W            34
stone-pit             1 brown  -       S            35
clay-pool             1 brown  -       C            35
ore-vein              1 brown  -       O            34
timber-yard           1 brown  1       W/S          3
clay-pit              1 brown  1       C/O          3
excavation            1 brown  1       S/C          4
forest-cave           1 brown  1       W/O          5
tree-farm             1 brown  1       W/C          6
mine                  1 brown  1       S/O          6
glassworks-1          1 grey   -       G            36
loom-1                1 grey   -       L            36
press-1               1 grey   -       P            36
altar                 1 blue   -       3p           35
theater               1 blue   -       3p           36
well                  1 blue   -       3p           47
baths                 1 blue   S       3p           37
tavern                1 yellow -       5c           457
east-trading-post     1 yellow -       east         37
west-trading-post     1 yellow -       west         37
marketplace           1 yellow -       market       36
stockade              1 red    W       1s           37
barracks              1 red    O       1s           35
guard-tower           1 red    C       1s           34
apothecary            1 green  L       @compass     35
workshop              1 green  G       @gear        37
scriptorium           1 green  P       @tablet      34
sawmill               2 brown  1       WW           34
quarry                2 brown  1       SS           34
brickyard             2 brown  1       CC           34
foundry               2 brown  1       OO           34
glassworks-2          2 grey   -       G            35
loom-2                2 grey   -       L            35
press-2               2 grey   -       P            35
aqueduct              2 blue   SSS     5p           37    baths
temple                2 blue   WCG     4p           36
statue                2 blue   WOO     4p           37    well
courthouse            2 blue   CCL     4p           35    scriptorium
forum                 2 yellow CC      (G/L/P)      367   east-trading-post west-trading-post
caravansery           2 yellow WW      (W/S/C/O)    356   marketplace
vineyard              2 yellow -       1c:brown:all 36
bazar                 2 yellow -       2c:grey:all  47
stables               2 red    WCO     2s           35    apothecary
archery-range         2 red    WWO     2s           36    workshop
walls                 2 red    SSS     2s           37
training-ground       2 red    WOO     2s           467
dispensary            2 green  OOG     @compass     34    apothecary
laboratory            2 green  CCP     @gear        35    workshop
library               2 green  SSL     @tablet      36    scriptorium
school                2 green  WP      @tablet      37
pantheon              3 blue   CCOGLP  7p           36    altar
gardens               3 blue   WCC     5p           34    theater
town-hall             3 blue   SSOG    6p           36
palace                3 blue   WSCOGLP 8p           37
senate                3 blue   WWSO    6p           35    library
lighthouse            3 yellow SG      1c1p:yellow  36    caravansery
haven                 3 yellow WOL     1c1p:brown   34    forum
chamber-of-commerce   3 yellow CCP     2c2p:grey    46
ludus                 3 yellow SO      3c1p:red     57
arena                 3 yellow SSO     3c1p:stage   35    dispensary
fortifications        3 red    COOO    3s           37    walls
circus                3 red    SSSO    3s           46    training-ground
arsenal               3 red    WWOL    3s           35
siege-workshop        3 red    WCCC    3s           35    laboratory
castrum               3 red    WCCP    3s           47
lodge                 3 green  CCLP    @compass     36    dispensary
observatory           3 green  OOGL    @gear        37    laboratory
university            3 green  WWGP    @tablet      34    library
academy               3 green  SSSG    @compass     37    school
study                 3 green  WLP     @gear        35    school
workers-guild         3 purple WSCOO   1p:brown:next  3
craftsmens-guild      3 purple SSOO    2p:grey:next   3
magistrates-guild     3 purple WWWSL   1p:blue:next   3
traders-guild         3 purple GLP     1p:yellow:next 3
spies-guild           3 purple CCG     1p:red:next    3
philosophers-guild    3 purple CCCLP   1p:green:next  3
shipowners-guild      3 purple WWWGP   1p:brown,grey,purple:own 3
scientists-guild      3 purple WWOOP   @any           3
decorators-guild      3 purple SOOL    7p:complete    3
builders-guild        3 purple SSSCCG  1p:stage:all   3
"""


class Row:
    """One line of the table, taken apart."""

    def __init__(self, line: str) -> None:
        self.card, age, colour, cost, self.effect, copies, *self.free_from = line.split()
        self.age, self.type = int(age), COLOURS[colour]
        self.units: tuple[Resource, ...] = tuple(LETTERS[letter] for letter in cost if letter in LETTERS)
        self.coins = int(cost) if cost.isdigit() else 0
        self.copies = tuple(int(digit) for digit in copies)


ROWS = {row.card: row for row in (Row(line) for line in CARDS.strip().splitlines())}
PRODUCERS: dict[Resource, str] = {
    "wood": "lumber-yard", "stone": "stone-pit", "clay": "clay-pool", "ore": "ore-vein", "glass": "glassworks-1", "loom": "loom-1",
    "papyrus": "press-1",
}  # fmt: skip
MAKERS = {facts: wonder for wonder, facts in {
    "alexandria": "glass", "babylon": "wood", "ephesos": "papyrus", "gizah": "stone", "halikarnassos": "loom", "olympia": "clay",
    "rhodos": "ore"}.items()}  # fmt: skip
