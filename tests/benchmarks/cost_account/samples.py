"""Twenty answers of a retrieval-augmented assistant, written for this account: passage, question, answer, triples.

`grounded` says of each triple whether the passage supports it: the stub replies accordingly, so every tool sees the
same units and the same verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CostSample:
    """One answer with what a perfect model would extract from it."""

    id: str
    question: str
    passage: str
    answer: str
    triples: tuple[tuple[str, str, str], ...]
    grounded: tuple[bool, ...]

    @property
    def statements(self) -> list[str]:
        """The triples as sentences."""
        return [f"{s} {r} {o}." for s, r, o in self.triples]


def _sample(id: str, question: str, passage: str, answer: str, *triples: tuple[str, str, str, bool]) -> CostSample:
    return CostSample(
        id, question, passage, answer, tuple((s, r, o) for s, r, o, _ in triples), tuple(g for *_, g in triples)
    )


SAMPLES = (
    _sample(
        "ferry",
        "When does the ferry to Lindoy leave and what does it cost?",
        "The Lindoy ferry runs every day between April and October. The first boat leaves the north quay at 07:15 and"
        " the last one at 21:40. A single ticket costs 46 crowns for adults and 23 crowns for children. Bicycles travel"
        " free of charge, but no more than twelve fit on a boat. In winter the island is served by a post boat that"
        " sails on Tuesdays and Fridays only.",
        "The Lindoy ferry leaves the north quay from 07:15, and the last boat goes at 21:40. Adults pay 46 crowns, and"
        " bicycles cost 10 crowns.",
        ("Lindoy ferry", "leaves from", "north quay", True),
        ("first Lindoy ferry", "leaves at", "07:15", True),
        ("last Lindoy ferry", "leaves at", "21:40", True),
        ("adult ticket", "costs", "46 crowns", True),
        ("bicycle on the Lindoy ferry", "costs", "10 crowns", False),
    ),
    _sample(
        "kiln",
        "How should the Marrow K2 kiln be fired for the first time?",
        "Before its first firing the Marrow K2 must stand open for two days so that the bricks dry. Heat it empty to"
        " 600 degrees over five hours, hold it there for one hour, and let it cool with the lid closed. Only then may it"
        " be taken to its highest temperature, 1280 degrees. The thermocouple is calibrated at the factory and needs no"
        " adjustment. The warranty covers the elements for 24 months.",
        "Let the Marrow K2 dry open for two days, then heat it empty to 600 degrees over five hours and hold it for an"
        " hour. Its highest temperature is 1280 degrees. The elements have a warranty of 36 months.",
        ("Marrow K2", "must stand open for", "two days", True),
        ("Marrow K2", "is first heated empty to", "600 degrees over five hours", True),
        ("Marrow K2", "is held at 600 degrees for", "one hour", True),
        ("Marrow K2", "has a highest temperature of", "1280 degrees", True),
        ("elements of the Marrow K2", "have a warranty of", "36 months", False),
    ),
    _sample(
        "leave",
        "How many days of parental leave do employees get?",
        "Employees who have worked at Brightwater for at least six months are entitled to 80 working days of parental"
        " leave at full pay. The leave may be split into at most three parts and must be taken before the child's second"
        " birthday. A request is to be filed with the people team eight weeks in advance. Parents of twins receive 40"
        " further days. The policy applies to adoptive parents in the same way.",
        "After six months at Brightwater, employees get 80 working days of parental leave at full pay, in at most three"
        " parts. Requests must reach the people team eight weeks ahead.",
        ("Brightwater employees", "get parental leave of", "80 working days at full pay", True),
        ("Brightwater employees", "qualify after", "six months", True),
        ("parental leave", "may be split into at most", "three parts", True),
        ("request for parental leave", "must be filed with", "people team", True),
        ("request for parental leave", "must be filed in advance by", "eight weeks", True),
    ),
    _sample(
        "lichen",
        "What is known about the lichen Usnea falsa?",
        "Usnea falsa was described in 1931 by the botanist Greta Holm from specimens collected near Lake Ulmen. It grows"
        " on the bark of old larches above 1400 metres and is sensitive to nitrogen in the air. A survey in 2016 found"
        " it at nine sites, three fewer than twenty years before. Its usnic acid gives it a yellow-green colour. It is"
        " listed as vulnerable in the national register.",
        "Usnea falsa was described in 1931 by Greta Holm. It grows on old larches above 1400 metres, and a survey in"
        " 2016 found it at nine sites. The national register lists it as endangered.",
        ("Usnea falsa", "was described in", "1931", True),
        ("Usnea falsa", "was described by", "Greta Holm", True),
        ("Usnea falsa", "grows on", "old larches above 1400 metres", True),
        ("survey in 2016", "found Usnea falsa at", "nine sites", True),
        ("Usnea falsa", "is listed in the national register as", "endangered", False),
    ),
    _sample(
        "router",
        "How do I reset the Pell R40 router?",
        "To reset the Pell R40 to its factory settings, press the recessed button on its back for twelve seconds until"
        " the power light blinks orange. All passwords, port rules and the name of the wireless network are erased. The"
        " router restarts by itself, which takes about three minutes. Firmware is not affected by the reset. A backup of"
        " the settings can be saved beforehand under System, Maintenance.",
        "Press the recessed button on the back of the Pell R40 for twelve seconds until the power light blinks orange."
        " All passwords are erased, and the restart takes about three minutes.",
        ("Pell R40", "is reset by pressing", "recessed button on its back for twelve seconds", True),
        ("power light", "blinks", "orange", True),
        ("reset of the Pell R40", "erases", "all passwords", True),
        ("restart of the Pell R40", "takes about", "three minutes", True),
    ),
    _sample(
        "bridge",
        "Who built the Toll Bridge of Arnsby and when?",
        "The Toll Bridge of Arnsby was designed by Edwin Marsh and opened on 2 May 1868. Its five arches are of local"
        " sandstone and span 94 metres. The toll was abolished in 1921, when the county bought the bridge for 9,000"
        " pounds. A flood in 1947 carried away the toll house, which was never rebuilt. Since 1985 the bridge has been"
        " closed to lorries of more than 7.5 tonnes.",
        "The Toll Bridge of Arnsby, designed by Edwin Marsh, opened in 1868 and has five sandstone arches. The county"
        " bought it in 1921 for 9,000 pounds. Its toll house was rebuilt in 1950.",
        ("Toll Bridge of Arnsby", "was designed by", "Edwin Marsh", True),
        ("Toll Bridge of Arnsby", "opened in", "1868", True),
        ("Toll Bridge of Arnsby", "has", "five sandstone arches", True),
        ("county", "bought the Toll Bridge of Arnsby in 1921 for", "9,000 pounds", True),
        ("toll house", "was rebuilt in", "1950", False),
    ),
    _sample(
        "vaccine",
        "What does the dosing schedule for Corvanta look like?",
        "Corvanta is given as two injections of 0.5 ml into the upper arm, 28 days apart. People over 70 receive a third"
        " dose after six months. It must be stored between 2 and 8 degrees and must not be frozen. In the trial with"
        " 11,400 participants the most frequent side effect was pain at the injection site, reported by 41 percent. It"
        " is not approved for children under 12.",
        "Corvanta is given in two injections of 0.5 ml, 28 days apart, and people over 70 get a third dose after six"
        " months. It is not approved for children under 12.",
        ("Corvanta", "is given as", "two injections of 0.5 ml", True),
        ("injections of Corvanta", "are given apart by", "28 days", True),
        ("people over 70", "receive a third dose of Corvanta after", "six months", True),
        ("Corvanta", "is not approved for", "children under 12", True),
    ),
    _sample(
        "museum",
        "What can I see at the Harbour Museum?",
        "The Harbour Museum holds 3,200 objects, among them the pilot cutter Minna of 1893 and the largest collection of"
        " ship's lanterns in the country. It is open from Wednesday to Sunday, 10:00 to 17:00, and admission is free on"
        " the first Sunday of a month. The library can be used by appointment. The east wing is closed for repairs until"
        " the end of next year.",
        "The Harbour Museum shows the pilot cutter Minna of 1893 and the country's largest collection of ship's"
        " lanterns. It opens from Wednesday to Sunday, and admission is free every Sunday.",
        ("Harbour Museum", "shows", "pilot cutter Minna of 1893", True),
        ("Harbour Museum", "holds", "the country's largest collection of ship's lanterns", True),
        ("Harbour Museum", "is open from", "Wednesday to Sunday", True),
        ("admission to the Harbour Museum", "is free on", "every Sunday", False),
    ),
    _sample(
        "loan",
        "What are the terms of the green renovation loan?",
        "The green renovation loan finances heat pumps, insulation and windows with up to 60,000 euros over at most"
        " fifteen years. The interest is fixed at 2.4 percent for the first ten years. No fee is charged for early"
        " repayment. An energy adviser must confirm the plan before the contract is signed. Applications are accepted"
        " until the yearly budget of 12 million euros is used up.",
        "The green renovation loan gives up to 60,000 euros for at most fifteen years at 2.4 percent interest, fixed for"
        " ten years. Early repayment costs nothing. An energy adviser has to confirm the plan.",
        ("green renovation loan", "gives up to", "60,000 euros", True),
        ("green renovation loan", "runs for at most", "fifteen years", True),
        ("interest of the green renovation loan", "is fixed for ten years at", "2.4 percent", True),
        ("early repayment", "costs", "nothing", True),
        ("energy adviser", "must confirm", "the plan", True),
    ),
    _sample(
        "observatory",
        "Which instruments does the Skarn observatory have?",
        "The Skarn observatory stands at 2,310 metres and was founded in 1959. Its main instrument is a reflector with a"
        " mirror of 1.6 metres; a spectrograph was added in 1998 with money from the Ostrow foundation. On about 190"
        " nights a year the sky is clear enough for work. Since 2012 the dome has been operated remotely from the"
        " university, 140 kilometres away.",
        "The Skarn observatory has a reflector with a mirror of 1.6 metres and, since 1998, a spectrograph. It was"
        " founded in 1959 and has been operated remotely since 2005.",
        ("Skarn observatory", "has a reflector with a mirror of", "1.6 metres", True),
        ("Skarn observatory", "has had a spectrograph since", "1998", True),
        ("Skarn observatory", "was founded in", "1959", True),
        ("Skarn observatory", "has been operated remotely since", "2005", False),
    ),
    _sample(
        "backup",
        "How long are backups of the Tern database kept?",
        "Tern takes a full backup every Sunday at 02:00 and an incremental one every six hours. Full backups are kept"
        " for ninety days, incremental ones for fourteen. They are encrypted with a key that only the customer holds and"
        " are stored in two regions. Restoring a backup to a new instance takes roughly four minutes per gigabyte. On"
        " the free plan only the last full backup is available.",
        "Tern keeps full backups for ninety days and incremental ones for fourteen. Full backups are taken every Sunday"
        " at 02:00. They are encrypted with a key that only the customer holds.",
        ("Tern", "keeps full backups for", "ninety days", True),
        ("Tern", "keeps incremental backups for", "fourteen days", True),
        ("Tern", "takes full backups every", "Sunday at 02:00", True),
        ("backups of Tern", "are encrypted with a key held only by", "customer", True),
    ),
    _sample(
        "orchard",
        "What is special about the apple Rother Prinz?",
        "The apple Rother Prinz was found as a seedling in 1872 in the garden of the pastor of Welm. It ripens at the end"
        " of September and keeps until March in a cool cellar. Its flesh is firm, with a strong acidity that fades in"
        " storage. The trees resist scab but are prone to canker on wet soil. Two hundred trees were planted again in"
        " 2009 by the orchard society.",
        "The apple Rother Prinz was found in 1872 in Welm. It ripens at the end of September, keeps until March, and"
        " resists canker.",
        ("Rother Prinz", "was found in", "1872", True),
        ("Rother Prinz", "was found in the village of", "Welm", True),
        ("Rother Prinz", "ripens at", "end of September", True),
        ("Rother Prinz", "keeps until", "March", True),
        ("Rother Prinz", "resists", "canker", False),
    ),
    _sample(
        "tram",
        "What will the new tram line 8 change?",
        "From 14 December tram line 8 will link the central station with the hospital in 17 minutes, eleven minutes"
        " faster than the bus it replaces. Trams will run every seven minutes until 20:00 and every fifteen minutes"
        " afterwards. The line cost 212 million euros, of which the state paid 60 percent. Ten new vehicles were ordered"
        " from Vektra. The stop at Mill Lane will be without barriers only from spring.",
        "Tram line 8 opens on 14 December and links the central station with the hospital in 17 minutes. It runs every"
        " seven minutes until 20:00. The line cost 212 million euros, and the state paid 60 percent of it.",
        ("tram line 8", "opens on", "14 December", True),
        ("tram line 8", "links the central station with the hospital in", "17 minutes", True),
        ("tram line 8", "runs until 20:00 every", "seven minutes", True),
        ("tram line 8", "cost", "212 million euros", True),
        ("state", "paid", "60 percent of the cost of tram line 8", True),
    ),
    _sample(
        "insurance",
        "Does the household insurance cover my stolen bicycle?",
        "The household insurance Classic covers theft of bicycles up to 1,500 euros if the bicycle was locked. At night,"
        " from 22:00 to 06:00, it must stand in a locked room unless it is in use. The excess is 100 euros per claim."
        " Batteries of electric bicycles are covered only together with the bicycle. A theft must be reported to the"
        " police within three days and to the insurer within a week.",
        "Household insurance Classic covers a locked bicycle up to 1,500 euros, with an excess of 100 euros. Report the"
        " theft to the police within three days. Batteries stolen alone are covered as well.",
        ("household insurance Classic", "covers theft of a locked bicycle up to", "1,500 euros", True),
        ("household insurance Classic", "has an excess of", "100 euros", True),
        ("theft", "must be reported to the police within", "three days", True),
        ("household insurance Classic", "covers", "batteries stolen alone", False),
    ),
    _sample(
        "composer",
        "What do we know about the composer Edda Kramer?",
        "Edda Kramer was born in Tarnow in 1904 and studied with Karel Novy in Prague from 1923 to 1927. Her only opera,"
        " The Glass Orchard, was performed in 1932 in Brno and then forgotten for sixty years. She emigrated to Uruguay"
        " in 1938, where she taught at the conservatory until 1969. Her papers, about four metres of them, lie in the"
        " university library of Montevideo.",
        "Edda Kramer, born in 1904 in Tarnow, studied with Karel Novy in Prague. Her only opera, The Glass Orchard, was"
        " first performed in Vienna in 1932. She emigrated to Uruguay in 1938.",
        ("Edda Kramer", "was born in", "Tarnow in 1904", True),
        ("Edda Kramer", "studied in Prague with", "Karel Novy", True),
        ("Edda Kramer", "wrote one opera,", "The Glass Orchard", True),
        ("The Glass Orchard", "was first performed in", "Vienna in 1932", False),
        ("Edda Kramer", "emigrated in 1938 to", "Uruguay", True),
    ),
    _sample(
        "pump",
        "How often must the Aldo 300 pump be serviced?",
        "The Aldo 300 pump is to be serviced every 2,000 hours of operation or once a year, whichever comes first. The"
        " shaft seal is replaced at every second service. Only oil of the grade VG 46 may be used; the pump holds 1.8"
        " litres. If the pressure falls below 3 bar, the pump switches itself off and shows error E7. A service kit has"
        " the order number 55-310.",
        "Service the Aldo 300 every 2,000 hours of operation or once a year. Use 1.8 litres of VG 46 oil. Below 3 bar it"
        " switches itself off with error E7.",
        ("Aldo 300", "must be serviced every", "2,000 hours of operation or once a year", True),
        ("Aldo 300", "holds", "1.8 litres of VG 46 oil", True),
        ("Aldo 300", "switches itself off below", "3 bar", True),
        ("Aldo 300", "shows when it switches itself off", "error E7", True),
    ),
    _sample(
        "election",
        "How did the council election in Mersden end?",
        "In the council election in Mersden on 9 June the Civic List won 14 of the 31 seats, two more than before. The"
        " Greens came second with eight seats. Turnout was 58.3 percent, the highest since 1990. Because no list has a"
        " majority, talks about a coalition begin next week. The oldest member, Ruth Adler, will chair the first session"
        " on 2 July.",
        "The Civic List won 14 of the 31 seats in Mersden, and the Greens came second with eight. Turnout was 58.3"
        " percent, the lowest since 1990. Ruth Adler will chair the first session.",
        ("Civic List", "won in Mersden", "14 of the 31 seats", True),
        ("Greens", "came second in Mersden with", "eight seats", True),
        ("turnout in Mersden", "was", "58.3 percent", True),
        ("turnout in Mersden", "was the lowest since", "1990", False),
        ("Ruth Adler", "will chair", "first session", True),
    ),
    _sample(
        "returns",
        "How can I return a coat that I bought online?",
        "Goods bought online can be sent back within thirty days if they are unworn and carry their labels. Print the"
        " return slip from your account and hand the parcel in at any post office; postage is paid by the shop. The money"
        " is refunded to the original means of payment within five working days of arrival. Sale items can only be"
        " exchanged. Returns to a branch are possible with the invoice.",
        "You can send the coat back within thirty days if it is unworn and carries its labels. The shop pays the"
        " postage, and the refund comes within five working days of arrival.",
        ("goods bought online", "can be returned within", "thirty days", True),
        ("returned goods", "must be", "unworn with their labels", True),
        ("shop", "pays", "postage of returns", True),
        ("refund", "comes within", "five working days of arrival", True),
    ),
    _sample(
        "glacier",
        "How fast is the Vessa glacier retreating?",
        "The tongue of the Vessa glacier has retreated by 640 metres since measurements began in 1954. In the last ten"
        " years it lost 19 metres a year on average, three times as much as in the 1980s. Its thickness at the upper"
        " stake fell by 1.3 metres in the past summer alone. A lake of four hectares has formed at its foot and is"
        " watched for outbursts by the cantonal office.",
        "The Vessa glacier has retreated by 640 metres since 1954 and lost 19 metres a year on average in the last ten"
        " years. A lake of four hectares has formed at its foot.",
        ("Vessa glacier", "has retreated since 1954 by", "640 metres", True),
        ("Vessa glacier", "lost on average in the last ten years", "19 metres a year", True),
        ("lake of four hectares", "has formed at the foot of", "Vessa glacier", True),
    ),
    _sample(
        "startup",
        "Who founded Nimbus Freight and how is it financed?",
        "Nimbus Freight was founded in Rotterdam in 2019 by Tomas Reyes and Anneke Vos. The company plans empty runs of"
        " lorries together and says that it saves its customers 12 percent of their fuel. In March it raised 18 million"
        " euros in a round led by Delta Ventures. It employs 74 people, half of them engineers. An office in Gdansk will"
        " open in autumn.",
        "Nimbus Freight was founded in Rotterdam in 2019 by Tomas Reyes and Anneke Vos. It raised 18 million euros in"
        " March in a round led by Delta Ventures, and it employs 740 people.",
        ("Nimbus Freight", "was founded in", "Rotterdam in 2019", True),
        ("Nimbus Freight", "was founded by", "Tomas Reyes and Anneke Vos", True),
        ("Nimbus Freight", "raised in March", "18 million euros", True),
        ("Delta Ventures", "led", "round of financing of Nimbus Freight", True),
        ("Nimbus Freight", "employs", "740 people", False),
    ),
)
