"""Stories that compare two or three: degrees, ratios, ranks, the former and the latter."""

from __future__ import annotations

from training.synthetic.order.forms import groups, kind

_RANKED = groups("""
C ab
{a} is {up} than {b}
{b} is {down} than {a}
{b} is not as {plain} as {a}
of the two, {a} and {b}, {a} is the {up}
compared with {a}, {b} is {down}
it is {a} who is {up} than {b}
< {b} is not {up} than {a}

C
{a} is {up} than {b}
{b} is {down} than {a}
{b} is not as {plain} as {a}
--
{b} is {up} than {a}
{a} is {down} than {b}
{a} is not as {plain} as {b}
--
{a} is exactly as {plain} as {b}
{a} and {b} are equally {plain}
{b} is neither {up} nor {down} than {a}

C ab bc ac
{a} is {up} than {b} but {down} than {c}
{c} is {up} than {a}, and {a} is {up} than {b}
{b} is {down} than {a}, who is {down} than {c}
of the three, {c} is the {top}, then comes {a}, then {b}
among {a}, {b} and {c}, {b} is the {bottom} and {c} the {top}
> from {top} to {bottom}: {c}, {a}, {b}

C bc
{c} is the {top} of the three and {b} the {bottom}; {a} is in between
the {top} of the three is {c}, the {bottom} {b}, with {a} in between
{a} comes between {c}, the {top} of the three, and {b}, the {bottom}
< {c} is {up} than {b}
< {b} is {down} than {a}
< {a} is {up} than {b}
< {a} is {down} than {c}
< {c} is {up} than both others
< neither of the others is {down} than {b}

C fg
{f} sold twice as many {o} as {g}
{g} sold half as many {o} as {f}
for every one of the {o} that {g} sold, {f} sold two
compared with {g}, {f} sold double the number of {o}
< {f} sold more {o} than {g}
< {g} sold fewer {o} than {f}

C
{f} sold twice as many {o} as {g}
the number of {o} sold by {f} was double that of {g}
--
{f} sold half as many {o} as {g}
the number of {o} sold by {f} was half that of {g}
--
{f} sold as many {o} as {g}
the number of {o} sold by {f} was the same as that of {g}

C ab
{a} finished ahead of {b}
{b} finished behind {a}
{b} came in after {a}
{a} was ahead of {b} at the finish
at the end {b} trailed {a}

C ab bc ac
{a} came first, {b} second and {c} third
{c} was third, {b} second and {a} first
the winner was {a}, with {b} second and {c} third
{b} was second, behind {a} and ahead of {c}, who was third
first place went to {a}, second to {b}, third to {c}

C ac
{a} came first, {b} second and {c} third
{c} was third, {b} second and {a} first
third place went to {c}, second to {b} and first to {a}
< {b} did better than {c}
< {b} did less well than {a}
< {b} was ahead of {c} but behind {a}

N pq ab
{a} {p} and {b} {q}: the former lives in {x}, the latter in {y}
{b}, who lives in {y}, {q}, and {a}, who lives in {x}, {p}
the one who lives in {x}, {a}, {p}; the one who lives in {y}, {b}, {q}
< {a} {p}
< {b} {q}

N pq ab
of {a} and {b}, the former {p} and the latter {q}
of {b} and {a}, the former {q} and the latter {p}
{a} {p}, the other, {b}, {q}
the first of them, {a}, {p}, the second, {b}, {q}
< {a} {p}
< it was {b} who {q}

C ab
{a} is {A} years older than {b}
{b} is {A} years younger than {a}
{a} was born {A} years before {b}
{b} was born {A} years after {a}
between {a} and {b} there are {A} years, {b} being the younger
< {a} is older than {b}
< {b} is younger than {a}

C fg
{f} has {hi} more {o} than {g}
{g} has {hi} fewer {o} than {f}
compared with {g}, {f} has {hi} {o} more
{g} has {hi} {o} less than {f}
< {f} has more {o} than {g}
< {g} has fewer {o} than {f}

C ou
{f} sold more {o} than {u}
{f} sold fewer {u} than {o}
of the things that {f} sold, there were more {o} than {u}
more {o} than {u} were sold by {f}
< {f} did not sell more {u} than {o}

N ab
{a} likes {x} more than {b} does
{b} likes {x} less than {a} does
{b} does not like {x} as much as {a} does
{x} is liked more by {a} than by {b}

N bc
{a} trusts {b} more than {a} trusts {c}
{a} trusts {c} less than {a} trusts {b}
{c} is trusted less by {a} than {b} is
of {b} and {c}, it is {b} whom {a} trusts more
""")

ranked = kind("ranked", _RANKED, "More and less, twice and half, first and second, former and latter.")
