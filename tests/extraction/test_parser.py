"""What language models write, and what the parser must read in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grapheval.extraction.parser import MAX_REPLY_CHARS, parse_triples
from grapheval.types import Extraction, Outcome, Reason

OSLO = ("Oslo", "is the capital of", "Norway")
MARIE = ("Marie Curie", "was born in", "Warsaw, Poland")


def triples(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(t.subject, t.relation, t.object) for t in extraction.triples]


def reasons(extraction: Extraction) -> list[str]:
    return [item.reason for item in extraction.rejected]


BOTH = [OSLO, MARIE]
JSON_LISTS = '[["Oslo", "is the capital of", "Norway"], ["Marie Curie", "was born in", "Warsaw, Poland"]]'
JSON_OBJECTS = (
    '[{"subject": "Oslo", "relation": "is the capital of", "object": "Norway"}, '
    '{"subject": "Marie Curie", "relation": "was born in", "object": "Warsaw, Poland"}]'
)


@pytest.mark.parametrize(
    "reply",
    [
        JSON_LISTS,
        JSON_OBJECTS,
        f"<python>\n{JSON_LISTS}\n</python>",
        f"<kg>{JSON_LISTS}</kg>",
        f"<triples>{JSON_OBJECTS}</triples>",
        f"Sure! Here they are:\n\n```json\n{JSON_LISTS}\n```\n\nLet me know (any time) if [more] is needed.",
        f"```\n{JSON_OBJECTS}\n```",
        f'<think>First [["a draft", "is", "wrong"]].\nThen better.</think>\n{JSON_LISTS}',
        f"Some thoughts without an opening tag. ['x', 'y', 'z']\n</think>\n\n{JSON_LISTS}",
        f"<think>why</think><python>{JSON_LISTS}</python> That [1] is (nearly) all.",
        f'{{"triples": {JSON_LISTS}}}',
        f'{{"knowledge_graph": {{"nodes": ["Oslo", "Norway"], "edges": {JSON_OBJECTS}}}}}',
        JSON_LISTS.replace("[[", "[(").replace("], [", "), (").replace("]]", "),]"),
        JSON_LISTS.replace('"', "'"),
        "triples: list[tuple[str, str, str]] = " + JSON_LISTS,
        JSON_LISTS.replace("], [", "],\n  # the second, a person\n  ["),
        JSON_LISTS.replace("], [", "]\n["),  # the comma is missing
        JSON_LISTS[1:-1].replace("], [", "]\n["),  # JSON lines
        "\n".join(json.dumps(dict(zip(("head", "predicate", "tail"), t, strict=True))) for t in BOTH),
        json.dumps([{"source": {"id": s}, "type": r, "target": {"id": o, "type": "City"}} for s, r, o in BOTH]),
        json.dumps([{"Head Entity": s, "Relationship": r, "Tail Entity": o, "confidence": 0.9} for s, r, o in BOTH]),
        json.dumps([{"triple": list(t)} for t in BOTH]),
        json.dumps({f"triple_{i}": list(t) for i, t in enumerate(BOTH)}),
        '[Triple(subject="Oslo", relation="is the capital of", object="Norway"),\n'
        ' Triple(subject="Marie Curie", relation="was born in", object="Warsaw, Poland")]',
        json.dumps(JSON_LISTS),  # a JSON string that holds JSON
        JSON_LISTS.replace('"', "&quot;"),
        JSON_LISTS.replace('["', "[“").replace('"]', "”]").replace('", "', "”, “"),
        JSON_LISTS.replace('"', '"""'),
        json.dumps([" | ".join(t) for t in BOTH]),
        "\n".join(" | ".join(t) for t in BOTH),
        "\n".join("\t".join(t) for t in BOTH),
        "\n".join(f"{i}. " + " -> ".join(t) for i, t in enumerate(BOTH, 1)),
        "\n".join("* " + " → ".join(t) for t in BOTH),
        "\n".join(f"({s})-[:{r}]->({o})" for s, r, o in BOTH),
        "\n".join(f"- ({'; '.join(t)})" for t in BOTH),
        "<kg>\n" + "\n".join("; ".join(t) for t in BOTH) + "\n</kg>",
        "Here you are:\n" + "\n".join("; ".join(t) for t in BOTH),
        "\n".join(", ".join(json.dumps(part) for part in t) for t in BOTH),
        "| # | Subject | Relation | Object |\n|---|:--|:--|--:|\n"
        + "\n".join(f"| {i} | {s} | {r} | {o} |" for i, (s, r, o) in enumerate(BOTH)),
        "\n\n".join(f"**Subject:** {s}\n**Relation:** {r}\n**Object:** {o}" for s, r, o in BOTH),
        "\n".join(f"- subject: {s}\n  predicate: {r}\n  object: {o}" for s, r, o in BOTH),
        "\n".join(f"Subject: {s} | Relation: {r} | Object: {o}" for s, r, o in BOTH),
        "".join(
            f"<triple><subject>{s}</subject><relation>{r}</relation><object>{o}</object></triple>" for s, r, o in BOTH
        ),
    ],
)
def test_every_style_reads_the_same(reply: str) -> None:
    extraction = parse_triples(reply)
    assert triples(extraction) == BOTH
    assert extraction.outcome is Outcome.OK
    assert extraction.raw == reply
    assert extraction.claims[0].text == "Oslo is the capital of Norway"
    assert extraction.claims[0].span is None


@pytest.mark.parametrize(
    "reply",
    ["(Oslo, lies in, Norway)", "[Oslo, lies in, Norway]", "Oslo | lies in | Norway", "<kg>Oslo, lies in, Norway</kg>",
     "“Oslo”, “lies in”, “Norway”", "{Oslo, lies in, Norway}", "[(Oslo, lies in, Norway)]", '("Oslo", "lies in", "Norway")'],
)  # fmt: skip
def test_one_triple(reply: str) -> None:
    assert triples(parse_triples(reply)) == [("Oslo", "lies in", "Norway")]


VALUES = [
    "O'Brien", "the dogs' owner", 'the "Big" one', "f(x) = [1, 2]", "a, b, and c", "x; y", "50 %", "C:\\temp", "{name}",
    '{"id": 7}', "“quoted”", "l’été", "tab\there", "two\nlines", "Zürich — 東京", "𝄞 clef", "</python>", "```code```",
    "it's \"both\"", "a|b", "-> arrow", "null", "3.5", "# 1", "[1]", "rock 'n' roll",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("style", ["json", "python", "tuple", "object", "tagged", "fenced"])
def test_values_survive_exactly(value: str, style: str) -> None:
    rows = [["Anna", "wrote", value], [f"{value} too", "is by", "Anna"]]
    if style == "object":
        reply = json.dumps([dict(zip(("subject", "relation", "object"), row, strict=True)) for row in rows])
    elif style == "json":
        reply = json.dumps(rows, ensure_ascii=False)
    elif style == "tagged":
        reply = f"Thus:\n<python>{json.dumps(rows)}</python>\nDone, [as] 'asked'."
    elif style == "fenced":
        reply = f"Thus:\n```json\n{json.dumps(rows, indent=1)}\n```\nDone, [as] 'asked'."
    else:
        reply = repr(rows if style == "python" else [tuple(row) for row in rows])
    assert triples(parse_triples(reply)) == [tuple(row) for row in rows]


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("[['O'Brien', 'was born in', 'Cork']]", "O'Brien"),
        ('[["The "Big" one", "is", "old"]]', 'The "Big" one'),
        ("[['the workers' rights', 'are', 'old']]", "the workers' rights"),
        ("[['array['a'] here', 'is', 'old']]", "array['a'] here"),
        (r"""[["a \"b\" c\u00e9", "is", "old"]]""", 'a "b" cé'),
        (r'[["\ud834\udd1e", "is", "old"]]', "𝄞"),
        (r'[["half \ud834", "is", "old"]]', "half \ufffd"),
        (r'[["regex \d+", "is", "old"]]', r"regex \d+"),
    ],
)
def test_quotes_that_nobody_escaped_and_escapes(reply: str, value: str) -> None:
    assert [t.subject for t in parse_triples(reply).triples] == [value]


def test_bad_items_are_reported_and_good_ones_kept() -> None:
    reply = json.dumps(
        [
            ["Oslo", "is the capital of", "Norway"],
            ["Oslo", "Norway"],
            ["Oslo", "has", None],
            ["Oslo", "has", ["fjords", "hills"]],
            ["Oslo", "", "Norway"],
            ["Oslo", "was founded in", 1048],
            ["a", "b", "c", "d"],
            "just a string",
            {"subject": "Oslo", "object": "Norway"},
            {"subject": "Oslo", "relation": None, "object": "Norway"},
            ["OSLO", "is the  capital of", "norway"],
            ["subject", "relation", "object"],
            ["-", "is", "?"],
            [],
        ]
    )
    extraction = parse_triples(reply)
    assert triples(extraction) == [OSLO, ("Oslo", "was founded in", "1048")]
    assert reasons(extraction) == [
        "a single value, not a triple",
        "2 values, a triple has 3",
        "a part is null",
        "a part is a list or an object",
        "a part is empty",
        "4 values, a triple has 3",
        "no relation",
        "the relation is null, a list or an object",
        "duplicate",
        "names of the parts, not a triple",
        "a part has no word or number in it",
    ]
    assert extraction.outcome is Outcome.OK


SIX = [[f"Person {i}", "was born in", f"Town {i}"] for i in range(6)]


@pytest.mark.parametrize("wrap", ["{}", "<python>{}", "```json\n{}", "<think>hm</think>Sure:\n{}", '{{"triples": {}'])
@pytest.mark.parametrize("lost", [2, 6, 12, 20, 30])
def test_cut_off_in_the_sixth_keeps_five(wrap: str, lost: int) -> None:
    extraction = parse_triples(wrap.format(json.dumps(SIX)[:-lost]))
    assert triples(extraction) == [tuple(row) for row in SIX[: 5 if lost > 2 else 6 if lost == 1 else 5]]
    assert extraction.outcome is Outcome.INCOMPLETE
    assert extraction.reason is Reason.LENGTH_STOP
    assert reasons(extraction) == ["cut off"]


def test_cut_off_between_items_and_in_lines_and_objects() -> None:
    between = parse_triples('[["a", "is", "b"], ["c", "is", "d"],')
    assert (len(between.triples), between.outcome) == (2, Outcome.INCOMPLETE)
    lines = parse_triples("a | is | b\nc | is | d\ne | is")
    assert (len(lines.triples), lines.outcome, reasons(lines)) == (2, Outcome.INCOMPLETE, ["2 values, a triple has 3"])
    objects = parse_triples('[{"subject": "a", "relation": "is", "object": "b"}, {"subject": "c", "rel')
    assert (len(objects.triples), objects.outcome, reasons(objects)) == (1, Outcome.INCOMPLETE, ["cut off"])
    thoughts = parse_triples('<think>Perhaps [["a", "is", "b"]], or else')
    assert (thoughts.triples, thoughts.outcome, thoughts.reason) == ((), Outcome.NO_CLAIMS, Reason.LENGTH_STOP)
    first = parse_triples('[["a", "is')
    assert (first.triples, first.outcome, first.reason) == ((), Outcome.NO_CLAIMS, Reason.LENGTH_STOP)


@pytest.mark.parametrize(
    "reply", ["[]", "<python>[]</python>", "```json\n[]\n```", '{"triples": []}', "Sure.\n<kg>[]</kg>"]
)
def test_an_explicit_empty_list_is_no_failure(reply: str) -> None:
    extraction = parse_triples(reply)
    assert (extraction.claims, extraction.outcome) == ((), Outcome.NO_CLAIMS)
    assert extraction.reason is Reason.NOTHING_TO_CHECK


@pytest.mark.parametrize(
    "reply",
    [
        "", None, "  \n", "I'm sorry, but I can't help with that.", "Yes, I know, thanks.", "The list [] is empty, I think.",
        "The cities (Oslo, Bergen, and others) are old [1], see (a) and (b).", "申し訳ありませんが、できません。",
        "First, I read it; then, I thought; finally, I wrote.\nIt was, well, hard.", "<answer>No, sorry, I cannot.</answer>",
        "<python></python>", "Use `[x]` or {name} here. {0}", "{'}'.join(x)}", "Hello :-) <- that -> was it?",
    ],
)  # fmt: skip
def test_prose_is_not_an_empty_graph(reply: str | None) -> None:
    extraction = parse_triples(reply)
    assert (extraction.claims, extraction.outcome) == ((), Outcome.NO_CLAIMS)
    assert extraction.reason in {Reason.NO_TRIPLES, Reason.UNPARSEABLE}
    assert extraction.raw == (reply or "")


def test_items_without_one_good_one_are_unparseable() -> None:
    extraction = parse_triples('<python>[["Oslo", "Norway"], [null, null, null]]</python>')
    assert (extraction.outcome, extraction.reason) == (Outcome.NO_CLAIMS, Reason.UNPARSEABLE)
    assert reasons(extraction) == ["2 values, a triple has 3", "a part is null"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('[["a", "is", "b", ["c", "is", "d"]]', [("a", "is", "b"), ("c", "is", "d")]),
        ('[["a", "is", "b"), ("c", "is", "d"]]', [("a", "is", "b"), ("c", "is", "d")]),
        ('["a", "is, b]\n["c", "is", "d"]', [("c", "is", "d")]),
        ('[[["a", "is", "b"]], [[["c", "is", "d"]]]]', [("a", "is", "b"), ("c", "is", "d")]),
        ("[[Anna, has, 1,200 books], [Anna, lives in, Bonn (Germany)]]",
         [("Anna", "has", "1,200 books"), ("Anna", "lives in", "Bonn (Germany)")]),
        ("[{subject: Anna, relation: lives in, object: Bonn}]", [("Anna", "lives in", "Bonn")]),
    ],
)  # fmt: skip
def test_brackets_that_do_not_match(reply: str, expected: list[tuple[str, str, str]]) -> None:
    assert triples(parse_triples(reply)) == expected


def test_code_is_never_run(tmp_path: object) -> None:
    reply = "[['a', 'is', __import__('os').getcwd()], ['b', 'is', 'c']]"
    extraction = parse_triples(reply)
    assert ("b", "is", "c") in triples(extraction)
    assert "/" not in str(triples(extraction)).replace("__import__('os').getcwd()", "")


@pytest.mark.parametrize(
    "unit", ["[", "[(", '["', "['a',", "<kg>", "```\n", '"', " ", '[{"a":', "(a, ", "\\", "[a(", "|"]
)
def test_a_megabyte_of_anything(unit: str) -> None:
    extraction = parse_triples(unit * (300_000 // len(unit)))
    assert extraction.claims == ()
    assert extraction.outcome is Outcome.NO_CLAIMS


def test_a_megabyte_of_brackets_around_good_triples() -> None:
    deep = "[" * 500_000 + '"a", "is", "b"' + "]" * 499_900
    assert triples(parse_triples(deep)) == [("a", "is", "b")]


def test_what_is_behind_the_limit_is_said() -> None:
    extraction = parse_triples('[["a", "is", "b"]]' + " " * MAX_REPLY_CHARS + '[["c", "is", "d"]]')
    assert triples(extraction) == [("a", "is", "b")]
    assert (extraction.outcome, extraction.reason) == (Outcome.INCOMPLETE, Reason.LENGTH_STOP)
    assert "not read" in reasons(extraction)[-1]


def test_rejected_items_are_counted_not_all_listed() -> None:
    extraction = parse_triples(json.dumps([["only", str(i)] for i in range(1000)]))
    assert len(extraction.rejected) == 201
    assert extraction.rejected[-1].reason == "800 more items are not listed"


PIECES = st.sampled_from(
    ["[", "]", "(", ")", "{", "}", '"', "'", ",", ":", "\\", "\n", " ", "a", "null", "<kg>", "</kg>", "```", "<think>",
     "</think>", "|", "->", "subject", "“", "”", "1", "…", "\ud800", "\x00", "ا"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=80))
def test_arbitrary_text_never_raises(text: str) -> None:
    extraction = parse_triples(text)
    assert all(part.strip() for triple in triples(extraction) for part in triple)
    assert (extraction.outcome is Outcome.OK) == (bool(extraction.triples) and extraction.reason is None)


WORDY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(
    lambda s: any(c.isalnum() and ord(c) < 0x2BFF for c in s)
)


@settings(deadline=None)
@given(st.lists(st.tuples(WORDY, WORDY, WORDY), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_json_and_python_round_trip(rows: list[tuple[str, str, str]], as_json: bool, tagged: bool) -> None:
    plain = [["anchor", "stays", "here"], *[list(row) for row in rows]]
    reply = json.dumps(plain) if as_json else repr(plain)
    seen: dict[tuple[str, ...], tuple[str, ...]] = {}
    for row in plain:
        stripped = tuple(part.strip() for part in row)
        seen.setdefault(tuple(" ".join(part.split()).casefold() for part in row), stripped)
    found = triples(parse_triples(f"<kg>{reply}</kg>" if tagged else reply))
    assert found == list(seen.values())
