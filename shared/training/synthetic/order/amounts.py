"""Stories about numbers: changes, owners, units, ranks, dates, rates."""

from __future__ import annotations

from training.synthetic.order.forms import groups, kind

_CHANGED = groups(
    """
C
{s} rose from {L} to {H}
{s} went up from {L} to {H}
{s} had been {L} and was then {H}
{s} climbed to {H} from {L}
{s}, {L} before, grew to {H}
< {s} ended at {H}
< {s} started at {L}
< {s} increased
--
{s} fell from {H} to {L}
{s} went down from {H} to {L}
{s} had been {H} and was then {L}
{s} dropped to {L} from {H}
{s}, {H} before, shrank to {L}
< {s} ended at {L}
< {s} started at {H}
< {s} decreased

C MN
{s} went from {M} to {N}
{s} changed to {N} from {M}
{s} used to be {M} and is now {N}
{s}, now {N}, was {M} before
where {s} had once been {M}, it became {N}
< {s} was {M} at first
< {s} was {N} in the end

C MN
{s} stood at {M} in {y0} and at {N} in {y1}
in {y1} {s} was {N}, against {M} in {y0}
{s} came to {N} in {y1}, after {M} in {y0}
after {M} in {y0}, {s} was {N} in {y1}
for {y0} the figure for {s} was {M}, for {y1} it was {N}
< in {y0} {s} was {M}
< {s} was {N} in {y1}
< {s} stood at {M} in {y0}

C MN st
{s} rose by {M} and {t} by {N}
{t} rose by {N}, {s} by {M}
the rise was {M} for {s} and {N} for {t}
while {t} went up by {N}, {s} went up by {M}
< {s} rose by {M}
< {t} went up by {N}

C st
{s} rose while {t} fell
{t} fell, but {s} rose
{s} went up and {t} went down
there was growth in {s} and a decline in {t}
< {s} rose
< {t} went down
< it was {t} that fell

N
{s} rose by {M}
{s} went up by {M}
there was a rise of {M} in {s}
--
{s} rose to {M}
{s} went up to {M}
there was a rise to {M} in {s}
--
{s} rose from {M}
{s} went up from {M}
there was a rise from {M} in {s}

C fg
{f} raised its offer from {L} to {H}, {g} cut its own from {H} to {L}
{g} went down from {H} to {L} with its offer, {f} up from {L} to {H}
from {L} the offer of {f} rose to {H}; that of {g} fell from {H} to {L}
< {f} raised its offer
< {g} cut its offer
< {f} raised its offer to {H}
< {g} cut its offer to {L}
"""
)

_HELD = groups("""
C ab mn
{a} has {m} {o} and {b} {n}
{b} owns {n} {o}, {a} {m}
it is {a} who has {m} {o}; {b} has {n}
{m} {o} belong to {a} and {n} to {b}
{a} is the owner of {m} {o}, {b} of {n}
< {a} has {m} {o}
< {b} owns {n} {o}

C mn ou
{f} sold {m} {o} and {n} {u}
{n} {u} and {m} {o} were sold by {f}
{f} sold {n} {u} as well as {m} {o}
what {f} sold was {m} {o} and {n} {u}
besides {n} {u}, {f} sold {m} {o}
< {f} sold {m} {o}
< {n} {u} were sold by {f}

C fg
{f} beat {g} {hi}-{lo}
{g} lost {lo}-{hi} to {f}
{f} won {hi}-{lo} against {g}
the {hi}-{lo} victory was that of {f} over {g}
{g} went down to {f} by {hi} points to {lo}
< {f} scored {hi} points and {g} {lo}
< {g} lost to {f}
< {g} scored {lo} points

C ab AB
{a} is {A} years old and {b} {B}
{b} is {B}, {a} {A}
{a}, aged {A}, and {b}, aged {B}, were both there
at {A}, {a} sat beside {b}, who is {B}
< {a} is {A} years old
< {b} is {B}
< the {B}-year-old is {b}

C iz DE
{i} costs {D} and {z} {E}
the price of {z} is {E}, of {i} {D}
for {i} you pay {D} and for {z} {E}
{E} is what {z} costs; {i} costs {D}
they charge {D} for {i} and {E} for {z}
< {i} costs {D}
< the price of {z} is {E}
< you pay {D} for {i}

C ab RQ
{a} came {R} and {b} {Q}
{b} finished in {Q} place, {a} in {R}
{R} place went to {a}, {Q} to {b}
it was {b} who took {Q} place and {a} who took {R}
< {a} came {R}
< {Q} place went to {b}

C mn fg
{f} makes {m} {o} a day and {g} {n}
the daily output is {m} {o} at {f} and {n} at {g}
at {g}, {n} {o} are made every day, at {f} {m}
{n} {o} a day come from {g}, {m} from {f}
< {f} makes {m} {o} a day
< at {g}, {n} {o} are made every day

N mn
{f} delivers {m} {o} a week and {n} {u} a month
a month {f} delivers {n} {u}, a week {m} {o}
{m} {o} every week and {n} {u} every month: that is what {f} delivers
{f} delivers {n} {u} a month besides {m} {o} a week
< {f} delivers {m} {o} a week
< every month {f} delivers {n} {u}

C ab
{a} was born in {y0} and {b} in {y1}
in {y1} {b} was born, in {y0} {a}
{b}'s year of birth is {y1}, {a}'s is {y0}
{y0} was the year when {a} was born; {b} was born in {y1}
< {a} was born in {y0}
< {b} was born in {y1}
< {b} was born later than {a}

C kj ST
{S} percent of the {k} and {T} percent of the {j} {p}
among the {j} {T} percent {p}, among the {k} {S} percent
the share who {p} was {S} percent of the {k} but {T} percent of the {j}
of the {k}, {S} percent {p}; of the {j}, {T} percent
< {S} percent of the {k} {p}
< the share of the {j} who {p} was {T} percent

C xy mn
{x} lies {m} km from the border and {y} {n} km
from the border it is {n} km to {y} and {m} km to {x}
{y} is {n} km away from the border, {x} {m} km
the distance to the border is {m} km from {x} and {n} km from {y}
< {x} lies {m} km from the border
< it is {n} km from {y} to the border

N mn xy
{a} stayed {m} days in {x} and {n} days in {y}
{m} days in {x} and {n} in {y}: so long did {a} stay
in {y} {a} stayed {n} days, in {x} {m}
{a} spent {n} days in {y} and {m} days in {x}
< {a} stayed {m} days in {x}
< in {y} {a} spent {n} days

C mn
the parcel weighs {m} kilos and is {n} centimetres long
at {n} centimetres, the parcel weighs {m} kilos
the parcel has a length of {n} centimetres and a weight of {m} kilos
the weight of the parcel is {m} kilos, its length {n} centimetres
< the parcel weighs {m} kilos
< the parcel is {n} centimetres long

C
{f} has between {lo} and {hi} {o}
the number of {o} that {f} has lies between {lo} and {hi}
--
{f} has fewer than {lo} {o}
the number of {o} that {f} has lies below {lo}
--
{f} has more than {hi} {o}
the number of {o} that {f} has lies above {hi}
""")

changed = kind("changed", _CHANGED, "From one figure to another; a rise by or to a figure.")
held = kind("held", _HELD, "Who or what has which number.")
