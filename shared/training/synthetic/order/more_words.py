"""Vocabulary of the stories that are told from tables."""
# ruff: noqa: SIM905 - word lists read better as one text

from __future__ import annotations

DEEDS = (
    "win,won,won,winning the race; sell,sold,sold,selling the boat; buy,bought,bought,buying a van; "
    "write,wrote,written,writing the speech; leave,left,left,leaving the party; repair the fence; "
    "sign the lease; lose,lost,lost,losing the keys; climb the tower; clean the cellar; "
    "teach,taught,taught,teaching chemistry; paint the gate; join the choir; open a bakery; "
    "find,found,found,finding the ring; break,broke,broken,breaking the vase; "
    "speak,spoke,spoken,speaking to the press; "
    "visit the museum; call the fire brigade; pay,paid,paid,paying the fine; cook the soup; "
    "sing,sang,sung,singing at the wedding; "
    "sleep,slept,slept,sleeping in the barn; move to the coast; resign; apologise; retire; "
    "take,took,taken,taking the night train; drive,drove,driven,driving the lorry; "
    "swim,swam,swum,swimming across the lake; "
    "eat,ate,eaten,eating the cake; read,read,read,reading the report; "
    "forget,forgot,forgotten,forgetting the password; "
    "drop,dropped,dropped,dropping the charges; study,studied,studied,studying Latin; close the shop; "
    "record an album; translate the poem; borrow a ladder; plant an oak; vote against the budget; "
    "steal,stole,stolen,stealing a bicycle; fly,flew,flown,flying to Madrid; publish a diary; "
    "withdraw,withdrew,withdrawn,withdrawing the complaint; hide,hid,hidden,hiding the letters; "
    "build,built,built,building a shed; wear,wore,worn,wearing a mask; "
    "cancel,cancelled,cancelled,cancelling the trip; donate a kidney; milk the cows; "
    "miss the ferry; fail the test; feed,fed,fed,feeding the horses; "
    "copy,copied,copied,copying the files; order a taxi; run,ran,run,running for office; "
    "lead,led,led,leading the march; audit the accounts; water the lawn"
).split("; ")
"""Verb phrases for `Inflected.of`."""

CROWDS = (
    "tenants, nurses, pupils, players, passengers, farmers, delegates, witnesses, soldiers, guests, drivers, "
    "shareholders, singers, voters, judges, volunteers, tourists, teachers, miners, engineers, patients, critics, "
    "prisoners, sailors, bakers, neighbours, candidates, dentists, cyclists, journalists"
).split(", ")

GOODS = (
    "the piano, the sofa, the old boiler, the red lamp, the pony, the laptop, the tent, the silver watch, the carpet, "
    "the camera, the violin, the scooter, the oak table, the map, the stove, the necklace, the drill, the canoe, "
    "the radio, the blue vase, the coat, the telescope, the sewing machine, the tractor, the grey cat, the bench"
).split(", ")

COUNTABLE = (
    "tickets, horses, lamps, books, buses, chairs, apples, stamps, letters, bottles, beds, tyres, shirts, jars, "
    "bricks, phones, bicycles, songs, pumps, paintings, cakes, boats, coins, meals"
).split(", ")

MEASURED = (
    "output, the rent, turnover, the water level, attendance, the share price, unemployment, the temperature, "
    "the death toll, the toll charge, membership, the interest rate, traffic, rainfall, demand, the workload, "
    "the price of wheat, "
    "the fare, the debt, enrolment, staff turnover, the cost of heating, production, the waiting time, support"
).split(", ")

UNITS = ("{}", "{} percent", "{}%", "${}", "{} points", "{} units", "{} million", "€{} million", "{} a day")

RANKS = "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth".split(", ")

WHEN = (
    "on Monday, on Tuesday, on Wednesday, on Thursday, on Friday, on Saturday, on Sunday".split(", "),
    "in January, in March, in May, in June, in August, in October, in December".split(", "),
    "in 1921, in 1958, in 1974, in 1989, in 1996, in 2003, in 2011, in 2019".split(", "),
    "at noon, at midnight, at dawn, at six o'clock, at half past nine, at dusk".split(", "),
    "on 3 May, on 14 July, on 22 November, on 9 February, on 30 August".split(", "),
)

FOR_SALE = (
    "a ticket, a room, a coffee, a licence, a haircut, a season pass, a seat by the window, a kilo of cherries, "
    "a bottle of oil, a night in the hostel, an hour of parking, a guided tour, a loaf of bread, a repair, a phone call"
).split(", ")

GRADES = (
    "older|younger|oldest|youngest|old, taller|shorter|tallest|shortest|tall, richer|poorer|richest|poorest|rich, "
    "faster|slower|fastest|slowest|fast, stronger|weaker|strongest|weakest|strong, "
    "heavier|lighter|heaviest|lightest|heavy, louder|quieter|loudest|quietest|loud, "
    "busier|less busy|busiest|least busy|busy, more famous|less famous|most famous|least famous|famous, "
    "more careful|less careful|most careful|least careful|careful, "
    "more popular|less popular|most popular|least popular|popular, "
    "more patient|less patient|most patient|least patient|patient, kinder|less kind|kindest|least kind|kind"
).split(", ")
"""More, less, most, least and the plain form."""

POSTS = (
    "captain, head of sales, chair of the board, mayor, head coach, treasurer, ambassador, finance minister, "
    "chief editor, lead singer, director of the museum, party leader, head teacher, chief surgeon"
).split(", ")

RELATIVES = "brother, sister, mother, father, cousin, uncle, aunt, son, daughter, grandfather, partner".split(", ")

DOUBLE = (
    "offered, shown/showed, promised, owed, mailed, sent, awarded, refused, granted, left, lent, posted, handed, sold"
)
"""Verbs with two objects: `participle/past` where they differ."""

PHRASAL = (
    "looked up to, admired, admired; looked down on, despised, despised; put up with, tolerated, tolerated; "
    "turned down, rejected, rejected; let down, disappointed, disappointed; gave in to, yielded to, -; "
    "stood up to, resisted, resisted; ran after/run after, chased, chased; called on, visited, visited; "
    "looked after, cared for, cared for; relied on, depended on, depended on; told on/told on, betrayed, betrayed; "
    "made fun of, mocked, mocked; took care of/taken care of, looked after, looked after; "
    "spied on, watched secretly, secretly watched; went after/gone after, pursued, pursued; "
    "caught up with, drew level with, drawn level with; lost patience with, became annoyed with, -; "
    "fell out of love with, stopped loving, -; fell behind, dropped back behind, -; "
    "broke up with, left, left; moved in with, went to live at the home of, -; ran away from, fled from, -; "
    "stood in for, acted as a substitute for, -; apologised to, said sorry to, -; split from, broke away from, -; "
    "lost out to, was passed over in favour of, -; cheated on, was unfaithful to, -; voted for, gave a vote to, -; "
    "wrote to, sent a letter to, -; testified against, gave evidence against, -; learnt from, was taught by, -; "
    "took over from, became the successor of, -; handed over to, made way for, -; worked for, was employed by, -; "
    "lost to, was beaten by, -; borrowed money from, was lent money by, -; inherited a farm from, was left a farm by, -"
).split("; ")
"""Past (/participle), what it means, and the participle of that, or `-` where there is no passive."""
