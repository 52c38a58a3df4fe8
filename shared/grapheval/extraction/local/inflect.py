"""English verb forms, as far as turning questions and participles into statements needs them."""

from __future__ import annotations

from grapheval.extraction.local.words import word_set

_IRREGULAR: dict[str, str] = dict(
    pair.split(":", 1)
    for pair in word_set(
        "arise:arose be:was become:became begin:began bend:bent bind:bound bite:bit blow:blew break:broke"
        " bring:brought build:built burn:burned buy:bought catch:caught choose:chose come:came cost:cost"
        " cut:cut deal:dealt dig:dug do:did draw:drew dream:dreamed drink:drank drive:drove eat:ate fall:fell"
        " feed:fed feel:felt fight:fought find:found flee:fled fly:flew forbid:forbade forget:forgot"
        " forgive:forgave freeze:froze get:got give:gave go:went grow:grew hang:hung have:had hear:heard"
        " hide:hid hit:hit hold:held hurt:hurt keep:kept know:knew lay:laid lead:led leave:left lend:lent"
        " let:let lie:lay light:lit lose:lost make:made mean:meant meet:met overcome:overcame pay:paid put:put"
        " quit:quit read:read ride:rode ring:rang rise:rose run:ran say:said see:saw seek:sought sell:sold"
        " send:sent set:set shake:shook shine:shone shoot:shot show:showed shut:shut sing:sang sink:sank"
        " sit:sat sleep:slept speak:spoke spend:spent split:split spread:spread stand:stood steal:stole"
        " stick:stuck strike:struck swear:swore swim:swam swing:swung take:took teach:taught tear:tore"
        " tell:told think:thought throw:threw understand:understood undergo:underwent wake:woke wear:wore"
        " win:won withdraw:withdrew write:wrote"
    )
)
_DOUBLING = word_set(
    "stop plan drop ban admit commit permit refer prefer occur submit transfer step ship trap rob grab beg nod slip"
)


def past(verb: str) -> str:
    """`write` -> `wrote`, `invent` -> `invented`."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith("e"):
        return low + "d"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ied"
    if low in _DOUBLING:
        return low + low[-1] + "ed"
    return low + "ed"


def third_person(verb: str) -> str:
    """`write` -> `writes`, `have` -> `has`."""
    low = verb.lower()
    if low in {"have", "do", "go", "be"}:
        return {"have": "has", "do": "does", "go": "goes", "be": "is"}[low]
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return low + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ies"
    return low + "s"


def past_of_gerund(gerund: str) -> str | None:
    """`earning` -> `earned`, `making` -> `made`; None where it is not clear."""
    low = gerund.lower()
    if not low.endswith("ing") or len(low) < 5:
        return None
    stem = low[:-3]
    for base in (stem, stem + "e", stem[:-1]):
        if base in _IRREGULAR and (base != stem[:-1] or stem[-1] == stem[-2]):
            return _IRREGULAR[base]
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        return stem[:-1] + "ied"
    return stem + "ed"
