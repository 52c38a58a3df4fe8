"""Vocabulary: verbs that mean another thing the other way round, roles, predicates, phrases."""
# ruff: noqa: SIM905 - word lists read better as one text

from __future__ import annotations


def _verbs(text: str) -> tuple[tuple[str, str], ...]:
    """Return (past, participle) pairs; a regular verb is written once."""
    return tuple((v.split("/")[0].strip(), v.split("/")[-1].strip()) for v in text.split(","))


PERSON_VERBS = _verbs(
    "praised, criticised, hired, dismissed, sued, defeated, rescued, followed, invited, warned, thanked, blamed, "
    "taught, interviewed, replaced, nominated, arrested, attacked, ignored, supported, mocked, visited, called, "
    "phoned, helped, betrayed, investigated, accused, forgave/forgiven, admired, feared, trusted, photographed, "
    "treated, examined, persuaded, convinced, chased, pushed, kicked, beat/beaten, overtook/overtaken, promoted, "
    "trained, coached, recommended, endorsed, welcomed, insulted, threatened, deceived, envied, supervised, "
    "represented, defended, quoted, sponsored, paid, employed, watched, drove home/driven home, recognised, "
    "reassured, obeyed, heard, saw/seen, found, painted, carried, interrupted, corrected, rejected, "
    "stopped, bit/bitten, "
    "outlived, adopted, raised, poisoned, robbed, shot, struck, hated, loved, missed, consulted, briefed, disarmed"
)
"""Between people."""

GROUP_VERBS = _verbs(
    "acquired, sued, outbid/outbid, supplied, financed, audited, licensed, overtook/overtaken, "
    "advised, copied, bought, "
    "rejected, sponsored, rescued, boycotted, defeated, invaded, attacked, supported, criticised, banned, funded, "
    "accused, fined, inspected, beat/beaten, paid, blocked, replaced, insured, outsold, overruled, thanked, founded, "
    "warned, hired, absorbed, recognised, ruled, occupied, evicted, nationalised, lobbied, praised, backed"
)
"""Between firms, teams, states and offices."""

THING_VERBS = _verbs(
    "caused, delayed, damaged, blocked, replaced, preceded, destroyed, hit/hit, triggered, hid/hidden, protected, "
    "crushed, worsened, eased, inspired, ended, followed, drowned out, weakened, fed/fed, ruined, halted, covered"
)
"""Between things and events."""

PEOPLE = (
    "the senator, the nurse, the lawyer, the professor, the goalkeeper, the mayor, the plumber, the violinist, "
    "the judge, the farmer, the editor, the captain, the widow, the witness, the intern, the surgeon, the coach, "
    "the tenant, the landlord, the driver, the cyclist, the pilot, the detective, the student, the baker, the poet, "
    "the guard, the prisoner, the chairman, the secretary, the ambassador, the general, the king, the bishop, "
    "the programmer, the waiter, the actress, the director, the neighbour, the teacher, the engineer, the banker, "
    "the refugee, the translator, the referee, the butcher, the carpenter, the architect, the grandmother, "
    "the younger brother, the new manager, the former minister, the chief executive, the police officer"
).split(", ")

GROUPS = (
    "the ministry, the union, the bank, the hospital, the council, the museum, the airline, the university, "
    "the court, the regulator, the club, the orchestra, the newspaper, the charity, the army, the party, "
    "the government, the insurer, the start-up, the board, the agency, the school, the parent company, the parliament"
).split(", ")

THINGS = (
    "the storm, the strike, the flood, the fire, the merger, the leak, the recession, the drought, the accident, "
    "the delay, the protest, the new law, the film, the novel, the bridge, the old wall, the virus, the power cut, "
    "the scandal, the avalanche, the railway, the dam, the software update, the price rise, the noise, the song, "
    "the war, the treaty, the exhibition, the landslide, the shortage, the epidemic, the riot, the tax cut"
).split(", ")

VERB_PHRASES = (
    "won the race, missed the train, bought a house, wrote the report, lost the election, sold the farm, "
    "resigned, moved abroad, learned Danish, broke a leg, married a dentist, opened a restaurant, paid the bill, "
    "called the police, signed the contract, left early, slept on the floor, repaired the roof, "
    "apologised, fell ill, passed the exam, sang two songs, received a medal, took the blame, found the keys, "
    "refused to comment, joined the navy, retired, studied law, voted against the plan, "
    "cooked dinner, grew up on an island, "
    "spent the winter in hospital, gave up smoking, climbed the tower, flew home, arrived late, asked for a loan, "
    "published a memoir, recovered quickly, kept the money, cancelled the order, "
    "planted forty trees, trained as a nurse"
).split(", ")
"""Things that one person did (simple past)."""

COMPARED = (
    "older|younger, taller|shorter, richer|poorer, faster|slower, stronger|weaker, heavier|lighter, happier|sadder, "
    "larger|smaller, louder|quieter, more experienced|less experienced, more expensive|cheaper, "
    "more popular|less popular, wealthier|less wealthy, busier|less busy, closer|farther away, earlier|later, "
    "warmer|colder, wider|narrower, deeper|shallower, safer|more dangerous, more reliable|less reliable"
).split(", ")

TIMES = (
    "on Monday, on Thursday evening, in March, in 1987, in 2014, last summer, two years ago, on 4 July, in the spring, "
    "during the war, at noon, before dawn, in the second half, at the age of 30, in the 1960s, "
    "yesterday, in late October, "
    "on New Year's Day, a decade later, in April 2003"
).split(", ")

PLACES = (
    "in court, at the airport, in a letter, at a press conference, in the garden, on the radio, at the annual meeting, "
    "in the final, outside the station, on the stairs, in front of the cameras, at a dinner, "
    "in the library, by the river"
).split(", ")

KIN = (
    "father|child, mother|child, teacher|pupil, employer|employee, landlord|tenant, boss|assistant, uncle|nephew, "
    "grandmother|grandchild, creditor|debtor, doctor|patient, mentor|protégé, predecessor|successor, parent|child"
).split(", ")

DIRECTIONS = ("north|south", "east|west", "south-east|north-west", "uphill|downhill", "upstream|downstream")

COUNTED = (
    "scored # points, sold # tickets, raised # dollars, planted # trees, has # employees, won # seats, lost # matches, "
    "opened # shops, caught # fish, received # votes, read # books, served # meals, owns # buses, wrote # letters"
).split(", ")

OBJECTS = (
    "a bicycle, the keys, a rare stamp, the house, an old map, ten euros, a letter, the recipe, a horse, the contract, "
    "a puppy, the painting, some seeds, a guitar, the ring, a used car, the documents, a bottle of wine, the money"
).split(", ")

GIVING = (
    "gave|was given|received, sold|was sold|bought, sent|was sent|received, lent|was lent|borrowed, "
    "handed|was handed|got, left|was left|inherited, mailed|was mailed|received"
).split(", ")
"""`A gave B x`, `B was given x by A`, `B received x from A`."""

FULL_NAMES = (
    "Nora Lindqvist, Paulo Mendes, Ingrid Falk, Samir Haddad, Joan Whitlock, Tomas Havel, Akiko Mori, Ruth Abara, "
    "Erik Solberg, Maya Castellan, Oskar Brandt, Leila Nasser"
).split(", ")
"""People, firms and towns for texts that name too few."""

FIRMS = (
    "Northwind, Solvana, Kestrel Foods, Brightwater, Omnicar, Halden Steel, Lumenta, Parvex, Trillgate, Auremont".split(
        ", "
    )
)

TOWNS = "Lisbon, Gdansk, Tampere, Kigali, Valencia, Osaka, Bergen, Quito, Leeds, Smyrna, Durban, Ghent".split(", ")
