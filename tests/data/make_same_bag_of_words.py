"""Writes same_bag_of_words.jsonl: 100 premises, each with a true and a false claim made of the same words.

Every line was read by a person. The sentences share no template and no text with the verifier's training data.
Run `python tests/data/make_same_bag_of_words.py` to write the file again.
"""

from __future__ import annotations

import json
from pathlib import Path

# premise | true claim | false claim
ROLES = """
The auditor questioned the treasurer for two hours on Tuesday. | The auditor questioned the treasurer. | The treasurer questioned the auditor.
A retired pilot taught the young mechanic how to read the gauges. | A retired pilot taught the young mechanic. | The young mechanic taught a retired pilot.
Bergen's handball team defeated Uppsala's team by six goals. | Bergen defeated Uppsala. | Uppsala defeated Bergen.
The landlord sued the baker over unpaid rent. | The landlord sued the baker. | The baker sued the landlord.
In the final scene the fox tricks the crow into dropping the cheese. | The fox tricks the crow. | The crow tricks the fox.
Olga recommended Stefan for the post after reading his thesis. | Olga recommended Stefan. | Stefan recommended Olga.
The goalkeeper accused the referee of ignoring a foul. | The goalkeeper accused the referee. | The referee accused the goalkeeper.
Halden Shipping acquired Norfeld Cables for 40 million kroner. | Halden Shipping acquired Norfeld Cables. | Norfeld Cables acquired Halden Shipping.
The violinist thanked the conductor in her speech. | The violinist thanked the conductor. | The conductor thanked the violinist.
Three wolves chased the moose across the frozen lake. | Three wolves chased the moose. | The moose chased three wolves.
The novelist's sister inherited the cottage that their uncle had bought from a priest. | Their uncle bought the cottage from a priest. | A priest bought the cottage from their uncle.
Dr. Okafor referred Mr. Lindqvist to a specialist in Oslo. | Dr. Okafor referred Mr. Lindqvist to a specialist. | Mr. Lindqvist referred Dr. Okafor to a specialist.
The river Ilm flows into the Saale north of the town. | The Ilm flows into the Saale. | The Saale flows into the Ilm.
The cathedral is older than the town hall by a century. | The cathedral is older than the town hall. | The town hall is older than the cathedral.
Copper conducts heat better than iron does. | Copper conducts heat better than iron. | Iron conducts heat better than copper.
The ambassador's driver followed the minister's car to the airport. | The driver followed the minister. | The minister followed the driver.
Petra lent Jonas her tent for the summer. | Petra lent Jonas a tent. | Jonas lent Petra a tent.
The union rejected what the management had offered. | The management offered and the union rejected. | The union offered and the management rejected.
The nurse woke the surgeon shortly after midnight. | The nurse woke the surgeon. | The surgeon woke the nurse.
The bakery on Elm Street supplies bread to the hotel. | The bakery supplies the hotel. | The hotel supplies the bakery.
Marcus inherited the farm from Helena in 1931. | Marcus inherited the farm from Helena. | Helena inherited the farm from Marcus.
The mayor was criticised by the bishop for closing the shelter. | The mayor was criticised by the bishop. | The bishop was criticised by the mayor.
The statue was stolen by a guard and found by a tourist. | A guard stole the statue and a tourist found it. | A tourist stole the statue and a guard found it.
Tomas was coached by Irena until he turned eighteen. | Tomas was coached by Irena. | Irena was coached by Tomas.
The trains to Graz leave before the buses to Linz. | The trains leave before the buses. | The buses leave before the trains.
The committee chose the red design over the blue one. | The committee preferred the red design to the blue design. | The committee preferred the blue design to the red design.
The ferry sails from Split to Ancona every Friday. | The ferry sails from Split to Ancona. | The ferry sails from Ancona to Split.
Aunt Rosa outlived Uncle Piet by eleven years. | Aunt Rosa outlived Uncle Piet. | Uncle Piet outlived Aunt Rosa.
The orchestra paid the agency a fee of 2,000 euros. | The orchestra paid the agency. | The agency paid the orchestra.
The farmer's dog bit the postman near the gate. | The dog bit the postman. | The postman bit the dog.
Lake Voss drains into Lake Tarn through a narrow channel. | Lake Voss drains into Lake Tarn. | Lake Tarn drains into Lake Voss.
The museum borrowed the map from the monastery. | The museum borrowed the map from the monastery. | The monastery borrowed the map from the museum.
Spending on roads exceeded spending on schools for the first time. | Spending on roads exceeded spending on schools. | Spending on schools exceeded spending on roads.
The witness recognised the suspect at once. | The witness recognised the suspect. | The suspect recognised the witness.
Brakel beat Tiel in the semi-final and lost to Wessem in the final. | Brakel beat Tiel and Wessem beat Brakel. | Tiel beat Brakel and Brakel beat Wessem.
The tenant hired the gardener whom the broker had recommended. | The broker recommended the gardener. | The gardener recommended the broker.
Ingrid translated the poems that Paolo had written. | Ingrid translated what Paolo had written. | Paolo translated what Ingrid had written.
The sergeant saluted the visiting colonel. | The sergeant saluted the colonel. | The colonel saluted the sergeant.
The satellite photographed the comet from a great distance. | The satellite photographed the comet. | The comet photographed the satellite.
The twins' grandmother raised the shepherd who later became a senator. | The shepherd later became a senator. | The senator later became a shepherd.
"""

FUSED = """
Mirela teaches chemistry in Porto. Her neighbour Duarte repairs boats. | Mirela teaches chemistry and Duarte repairs boats. | Mirela repairs boats and Duarte teaches chemistry.
The bridge was finished in 1888. The tunnel was finished in 1923. | The bridge dates from 1888 and the tunnel from 1923. | The bridge dates from 1923 and the tunnel from 1888.
Anneke plays the cello. Ruben plays the trumpet. | Anneke plays the cello and Ruben the trumpet. | Anneke plays the trumpet and Ruben the cello.
The northern wing burned down in May. The southern wing was flooded in October. | The northern wing burned down and the southern wing was flooded. | The southern wing burned down and the northern wing was flooded.
Salt was shipped from Lüneburg. Timber came from Riga. | Salt came from Lüneburg and timber from Riga. | Timber came from Lüneburg and salt from Riga.
Kofi studied law before he entered politics. Ama studied medicine and opened a clinic. | Kofi studied law and Ama studied medicine. | Ama studied law and Kofi studied medicine.
The first edition sold 300 copies. The second edition sold 4,500 copies. | The first edition sold 300 copies and the second 4,500. | The first edition sold 4,500 copies and the second 300.
Whales breathe air. Sharks take oxygen from water. | Whales breathe air and sharks take oxygen from water. | Sharks breathe air and whales take oxygen from water.
The choir sang in Latin, and the soloist sang in Basque. | The choir sang in Latin and the soloist in Basque. | The choir sang in Basque and the soloist in Latin.
Line 4 ends at the harbour. Line 9 ends at the stadium. | Line 4 ends at the harbour and line 9 at the stadium. | Line 9 ends at the harbour and line 4 at the stadium.
Yusuf, a carpenter, built the stage. Lena, a dentist, paid for the lamps. | Yusuf built the stage and Lena paid for the lamps. | Lena built the stage and Yusuf paid for the lamps.
The valley grows apricots, while the coast grows olives. | The valley grows apricots and the coast grows olives. | The coast grows apricots and the valley grows olives.
Nadia voted for the plan. Emil voted against it. | Nadia voted for the plan and Emil against it. | Emil voted for the plan and Nadia against it.
The castle belongs to the state. The mill belongs to a family of weavers. | The castle belongs to the state and the mill to a family. | The mill belongs to the state and the castle to a family.
Tea arrived in the port in 1610 and coffee in 1645. | Tea arrived in 1610 and coffee in 1645. | Coffee arrived in 1610 and tea in 1645.
Hedda won the race in Kiruna. Solveig came last. | Hedda won the race and Solveig came last. | Solveig won the race and Hedda came last.
The old library stands on the hill. The new library stands by the river. | The old library stands on the hill and the new library by the river. | The new library stands on the hill and the old library by the river.
Marta lives in Vienna and works in Graz. | Marta lives in Vienna and works in Graz. | Marta works in Vienna and lives in Graz.
The police arrested a waiter on Monday and released a cook on Thursday. | The police arrested a waiter and released a cook. | The police arrested a cook and released a waiter.
Iceland exports fish. Denmark exports bacon. | Iceland exports fish and Denmark exports bacon. | Iceland exports bacon and Denmark exports fish.
The painter Ruiz died poor. His dealer Mendes died rich. | Ruiz died poor and Mendes died rich. | Ruiz died rich and Mendes died poor.
The clinic opens at seven. The pharmacy opens at nine. | The clinic opens at seven and the pharmacy at nine. | The clinic opens at nine and the pharmacy at seven.
Zinc was mined in the west and silver in the east. | Zinc was mined in the west and silver in the east. | Silver was mined in the west and zinc in the east.
Camels were used on the southern route. Mules were used on the coastal route. | Camels were used on the southern route and mules on the coastal route. | Mules were used on the southern route and camels on the coastal route.
Professor Adeyemi discovered the beetle. Her student Ferreira named it. | Adeyemi discovered the beetle and Ferreira named it. | Ferreira discovered the beetle and Adeyemi named it.
In 2004 the town elected Weiss; in 2010 it elected Pfeffer. | The town elected Weiss in 2004 and Pfeffer in 2010. | The town elected Pfeffer in 2004 and Weiss in 2010.
The kitchen is painted green and the hall is painted white. | The kitchen is green and the hall is white. | The kitchen is white and the hall is green.
Rabbits are eaten by owls. Mice are eaten by snakes. | Owls eat rabbits and snakes eat mice. | Owls eat mice and snakes eat rabbits.
Juno directed the film and Castellan wrote the music. | Juno directed the film and Castellan wrote the music. | Castellan directed the film and Juno wrote the music.
The brothers quarrelled: Karel kept the inn and Matej took the vineyard. | Karel kept the inn and Matej took the vineyard. | Matej kept the inn and Karel took the vineyard.
Gate B serves flights to Cairo and gate D serves flights to Accra. | Gate B serves Cairo and gate D serves Accra. | Gate D serves Cairo and gate B serves Accra.
The dam produces power, and the canal carries water to the fields. | The dam produces power and the canal carries water. | The canal produces power and the dam carries water.
Freya was born in Malmö and died in Turku. | Freya was born in Malmö and died in Turku. | Freya died in Malmö and was born in Turku.
The company closed its plant in Leeds and opened an office in Cork. | The company closed a plant in Leeds and opened an office in Cork. | The company opened a plant in Cork and closed an office in Leeds.
Silk dries quickly; wool dries slowly. | Silk dries quickly and wool slowly. | Wool dries quickly and silk slowly.
"""

NEGATION = """
The report is complete, but the budget is not approved. | The report is complete but the budget is not approved. | The report is not complete but the budget is approved.
The lift works again; the heating does not. | The lift is working and the heating is not. | The heating is working and the lift is not.
Clara is coming to the wedding. Her cousin is not coming. | Clara is coming and her cousin is not coming. | Clara is not coming and her cousin is coming.
The drug relieved pain. It did not lower blood pressure. | The drug did relieve pain and did not lower blood pressure. | The drug did not relieve pain and did lower blood pressure.
The tower is open to visitors and the crypt is not. | The tower is open and the crypt is not open. | The tower is not open and the crypt is open.
Swans can fly, but penguins cannot. | Swans can fly and penguins can not fly. | Swans can not fly and penguins can fly.
He was never in Paris, though he was often in Rome. | He was often in Rome and never in Paris. | He was often in Paris and never in Rome.
The treaty covers fishing. It does not cover mining. | The treaty does cover fishing and does not cover mining. | The treaty does not cover fishing and does cover mining.
The verdict has been announced, but the sentence has not been announced. | The verdict has been announced and the sentence has not. | The sentence has been announced and the verdict has not.
The bus driver was hurt. The passengers were not hurt. | The driver was hurt and the passengers were not hurt. | The driver was not hurt and the passengers were hurt.
Copper will tarnish in damp air, gold will not tarnish at all. | Copper will tarnish and gold will not tarnish. | Copper will not tarnish and gold will tarnish.
The first witness has been heard, the second has not. | The first witness has been heard and the second has not. | The second witness has been heard and the first has not.
Members may vote by letter. They may not vote by telephone. | Members may vote by letter and may not vote by telephone. | Members may not vote by letter and may vote by telephone.
The manuscript is signed but it is not dated. | The manuscript is signed and is not dated. | The manuscript is not signed and is dated.
Elias did not write the letter; he only delivered it. | Elias did deliver the letter and did not write it. | Elias did not deliver the letter and did write it.
The island has a school, but it has no clinic. | The island has a school and no clinic. | The island has no school and a clinic.
The cheapest ticket includes a seat but no meal. | The ticket includes a seat and no meal. | The ticket includes no seat and a meal.
The mayor has resigned. The council has not resigned. | The mayor has resigned and the council has not resigned. | The mayor has not resigned and the council has resigned.
Bats are not blind, but moles nearly are. | Moles are nearly blind and bats are not. | Bats are nearly blind and moles are not.
The tenor was not ill; the soprano was. | The soprano was ill and the tenor was not ill. | The tenor was ill and the soprano was not ill.
It rained in April and did not rain in June. | In April it did rain and in June it did not. | In June it did rain and in April it did not.
The app stores names. It does not store addresses. | The app does store names and does not store addresses. | The app does not store names and does store addresses.
The garden is public, the house is not public. | The garden is public and the house is not public. | The garden is not public and the house is public.
The jury believed the doctor and did not believe the nurse. | The jury did believe the doctor and did not believe the nurse. | The jury did not believe the doctor and did believe the nurse.
Solar panels were installed on the school. None were installed on the church. | Panels were installed on the school and not on the church. | Panels were installed on the church and not on the school.
"""


def pairs() -> list[dict[str, str]]:
    """Return the 200 rows: kind, premise, claim, label (`entailment` or `not_entailment`)."""
    rows = []
    for kind, table in (("roles", ROLES), ("fused", FUSED), ("negation", NEGATION)):
        for line in table.strip().splitlines():
            premise, right, wrong = (part.strip() for part in line.split("|"))
            rows.append({"kind": kind, "premise": premise, "claim": right, "label": "entailment"})
            rows.append({"kind": kind, "premise": premise, "claim": wrong, "label": "not_entailment"})
    return rows


if __name__ == "__main__":
    path = Path(__file__).with_name("same_bag_of_words.jsonl")
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in pairs()), encoding="utf-8")
