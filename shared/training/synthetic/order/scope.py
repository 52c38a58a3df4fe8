"""Stories about how far something reaches: only, all but, even, none, most, at least."""

from __future__ import annotations

from training.synthetic.order.forms import groups, kind

_ONLY = groups("""
C ab
only {a} {p}, not {b}
{a} {p} but {b} did not
{b} did not {p.b}, whereas {a} did
of {a} and {b}, only {a} {p}
it was {a}, not {b}, who {p}
of the two, {b} and {a}, {a} alone {p}
while {a} {p}, {b} did not
> nobody but {a} {p}; not even {b} did
> no one except {a} {p}, so {b} cannot have done it
< {a} {p}
< {b} did not {p.b}

C ab
everyone in the group except {a} {p}, {b} included
everybody in the group {p}, even {b}, but not {a}
all of the group but {a} {p}, {b} too
{b} {p}, as did the whole group with the exception of {a}
the only one in the group who did not {p.b} was {a}; {b} did
apart from {a}, the whole group {p}, {b} among them
< {b} {p}
< {a} did not {p.b}
< {b} {p} but {a} did not
< {a} failed to do what {b} did

C
even {a} {p}
{a} {p}, of all people
{a} too {p}
among those who {p} was {a}
< {a} did {p.b}
--
not even {a} {p}
{a} did not {p.b}, of all people
nor did {a} {p.b}
{a} was not among those who {p}
< {a} did not {p.b}

C pq
{a} only {p} and did not {q.b}
{a} {p} but did not {q.b}
{a} did not {q.b}, but did {p.b}
what {a} did was {p.b}, not {q.b}
{a} did {p.b}, yet never {q}
< {a} {p}
< {a} did not {q.b}

C de
{a} {p} only {d}, not {e}
it was {d}, not {e}, that {a} {p}
{a} {p} {d} and did not do so {e}
not {e} but {d} was when {a} {p}
< {a} {p} {d}
< it was {d} that {a} {p}

C wv ab
only {a} got {w}, and only {b} got {v}
{w} went to nobody but {a}, {v} to nobody but {b}
nobody except {b} got {v}, and nobody except {a} got {w}
{a} alone was given {w}; {b} alone was given {v}
< {a} got {w}
< {b} got {v}
< {b} did not get {w}
< only {a} got {w}
""")

_QUANTIFIED = groups("""
C kj
all of the {k} {p}, but none of the {j} did
every one of the {k} {p}, and not one of the {j}
none of the {j} {p}; the {k} all did
while the {k} all {p}, the {j} did not, not a single one
not one of the {j} {p}, but the {k} did without exception
< none of the {j} {p}
< all of the {k} {p}
< some of the {k} {p}
< there were some among the {k} who {p}
< not all of the {j} {p}

C
all of the {k} {p}
every one of the {k} {p}
the {k} {p} without exception
not one of the {k} failed to {p.b}
there was none among the {k} who did not {p.b}
--
none of the {k} {p}
not one of the {k} {p}
the {k} without exception failed to {p.b}
every one of the {k} failed to {p.b}
there was none among the {k} who {p}
--
some of the {k} {p}, but not all
one part of the {k} {p}, but not the rest
not all of the {k} {p}, though some did
some of the {k} failed to {p.b}, but not all
there were some among the {k} who {p} and some who did not

N
at least {m} of the {k} {p}
no fewer than {m} of the {k} {p}
{m} or more of the {k} {p}
the number of {k} who {p} was {m} or more
not fewer than {m} of the {k} {p}
--
at most {m} of the {k} {p}
no more than {m} of the {k} {p}
{m} or fewer of the {k} {p}
the number of {k} who {p} was {m} or less
not more than {m} of the {k} {p}

C
more than {m} of the {k} {p}
the number of {k} who {p} was above {m}
over {m} of the {k} {p}
the {k} who {p} numbered more than {m}
--
fewer than {m} of the {k} {p}
the number of {k} who {p} was below {m}
under {m} of the {k} {p}
the {k} who {p} numbered fewer than {m}
--
exactly {m} of the {k} {p}
the number of {k} who {p} was exactly {m}
{m} of the {k} {p}, neither more nor fewer
the {k} who {p} numbered exactly {m}

C
most of the {k} {p}
more than half of the {k} {p}
a majority of the {k} {p}
those of the {k} who did not {p.b} were in the minority
--
less than half of the {k} {p}
only a minority of the {k} {p}
most of the {k} did not {p.b}
a majority of the {k} did not {p.b}

C kj
all of the {k} {p}, but not all of the {j}
some of the {j} did not {p.b}, but all of the {k} did
not every one of the {j} {p}, whereas every one of the {k} did
the {k} all {p}, which cannot be said of all the {j}
< all of the {k} {p}
< not all of the {j} {p}
< some of the {j} did not {p.b}

C ou
{a} sold all of the {o} but none of the {u}
{a} sold none of the {u}, but all of the {o}
every one of the {o} was sold by {a}, and not one of the {u}
not one of the {u} was sold by {a}, but the {o} all were
< {a} sold all of the {o}
< {a} sold none of the {u}
< the {o} were sold by {a}

N kj
most of the {k} and a few of the {j} {p}
a few of the {j} {p}, and most of the {k}
of the {k} most {p}, of the {j} a few
< most of the {k} {p}
< the majority of the {k} {p}
""")

only = kind("only", _ONLY, "Only one of two, everyone but one, even one.")
quantified = kind("quantified", _QUANTIFIED, "All, none, some, most; at least and at most.")
