"""Word lists of the explicit comparison: opposites, hedges, negations, names that stand for one another."""

# ruff: noqa: SIM905 - word lists read better as text

from __future__ import annotations

NEGATIONS = frozenset("not no never nor neither none nobody nothing without cannot t".split())
"""As `words_of` gives them: "didn't" is "didn" and "t"."""

DENIALS = NEGATIONS | frozenset(
    "hardly barely unable unlikely fail fails failed failing deny denies denied refuse refuses refused reject rejects "
    "rejected rather instead lack lacks lacked lacking stop stops stopped prevent prevents prevented ban bans banned "
    "false impossible avoid avoids avoided few little least zero ex former except neither".split()
)
"""Negations, and words that a negated claim may rest on."""

HEDGES = frozenset(
    "may might could possibly perhaps maybe allegedly reportedly supposedly considering considers proposed proposes "
    "hopes hoping hoped plans planning likely probably potentially apparently rumoured rumored".split()
)
"""What makes a statement less than certain. A claim without any, of a passage with one, says more than it."""

UNCERTAIN = HEDGES | frozenset(
    "can would should if whether unless expected expects plan planned intend intends aim aims "
    "suspected believed thought alleged potential possible hope propose consider considered seek seeks want wants "
    "try tries unlikely".split()
)
"""Hedges, and what else leaves a claim open: one that has any of them is not more certain than the passage."""

_OPPOSITES = """
open/closed open/shut opened/closed opens/closes opening/closing opening/closure rise/fall rose/fell risen/fallen
increase/decrease increase/reduce increase/drop increased/decreased increased/reduced up/down more/less more/fewer
higher/lower high/low highest/lowest most/least best/worst better/worse largest/smallest larger/smaller bigger/smaller
big/small great/small long/short longer/shorter old/young older/younger oldest/youngest old/new early/late earlier/later
before/after first/last win/lose won/lost winner/loser victory/defeat success/failure succeed/fail succeeded/failed
accept/reject accepted/rejected approve/reject approved/rejected allow/ban allowed/banned allow/forbid permit/forbid
permit/prohibit legal/illegal guilty/innocent convicted/acquitted alive/dead survived/died born/died male/female
man/woman men/women boy/girl boys/girls husband/wife mother/father son/daughter brother/sister king/queen
north/south east/west northern/southern eastern/western left/right inside/outside above/below
over/under top/bottom front/back start/end started/ended begin/end began/ended start/finish hot/cold warm/cold wet/dry
hard/soft heavy/light dark/bright fast/slow faster/slower strong/weak stronger/weaker rich/poor safe/dangerous
safe/unsafe healthy/sick true/false right/wrong correct/incorrect possible/impossible able/unable happy/unhappy
happy/sad likely/unlikely public/private buy/sell bought/sold import/export imports/exports enter/leave entered/left
arrive/depart arrived/departed join/leave joined/left hire/fire hired/fired appointed/dismissed arrest/release
arrested/released jailed/freed add/remove added/removed include/exclude included/excluded includes/excludes
including/excluding include/except support/oppose supported/opposed supports/opposes agree/disagree agreed/disagreed
praise/criticise praised/criticised praised/criticized confirm/deny confirmed/denied admit/deny admitted/denied
love/hate liked/disliked encourage/discourage enable/disable enabled/disabled on/off maximum/minimum free/paid
full/empty clean/dirty positive/negative profit/loss gain/loss gained/lost grow/shrink grew/shrank expand/contract
expanded/contracted same/different similar/different domestic/foreign married/divorced married/unmarried lend/borrow
attack/defend attacked/defended permanent/temporary temporary/permanent always/never all/none everyone/nobody
improve/worsen improved/worsened advantage/disadvantage benefit/harm send/receive sent/received teach/learn
upper/lower odd/even deep/shallow wide/narrow thick/thin liquid/solid visible/invisible known/unknown
""".split()

OPPOSITES: dict[str, frozenset[str]] = {}
"""By word in lower case, as written: the words that say the opposite."""
for _pair in _OPPOSITES:
    _one, _other = _pair.split("/")
    OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
    OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}

_ALIASES = """
us usa america american americans united-states united-states-of-america
uk britain british great-britain united-kingdom briton britons
eu european-union
un united-nations
uae united-arab-emirates emirati
ussr soviet soviet-union
drc congo
nyc new-york-city
la los-angeles
dc washington
england english englishman
scotland scottish scot scots
wales welsh welshman
ireland irish irishman
france french frenchman
spain spanish spaniard
netherlands dutch holland
greece greek greeks
denmark danish dane danes
sweden swedish swede swedes
finland finnish finn finns
poland polish pole poles
turkey turkish turk turks turkiye
switzerland swiss
china chinese prc
japan japanese
thailand thai
portugal portuguese
argentina argentine argentinian
afghanistan afghan afghans
new-zealand kiwi kiwis
philippines filipino filipinos philippine
peru peruvian
cyprus cypriot
iceland icelandic
czech czechia czech-republic
myanmar burma burmese
pm prime-minister premier
mp member-of-parliament
tv television
dr doctor
st saint
mt mount
ft fort
nba national-basketball-association
fbi federal-bureau-of-investigation
"""
ALIASES: dict[str, tuple[str, ...]] = {
    name.replace("-", " "): tuple(other.replace("-", " ") for other in line.split() if other != name)
    for line in _ALIASES.strip().splitlines()
    for name in line.split()
}
"""By name in lower case: the names that stand for the same."""

_NICKNAMES = """
william bill will billy willie liam
robert bob rob bobby robbie
richard dick rick rich ricky
james jim jimmy jamie
john jack johnny jon jonathan
michael mike mick mickey
thomas tom tommy
joseph joe joey
edward ed eddie ted ned
charles charlie chuck
david dave davey
daniel dan danny
matthew matt
christopher chris
anthony tony
andrew andy drew
nicholas nick nicky
steven stephen steve
kenneth ken kenny
ronald ron ronnie
donald don donnie
gregory greg
jeffrey jeff geoffrey geoff
timothy tim
benjamin ben
samuel sam
alexander alex alec sandy
peter pete
patrick pat paddy
lawrence larry laurence
gerald gerry jerry
frederick fred freddie
elizabeth liz beth betty lizzie eliza
katherine catherine kate kathy katie cathy
margaret maggie meg peggy
susan sue susie
deborah debbie deb
jennifer jen jenny
rebecca becky
victoria vicky
philip phil phillip
vincent vince
theodore theo
zachary zach zack
"""
NICKNAMES: dict[str, frozenset[int]] = {}
for _number, _line in enumerate(_NICKNAMES.split("\n")):
    for _name in _line.split():
        NICKNAMES[_name] = NICKNAMES.get(_name, frozenset()) | {_number}

TITLES = frozenset(
    "mr mrs ms miss dr sir lord lady dame prof professor president prime minister king queen prince princess pope "
    "captain capt colonel col general gen lieutenant lt sergeant sgt judge justice senator sen rev reverend "
    "chancellor mayor governor gov councillor cllr detective inspector constable".split()
)
"""Words before a name that passages often leave out."""
