"""Stories about who said, asked, denied or promised what, to whom and about whom."""

from __future__ import annotations

from training.synthetic.order.forms import groups, kind

_TOLD = groups("""
N ab ac bc
{a} told {b} that {c} {p}
{b} was told by {a} that {c} {p}
{b} heard from {a} that {c} {p}
that {c} {p} was what {a} told {b}
what {b} learnt from {a} was that {c} {p}
{a} said to {b}: "{c} {p}"
"{c} {p}," {a} told {b}
{a} informed {b} that {c} {p}

N ab
{a} asked {b} to {p.b}
{b} was asked by {a} to {p.b}
it was {b} whom {a} asked to {p.b}
{a} put to {b} the request to {p.b}
{b} got from {a} the request to {p.b}
< what {a} wanted was for {b} to {p.b}
--
{a} promised {b} to {p.b}
{b} was promised by {a} that {a} would {p.b}
{a} gave {b} the promise to {p.b}
"I will {p.b}," {a} promised {b}
it was {b} to whom {a} promised to {p.b}
< {a} promised to {p.b}

N ab
{a} thanked {b} for {p.g}
{b} was thanked by {a} for {p.g}
it was {b} whom {a} thanked for {p.g}
{b} got {a}'s thanks for {p.g}
--
{a} apologised to {b} for {p.g}
{b} got an apology from {a} for {p.g}
it was {b} to whom {a} apologised for {p.g}
{a} said sorry to {b} for {p.g}

N ab
{a} advised {b} to {p.b}
{b} was advised by {a} to {p.b}
{a}'s advice to {b} was to {p.b}
{b} got from {a} the advice to {p.b}
--
{a} advised {b} not to {p.b}
{b} was advised by {a} not to {p.b}
{a}'s advice to {b} was not to {p.b}
{b} got from {a} the advice not to {p.b}

N ab bc ac
{a} asked {b} whether {c} {p}
{b} was asked by {a} whether {c} {p}
whether {c} {p} was what {a} asked {b}
what {a} wanted to know from {b} was whether {c} {p}
{a} put the question to {b}: had {c} {p.pp}

N ab pq
{a} allowed {b} to {p.b} but not to {q.b}
{b} was allowed by {a} to {p.b}, but not to {q.b}
{a} forbade {b} to {q.b} but allowed {b} to {p.b}
to {p.b} was what {a} allowed {b} to do, but not to {q.b}
< {a} allowed {b} to {p.b}
< {b} was not allowed by {a} to {q.b}
""")

_REPORTED = groups(
    """
N ab
{a} denied that {b} {p}
{b} did not {p.b}, according to {a}
{a} said that it was not true that {b} {p}
according to {a}, {b} did not {p.b}
it was {a} who said that {b} did not {p.b}
--
{a} confirmed that {b} {p}
{b} {p}, according to {a}
{a} said that it was true that {b} {p}
according to {a}, {b} {p}
it was {a} who said that {b} {p}
--
{a} asked whether {b} {p}
whether {b} {p} was what {a} asked
the question that {a} asked was whether {b} {p}
{a} put the question whether {b} {p}
it was {a} who asked whether {b} {p}

N ab bc ac
{a} reported that {b} had accused {c} of {p.g}
according to {a}, {c} was accused of {p.g} by {b}
{c} had been accused of {p.g} by {b}, {a} reported
{b} accused {c} of {p.g}, according to {a}
the report that {b} accused {c} of {p.g} came from {a}

N bc
{a} claimed that {b} {p}, but it was {c} who did
it was {c} who {p}, though {a} claimed that it was {b}
contrary to what {a} claimed, not {b} but {c} {p}
not {b}, as {a} claimed, but {c} {p}
< {c} {p}
< {b} did not {p.b}
< {a} claimed that {b} {p}

N ac pq
{a} says that {b} {p}, but {c} says that {b} {q}
according to {a}, {b} {p}, and according to {c}, {b} {q}
{b} {q}, says {c}; {a} says that {b} {p}
that {b} {p} is what {a} says; {c} says that {b} {q}
< {a} says that {b} {p}
< according to {c}, {b} {q}
< it is {c} who says that {b} {q}

C
{a} was right in thinking that {b} {p}
{a} rightly believed that {b} {p}
{a} believed, correctly, that {b} {p}
when {a} thought that {b} had {p.pp}, {a} was right
< {b} {p}
--
{a} was wrong in thinking that {b} {p}
{a} wrongly believed that {b} {p}
{a} believed, falsely, that {b} {p}
when {a} thought that {b} had {p.pp}, {a} was wrong
< {b} did not {p.b}

N ab
{a} doubts that {b} {p}
that {b} {p} is doubted by {a}
it is {a} who doubts that {b} {p}
{a} has doubts as to whether {b} {p}
--
{a} is sure that {b} {p}
that {b} {p} is certain to {a}
it is {a} who is sure that {b} {p}
{a} has no doubts that {b} {p}

N ab
{a} admitted that {a} {p}, while {b} denied it
{b} denied what {a} admitted, namely that {a} {p}
that {a} {p} was admitted by {a} and denied by {b}
< {a} admitted that {a} {p}
< {b} denied that {a} {p}
< it was {a} who admitted that {a} {p}

N ab bc ac
{a} heard from {b} that {c} had said: "{f} will win"
{b} told {a} that {c} had said: "{f} will win"
"{f} will win," {c} had said, as {a} heard from {b}
that {c} had said "{f} will win" was told to {a} by {b}
< according to {b}, {c} said: "{f} will win"
< {b} told {a} what {c} had said

N fg
{a} expects {f} to beat {g}
according to {a}, {f} will beat {g}
{a} thinks that {g} will lose to {f}
{a} thinks that {g} will be beaten by {f}
that {f} will beat {g} is what {a} expects
"""
)

told = kind("told", _TOLD, "Who told, asked, promised, thanked or advised whom.")
reported = kind("reported", _REPORTED, "Who says it, of whom, and whether it is so.")
