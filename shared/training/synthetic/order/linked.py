"""Stories of two clauses: reasons, conditions, times, whom a clause describes, what a phrase belongs to."""

from __future__ import annotations

from training.synthetic.order.forms import groups, kind

_REASONS = groups("""
N ab+pq ab pq
{a} {p} because {b} {q}
because {b} {q}, {a} {p}
{b} {q}, and that is why {a} {p}
{b} {q}, so {a} {p}
the reason why {a} {p} was that {b} {q}
{a} {p}; the cause was that {b} {q}
what led {a} to {p.b} was that {b} {q}

N ab pq
although {b} {q}, {a} {p}
{a} {p} even though {b} {q}
{b} {q}, but {a} {p} nevertheless
the fact that {b} {q} did not keep {a} from {p.g}
{a} {p} despite the fact that {b} {q}
< {a} {p}
< {b} {q}

N
{a} {p} because {b} {q}
because {b} {q}, {a} {p}
{b} {q}, and therefore {a} {p}
{b} {q}, which is why {a} {p}
--
{a} {p} although {b} {q}
although {b} {q}, {a} {p}
{b} {q}, and yet {a} {p}
{b} {q}, in spite of which {a} {p}
--
{a} {p} before {b} {q}
before {b} {q}, {a} {p}
{b} {q}, and before that {a} {p}
{b} {q}, before which {a} {p}

N ab+pq ab pq
{a} will {p.b} if {b} wants to {q.b}
if {b} wants to {q.b}, {a} will {p.b}
should {b} want to {q.b}, {a} will {p.b}
{a} will {p.b} in the event that {b} wants to {q.b}
provided that {b} wants to {q.b}, {a} will {p.b}

N
if {b} agrees, {a} will {p.b}
{a} will {p.b} provided that {b} agrees
{a} will {p.b} if {b} agrees
--
unless {b} agrees, {a} will {p.b}
{a} will {p.b} provided that {b} does not agree
{a} will {p.b} if {b} does not agree
--
only if {b} agrees will {a} {p.b}
{a} will not {p.b} unless {b} agrees
{a} will not {p.b} if {b} does not agree

C ab+pq
{a} {p} before {b} {q}
{b} {q} after {a} {p}
first {a} {p}, then {b} {q}
{b} {q} only once {a} had {p.pp}
by the time {b} {q}, {a} had already {p.pp}
{a} had already {p.pp} when {b} {q}
after {a} {p}, {b} {q}
before {b} {q}, {a} {p}
{a} {p}, and later {b} {q}

N ab+pq ab pq
{a} {p} so that {b} could {q.b}
to let {b} {q.b}, {a} {p}
{a} {p} in order to enable {b} to {q.b}
it was to allow {b} to {q.b} that {a} {p}
{a}'s aim was that {b} could {q.b}, and for that {a} {p}
< {a} {p}
< {a} wanted {b} to be able to {q.b}

C pq
{a} {p} instead of {q.g}
rather than {q.b}, {a} {p}
{a} did not {q.b} but {p} instead
instead of {q.g}, {a} {p}
{a} {p} and, unlike expected, did not {q.b}
< {a} {p}
< {a} did not {q.b}

C pq
{a} {p} without {q.g}
without {q.g}, {a} {p}
{a} {p} but did not {q.b}
{a} never {q}, but did {p.b}
< {a} {p}
< {a} did not {q.b}

N ab pq
while {a} {p}, {b} {q}
{b} {q} at the same time as {a} {p}
at the moment when {b} {q}, {a} {p}
{a} {p}; meanwhile {b} {q}
< {a} {p}
< {b} {q}

N ab+pq ab
{a} would have {p.pp} if {b} had {q.pp}
had {b} {q.pp}, {a} would have {p.pp}
if {b} had {q.pp}, {a} would have {p.pp}
{a} would have {p.pp}, had {b} {q.pp}
""")

_DESCRIBED = groups(
    """
N ab
{a}, who {p}, {V} {b}
{b} was {V.pp} by {a}, who {p}
{a}, by whom {b} was {V.pp}, {p}
the person who {p} was {a}, and it was {a} who {V} {b}
{a} {p} and {V} {b}
< {a} {p}
< it was {a} who {p}
--
{b}, who {p}, was {V.pp} by {a}
{a} {V} {b}, who {p}
{b}, whom {a} {V}, {p}
the person who {p} was {b}, and it was {a} who {V} {b}
{b} {p} and was {V.pp} by {a}
< {b} {p}
< it was {b} who {p}

N ab pq
{a}, who {p}, and {b}, who {q}, came together
{b}, who {q}, came together with {a}, who {p}
together came {a} and {b}; the one had {p.pp}, the other had {q.pp}
{a}, who had {p.pp}, came together with {b}, who had {q.pp}
< {a} {p}
< {b} {q}
< it was {b} who {q}

N pq
{a}, whose {kin} {p}, {q}
{a} {q} and {a}'s {kin} {p}
the {kin} of {a} {p}; {a} {q}
{a} {q}, whereas the {kin} of {a} {p}
it was {a} who {q} and {a}'s {kin} who {p}
< {a}'s {kin} {p}
< {a} {q}

N fg xy
{f}, which comes from {x}, met {g}, which comes from {y}
{g} of {y} met {f}, whose home is {x}
{f} is at home in {x}; in {y} there is {g}
the home of {f} is {x} and that of {g} {y}
< {f} comes from {x}
< {g} has its home in {y}
< it is {g} that comes from {y}

N fg ab
{a}, the {post} at {f}, wrote to {b}, the {post} at {g}
{b}, who is the {post} at {g}, got a letter from {a}, who is the {post} at {f}
a letter from {a}, the {post} at {f}, reached {b}, the {post} at {g}
to {b}, the {post} at {g}, wrote {a}, the {post} at {f}
< {a} is the {post} at {f}
< {g} has {b} as its {post}
< the letter of {a} went to {b}

N ab
{a}, the {kin} of {b}, {p}
{b}'s {kin} {a} {p}
{a} {p}, being the {kin} of {b}
the one who {p} was {a}, {b}'s {kin}
< {a} {p}
< {b}'s {kin} {p}
< it was {a} who {p}

N wv
{a} sold {w}, which was broken, and bought {v}, which was new
{v}, bought by {a}, was new, and {w}, which {a} sold, was broken
{a} bought {v}, which was new, after selling {w}, which was broken
< {w} was broken
< {v} was new
< {a} sold {w}
"""
)

_ATTACHED = groups("""
N de ab pq
{a} {p} {d} and {b} {q} {e}
{d} {a} {p}, and {e} {b} {q}
{b} {q} {e}, {a} {p} {d}
it was {d} that {a} {p} and {e} that {b} {q}
< {a} {p} {d}
< it was {e} that {b} {q}
< {e}, {b} {q}

N xy pq
{a} {p} in {x} and {q} in {y}
in {y} {a} {q}, in {x} {a} {p}
{x} is where {a} {p}, {y} where {a} {q}
{a} {q} in {y}, besides which {a} {p} in {x}
< {a} {p} in {x}
< it was in {y} that {a} {q}
< in {x}, {a} {p}

N de pq
{a}, who {p} {d}, {q} {e}
{e} {a} {q}, having {p.pp} {d}
{a} {q} {e} and {p} {d}
it was {e} that {a} {q} and {d} that {a} {p}
< {a} {p} {d}
< {a} {q} {e}

N de
{a} said {d} that {b} {p} {e}
{b} {p} {e}, {a} said {d}
{d} {a} said that {b} had {p.pp} {e}
that {b} {p} {e} was what {a} said {d}
< it was {d} that {a} said so
< {a} spoke about it {d}

N xy pq
{a} went to {x} to {p.b} and to {y} to {q.b}
to {q.b}, {a} went to {y}, and to {x} to {p.b}
in order to {p.b}, {a} went to {x}, but to {y} in order to {q.b}
{y} was where {a} went to {q.b}; to {p.b}, it was {x}
< {a} went to {x} to {p.b}
< to {q.b}, {a} went to {y}

N de xy
{a} moved to {x} {d} and to {y} {e}
{e} {a} moved to {y}, {d} to {x}
the move to {x} was {d} and that to {y} {e}; it was {a} who moved
to {y} {a} moved {e}, and to {x} {d}
< {a} moved to {x} {d}
< {e} {a} moved to {y}

N xy
{a} from {x} met {b} from {y}
{b}, who comes from {y}, was met by {a}, who comes from {x}
{a} comes from {x} and met {b}, who comes from {y}
from {y} comes {b}, whom {a} from {x} met
< {a} comes from {x}
< {b} is from {y}

N ab xy
{a} stayed in {x} while {b} went to {y}
{b} went to {y}, but {a} stayed in {x}
when {b} went to {y}, {a} stayed behind in {x}
in {x} stayed {a}; to {y} went {b}
< {a} stayed in {x}
< {b} went to {y}
""")

reasons = kind("reasons", _REASONS, "Because, although, if, before, so that, instead: which clause is which.")
described = kind("described", _DESCRIBED, "Whom a relative clause, an apposition or a possessive describes.")
attached = kind("attached", _ATTACHED, "To which of two events a time, place or purpose belongs.")
