"""Writes same_bag_of_words.jsonl: 250 premises, each with a true and a false claim made of the same words.

Every line was read by hand. The sentences share no text with the verifier's training data. Over the whole file the true
claim repeats about as many of the premise's word pairs as the false one, so neither the bag of words nor closeness to
the wording tells the two apart (tests/bench/test_same_words.py counts it).
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
The baker, sued by the landlord over unpaid rent, has closed his shop. | The landlord sued the baker. | The baker sued the landlord.
In the final scene the fox tricks the crow into dropping the cheese. | The fox tricks the crow. | The crow tricks the fox.
Olga recommended Stefan for the post after reading his thesis. | Olga recommended Stefan. | Stefan recommended Olga.
The referee, accused by the goalkeeper of ignoring a foul, shrugged. | The goalkeeper accused the referee. | The referee accused the goalkeeper.
Norfeld Cables, acquired by Halden Shipping for 40 million kroner, stays in Bergen. | Halden Shipping acquired Norfeld Cables. | Norfeld Cables acquired Halden Shipping.
The violinist thanked the conductor in her speech. | The violinist thanked the conductor. | The conductor thanked the violinist.
The moose chased by three wolves fled across the frozen lake. | Three wolves chased the moose. | The moose chased three wolves.
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
The map that the museum had borrowed is back in the monastery. | The museum borrowed the map from the monastery. | The monastery borrowed the map from the museum.
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
Graz is where Marta works, Vienna where she lives. | Marta lives in Vienna and works in Graz. | Marta works in Vienna and lives in Graz.
The police arrested a waiter on Monday and released a cook on Thursday. | The police arrested a waiter and released a cook. | The police arrested a cook and released a waiter.
Iceland exports fish. Denmark exports bacon. | Iceland exports fish and Denmark exports bacon. | Iceland exports bacon and Denmark exports fish.
The painter Ruiz died poor. His dealer Mendes died rich. | Ruiz died poor and Mendes died rich. | Ruiz died rich and Mendes died poor.
The clinic opens at seven. The pharmacy opens at nine. | The clinic opens at seven and the pharmacy at nine. | The clinic opens at nine and the pharmacy at seven.
In the east silver was mined, in the west zinc. | Zinc was mined in the west and silver in the east. | Silver was mined in the west and zinc in the east.
Camels were used on the southern route. Mules were used on the coastal route. | Camels were used on the southern route and mules on the coastal route. | Mules were used on the southern route and camels on the coastal route.
Professor Adeyemi discovered the beetle. Her student Ferreira named it. | Adeyemi discovered the beetle and Ferreira named it. | Ferreira discovered the beetle and Adeyemi named it.
In 2004 the town elected Weiss; in 2010 it elected Pfeffer. | The town elected Weiss in 2004 and Pfeffer in 2010. | The town elected Pfeffer in 2004 and Weiss in 2010.
The kitchen is painted green and the hall is painted white. | The kitchen is green and the hall is white. | The kitchen is white and the hall is green.
Rabbits are eaten by owls. Mice are eaten by snakes. | Owls eat rabbits and snakes eat mice. | Owls eat mice and snakes eat rabbits.
The film was directed by Juno, its music written by Castellan. | Juno directed the film and Castellan wrote the music. | Castellan directed the film and Juno wrote the music.
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


# From here on the true claim is the one that departs from the premise's wording more often than not.
NUMBERS = """
The lecture begins at 14:00 and the seminar at 16:30. | The seminar begins at 16:30 and the lecture at 14:00. | The lecture begins at 16:30 and the seminar at 14:00.
Paracetamol is given every six hours, the antibiotic every twelve. | The antibiotic is given every twelve hours and paracetamol every six. | Paracetamol is given every twelve hours and the antibiotic every six.
Room 12 has 30 desks; room 30 has only 12. | There are 12 desks in room 30 and 30 in room 12. | There are 12 desks in room 12 and 30 in room 30.
Of the 64 votes, 41 went to Pereira and the remaining 23 to Quist. | Quist got 23 votes and Pereira 41. | Quist got 41 votes and Pereira 23.
The bridge, opened in 1907, was rebuilt in 1954. | In 1954 the bridge was rebuilt, in 1907 opened. | In 1907 the bridge was rebuilt, in 1954 opened.
While the ferry takes 50 minutes, a helicopter needs 9. | A helicopter takes 9 minutes, the ferry 50. | A helicopter takes 50 minutes, the ferry 9.
Ravi paid 18 euros for a ticket that had cost Mina 25. | Mina paid 25 euros and Ravi 18. | Mina paid 18 euros and Ravi 25.
Two screws hold the lid and five the hinge. | The hinge is held by five screws and the lid by two. | The hinge is held by two screws and the lid by five.
Some 4,100 people live in Arvik and 970 in Holle. | In Holle live 970 people and in Arvik 4,100. | In Holle live 4,100 people and in Arvik 970.
The warranty covers the battery for one year and the frame for ten. | For ten years the warranty covers the frame, for one the battery. | For ten years the warranty covers the battery, for one the frame.
Between 2011 and 2015 exports rose by 8 per cent; imports fell by 3. | Imports fell by 3 per cent and exports rose by 8. | Imports fell by 8 per cent and exports rose by 3.
Check-in closes 40 minutes before departure, boarding 15. | Boarding closes 15 minutes before departure and check-in 40. | Boarding closes 40 minutes before departure and check-in 15.
The recipe calls for 300 g of flour and 120 g of sugar. | The recipe calls for 120 g of sugar and 300 g of flour. | The recipe calls for 120 g of flour and 300 g of sugar.
Three years after Wanda was born came Oskar. | Oskar was born three years after Wanda. | Wanda was born three years after Oskar.
At sea level water boils at 100 degrees; on the summit it boils at 71. | Water boils at 71 degrees on the summit and at 100 at sea level. | Water boils at 100 degrees on the summit and at 71 at sea level.
Flight QZ 81 departs from gate 7, flight QZ 7 from gate 81. | From gate 81 departs flight QZ 7, from gate 7 flight QZ 81. | From gate 81 departs flight QZ 81, from gate 7 flight QZ 7.
The jury gave Delacroix 9.1 points and Ferrante 8.7. | The jury gave Ferrante 8.7 points and Delacroix 9.1. | The jury gave Delacroix 8.7 points and Ferrante 9.1.
Insulin was started on day 3 and steroids were stopped on day 5. | On day 5 steroids were stopped and on day 3 insulin was started. | On day 3 steroids were stopped and on day 5 insulin was started.
The older tenant pays 640 a month and the younger one 710. | The younger tenant pays 710 a month and the older one 640. | The older tenant pays 710 a month and the younger one 640.
Half of the staff work from home on Mondays, a third on Fridays. | On Fridays a third of the staff work from home and on Mondays half. | On Fridays half of the staff work from home and on Mondays a third.
Tram 2 runs every 5 minutes until 19:00 and every 12 minutes after that. | Until 19:00 tram 2 runs every 5 minutes, after that every 12. | Until 19:00 tram 2 runs every 12 minutes, after that every 5.
Interest on the first loan is 2 per cent, and 6 per cent on the second. | On the second loan interest is 6 per cent and on the first 2. | On the second loan interest is 2 per cent and on the first 6.
Shoes come in sizes 36 to 42, boots in sizes 38 to 48. | Boots come in sizes 38 to 48 and shoes in sizes 36 to 42. | Shoes come in sizes 38 to 48 and boots in sizes 36 to 42.
Nine of the eleven jurors were women. | Of eleven jurors nine were women. | Of nine jurors eleven were women.
The pump moves 20 litres in 3 minutes. | In 3 minutes 20 litres are moved by the pump. | In 20 minutes 3 litres are moved by the pump.
Grandmother was 19 when she married a man of 27. | At 19 Grandmother married a man who was 27. | At 27 Grandmother married a man who was 19.
The museum is open until five on weekdays and until eight on Saturdays. | On Saturdays the museum is open until eight, on weekdays until five. | On Saturdays the museum is open until five, on weekdays until eight.
In 2019 the cooperative had 310 members, down from 450 two years earlier. | Two years before it had 310 members, the cooperative had 450. | Two years before it had 450 members, the cooperative had 310.
Layer one is 4 mm thick and made of cork; layer two is 9 mm thick and made of felt. | The felt layer is 9 mm thick and the cork layer 4 mm. | The cork layer is 9 mm thick and the felt layer 4 mm.
The lighthouse stands 313 m from the pier and 278 m from the church. | From the church the lighthouse stands 278 m away, from the pier 313. | From the church the lighthouse stands 313 m away, from the pier 278.
"""

VOICE = """
The minister criticised by the union has stepped down. | The union criticised the minister. | The minister criticised the union.
A lorry overtaken by a motorcyclist left the road. | A motorcyclist had overtaken a lorry. | A lorry had overtaken a motorcyclist.
Questioned by the prosecutor, the chemist named the supplier. | The prosecutor questioned the chemist. | The chemist questioned the prosecutor.
The parcel sent to Malik by Joanna never arrived. | Joanna sent Malik the parcel. | Malik sent Joanna the parcel.
Mrs. Baptiste was driven to the clinic by her neighbour's son. | Her neighbour's son drove Mrs. Baptiste to the clinic. | Mrs. Baptiste drove her neighbour's son to the clinic.
The patient treated by Dr. Amari had earlier been treated by Dr. Voss. | Dr. Voss treated the patient before Dr. Amari. | Dr. Amari treated the patient before Dr. Voss.
The champion defeated twice by the newcomer offered her a rematch. | Twice the newcomer defeated the champion. | Twice the champion defeated the newcomer.
Employees supervised by Ms. Grant rate her highly. | Ms. Grant supervised employees. | Employees supervised Ms. Grant.
Eastgate Bank, rescued by Corvin Holdings last spring, is profitable again. | Corvin Holdings rescued Eastgate Bank last spring. | Eastgate Bank rescued Corvin Holdings last spring.
The boy pulled from the canal by a jogger thanked him on television. | A jogger pulled the boy from the canal. | The boy pulled a jogger from the canal.
The intern hired by the senator drafted her speech. | The senator hired the intern. | The intern hired the senator.
Money lent to the brothers by a cousin kept the mill going. | A cousin lent the brothers money. | The brothers lent a cousin money.
Sparrows raised by finches sing like finches. | Finches raised sparrows. | Sparrows raised finches.
The hospital's software was supplied by the firm that the ministry later banned. | The ministry banned the firm. | The firm banned the ministry.
Praise from Lindholm for Ortega surprised the critics. | Lindholm praised Ortega. | Ortega praised Lindholm.
The destruction of the Vell fleet by the Orrin navy ended the war. | The Orrin navy destroyed the Vell fleet. | The Vell fleet destroyed the Orrin navy.
Inspectors sent by the council were turned away by the owner. | The owner turned inspectors away. | Inspectors turned the owner away.
The mare kicked by the stallion limped for a week. | The stallion kicked the mare. | The mare kicked the stallion.
It was to Farid that Leona gave the keys. | Leona gave the keys to Farid. | Farid gave the keys to Leona.
What killed the moss was the lime; the weeds were killed by frost. | Frost killed the weeds and the lime killed the moss. | Frost killed the moss and the lime killed the weeds.
The appointment of Dr. Sato by the board was opposed by Dr. Weil. | The board appointed Dr. Sato and Dr. Weil opposed this. | The board appointed Dr. Weil and Dr. Sato opposed this.
The actress interviewed by the magazine's editor had once sued the magazine. | The magazine's editor interviewed the actress. | The actress interviewed the magazine's editor.
Visitors to the castle are guided by pupils. | Pupils guide visitors. | Visitors guide pupils.
The detective whom Blom hired to follow Castro ended up working for Castro. | To follow Castro, Blom hired the detective. | To follow Blom, Castro hired the detective.
The twins were brought up by the aunt whom their mother had brought up. | Their mother brought the aunt up. | The aunt brought their mother up.
The seals watched by the biologists slept on the ice. | The biologists watched the seals. | The seals watched the biologists.
A proposal backed by Norway and resisted by Chile was withdrawn. | Norway backed and Chile resisted a proposal. | Chile backed and Norway resisted a proposal.
The orchestra founded by Haas was later conducted by his pupil Lunde. | Lunde conducted the orchestra and Haas founded it. | Haas conducted the orchestra and Lunde founded it.
The tax introduced by Queen Ysolde was abolished by her son, Edric. | Edric abolished the tax that Queen Ysolde introduced. | Queen Ysolde abolished the tax that Edric introduced.
A cyclist was hit by a taxi that a bus had just hit. | A bus hit a taxi. | A taxi hit a bus.
"""

COMPARISON = """
Lead is not as hard as tin. | Tin is harder than lead. | Lead is harder than tin.
The river Ister is shorter than the Vard. | The Vard is longer than the river Ister. | The river Ister is longer than the Vard.
Goat's milk costs twice as much as cow's milk. | Cow's milk costs half as much as goat's milk. | Goat's milk costs half as much as cow's milk.
Few swimmers trained as hard as Ximena; her sister trained harder still. | Ximena trained less hard than her sister. | Her sister trained less hard than Ximena.
The north face is steeper than the south face but easier than the west. | The north face is easier than the west face. | The west face is easier than the north face.
Compared with last winter's storm, this one did little damage. | Last winter's storm did more damage than this one. | This one did more damage than last winter's storm.
Model B weighs less than model A yet lasts longer. | Model A weighs more than model B. | Model B weighs more than model A.
The pianist practised longer than the cellist, who in turn practised longer than the flautist. | The flautist practised less than the pianist. | The pianist practised less than the flautist.
Nobody on the team is faster than Adaeze except Brigid. | Adaeze is not as fast as Brigid. | Brigid is not as fast as Adaeze.
The copper roof outlasted the slate one. | The slate roof was outlasted by the copper one. | The copper roof was outlasted by the slate one.
Flood claims fell below fire claims for the first time. | Fire claims were higher than flood claims. | Flood claims were higher than fire claims.
More passengers chose the night train than the day train. | The day train was chosen by fewer passengers than the night train. | The night train was chosen by fewer passengers than the day train.
The apprentice earns what the cook earned ten years ago, and the cook now earns double that. | The cook earns double what the apprentice earns. | The apprentice earns double what the cook earns.
Among the three peaks, Tolva is the highest and Brenn the lowest. | Brenn is lower than Tolva. | Tolva is lower than Brenn.
Rarely has a sequel sold better than its original, but Night Harbour II did. | Night Harbour II sold better than Night Harbour. | Night Harbour sold better than Night Harbour II.
The suspension bridge was cheaper to build than the tunnel. | The tunnel was more expensive to build than the suspension bridge. | The suspension bridge was more expensive to build than the tunnel.
Wool loses to silk in strength but not in warmth. | Silk is stronger than wool. | Wool is stronger than silk.
Helmets sold faster than gloves in March; by June gloves had overtaken helmets. | By June gloves sold faster than helmets. | By June helmets sold faster than gloves.
The clerk is younger than everyone in the office, the caretaker included. | The caretaker is older than the clerk. | The clerk is older than the caretaker.
Attic rooms are smaller than cellar rooms but get more light. | Cellar rooms get less light than attic rooms. | Attic rooms get less light than cellar rooms.
The express leaves earlier than the local train by a quarter of an hour. | The local train leaves later than the express. | The express leaves later than the local train.
Hens outnumber ducks three to one on the farm. | There are fewer ducks than hens on the farm. | There are fewer hens than ducks on the farm.
Swedish exports overtook Finnish ones in May. | Finnish exports were overtaken by Swedish ones in May. | Swedish exports were overtaken by Finnish ones in May.
In the blind tasting the cheap oil beat the costly one. | The costly oil lost to the cheap one in the blind tasting. | The cheap oil lost to the costly one in the blind tasting.
No sample contained more arsenic than sample C; sample F contained the least. | Sample C contained more arsenic than sample F. | Sample F contained more arsenic than sample C.
"""

ATTRIBUTION = """
Dr. Moss, according to Dr. Vane, invented the figures. | Dr. Vane says that Dr. Moss invented the figures. | Dr. Moss says that Dr. Vane invented the figures.
The mayor, told by an engineer that the dam was safe, sent everyone home. | An engineer told the mayor that the dam was safe. | The mayor told an engineer that the dam was safe.
Pires denied what Holm had alleged: that Pires had leaked the memo. | That Pires had leaked the memo was alleged by Holm. | That Holm had leaked the memo was alleged by Pires.
"The strike will end on Friday," said the union; the company expects it to last for weeks. | The strike will end on Friday, the union and not the company said. | The strike will end on Friday, the company and not the union said.
Critics of Aldo say he copied Berta. Aldo's friends say she copied him. | Critics say that Aldo copied Berta, friends that Berta copied Aldo. | Friends say that Aldo copied Berta, critics that Berta copied Aldo.
Reporters asked the coach about remarks by the captain, which he refused to discuss. | The captain made remarks and the coach refused to discuss them. | The coach made remarks and the captain refused to discuss them.
For the fire Baron Otto is blamed by Countess Ilse in her memoir. | Countess Ilse blamed Baron Otto for the fire. | Baron Otto blamed Countess Ilse for the fire.
It was Burke, not Hume, who wrote the line often credited to Hume. | The line was written by Burke and not by Hume. | The line was written by Hume and not by Burke.
The guest, overheard by the waiter, said that he had a knife. | The waiter overheard the guest. | The guest overheard the waiter.
Wells, whom Tarkov called a genius, thought Tarkov a fraud. | Wells was called a genius and Tarkov thought a fraud. | Tarkov was called a genius and Wells thought a fraud.
The rumour about the treasurer was spread by the opposition. | The opposition spread the rumour about the treasurer. | The treasurer spread the rumour about the opposition.
Asked by a pupil whether she believed in ghosts, the teacher laughed. | A pupil asked the teacher about ghosts. | The teacher asked a pupil about ghosts.
My sister, contrary to my brother, thinks the well is dry. | My sister thinks the well is dry and my brother does not. | My brother thinks the well is dry and my sister does not.
Reyes's lawyer learned from Stone's that Stone would appeal. | Stone's lawyer told Reyes's that Stone would appeal. | Reyes's lawyer told Stone's that Stone would appeal.
The airline blames the weather for the delay; the airport blames the airline. | The airport blames the airline and the airline the weather. | The airline blames the airport and the airline the weather.
Celia was promised by Ambrose that he would sell the boat. | Ambrose promised Celia that he would sell the boat. | Celia promised Ambrose that he would sell the boat.
Warned by Greta about Hugo, Irma avoided him. | Greta warned Irma about Hugo. | Hugo warned Irma about Greta.
A scientist quoted by the minister called the plan reckless. | The minister quoted a scientist. | A scientist quoted the minister.
Rossi, wrote Mann in 1920, understood nothing about the sea. | Mann wrote that Rossi understood nothing about the sea. | Rossi wrote that Mann understood nothing about the sea.
The landlord claims the tenant broke the window. The tenant says a storm did. | A storm broke the window, says the tenant and not the landlord. | A storm broke the window, says the landlord and not the tenant.
The porter, suspected by the guide, himself suspected no one. | The guide suspected the porter. | The porter suspected the guide.
To the director's surprise the audience laughed at the actor's tears. | The audience surprised the director. | The director surprised the audience.
Whereas the Times credits the win to the goalkeeper, the Post credits it to the coach. | To the coach the Post credits the win, to the goalkeeper the Times. | To the coach the Times credits the win, to the goalkeeper the Post.
Professor Lam's theory was disproved by a student of Professor Orr's. | A student of Professor Orr's disproved the theory of Professor Lam's. | A student of Professor Lam's disproved the theory of Professor Orr's.
The forecast for rain came from the airport, and the one for sun from the harbour. | The harbour forecast sun and the airport rain. | The harbour forecast rain and the airport sun.
"""

SCOPE = """
Otters, unlike beavers, eat fish. | Otters eat fish and beavers do not. | Beavers eat fish and otters do not.
Rice instead of wheat feeds the valley. | Rice feeds the valley and wheat does not. | Wheat feeds the valley and rice does not.
All the windows but the one in the attic were shut. | The attic window was open, the others shut. | The attic window was shut, the others open.
Far from refusing the grant, the institute asked for a second one; it was the hospital that refused. | The hospital refused and the institute did not. | The institute refused and the hospital did not.
Not every guest who ate the oysters fell ill, but every guest who fell ill had eaten them. | Every guest who fell ill ate the oysters. | Every guest who ate the oysters fell ill.
Every judge here was once a lawyer, though few lawyers became judges. | Every judge was once a lawyer. | Every lawyer was once a judge.
If the valve sticks, the alarm sounds; the alarm also sounds when the power fails. | The alarm sounds if the valve sticks. | The valve sticks if the alarm sounds.
Plants without light but with water died later than those with light but without water. | Plants with light and without water died first. | Plants with water and without light died first.
Nothing in the contract forbids pets; what it forbids is smoking. | The contract forbids smoking and not pets. | The contract forbids pets and not smoking.
Had Lotte missed the train, as Bruno did, she would not have met Omar. | Bruno missed the train and Lotte did not. | Lotte missed the train and Bruno did not.
The cashier forgot to lock the safe but remembered to lock the door. | The door was locked and the safe was not. | The safe was locked and the door was not.
Failing to reach the summit in fog, the climbers reached it a day later in snow. | The climbers reached the summit in snow and failed in fog. | The climbers reached the summit in fog and failed in snow.
Some of the numbered copies are signed; all of the signed ones are numbered. | All of the signed copies are numbered. | All of the numbered copies are signed.
The grant is for painters, not for sculptors; the studio is for sculptors, not for painters. | The studio is not for painters and the grant is not for sculptors. | The studio is not for sculptors and the grant is not for painters.
Too heavy for the shelf, the radio was put on the table; the clock went on the shelf. | The radio went on the table and the clock on the shelf. | The clock went on the table and the radio on the shelf.
Without the king's consent the bishop could act, but not without the pope's. | The bishop needed the pope's consent and not the king's. | The bishop needed the king's consent and not the pope's.
The exhibition, originally planned for spring, takes place in autumn. | The exhibition is in autumn and not in spring. | The exhibition is in spring and not in autumn.
Ewa speaks Hausa but cannot write it; Tunde can, though he speaks it badly. | Tunde can write Hausa and Ewa cannot. | Ewa can write Hausa and Tunde cannot.
The shop accepts cards except on market days, when it takes nothing but cash. | On market days the shop accepts cash and not cards. | On market days the shop accepts cards and not cash.
"""

CLAUSES = """
The judge who replaced Ms. Ito retired in May. | Ms. Ito was replaced and the judge retired in May. | The judge was replaced and Ms. Ito retired in May.
The lawyer who had defended Kraus married Voigt. | By the lawyer Kraus was defended and Voigt married. | By the lawyer Voigt was defended and Kraus married.
The village that lies behind the hill with the chapel has a mill. | The chapel is on the hill and the mill in the village. | The mill is on the hill and the chapel in the village.
The woman next to the man with the umbrella carried a violin. | The man had the umbrella and the woman a violin. | The woman had the umbrella and the man a violin.
Beside the nephew of a baker sat the widow of a judge. | The widow of a judge sat beside the nephew of a baker. | The widow of a baker sat beside the nephew of a judge.
The file that the ministry hid was leaked by a clerk. | A clerk leaked what the ministry hid. | The ministry leaked what a clerk hid.
Since the well that feeds the fountain dried up, the fountain has been fed by the river. | The river feeds the fountain and the well dried up. | The well feeds the fountain and the river dried up.
Mirjam, whose brother teaches Sven, is taught by Sven's wife. | Sven's wife teaches Mirjam and Mirjam's brother Sven. | Mirjam's brother teaches Mirjam and Sven's wife Sven.
The tree beside the bench was felled, and the bench itself moved to the park. | The bench was moved and the tree felled. | The tree was moved and the bench felled.
Where the Romans had built a temple, the Goths built a barn and the Franks a church. | The Franks built a church, the Romans a temple and the Goths a barn. | The Goths built a church, the Romans a temple and the Franks a barn.
The manager of the shop where Keita worked sacked Lowe, whose desk Keita then took. | Lowe was sacked and Keita took the desk. | Keita was sacked and Lowe took the desk.
The vase on loan to the museum belongs to the collector who outbid it. | The collector lent the museum the vase. | The museum lent the collector the vase.
The wasps that the spiders in the shed feed on sting horses. | Spiders feed on wasps and wasps sting horses. | Wasps feed on spiders and wasps sting horses.
The programmer whose code the tester had rejected rewrote the tests. | The tester rejected the code and the programmer rewrote the tests. | The programmer rejected the code and the tester rewrote the tests.
Where the path from the mill meets the road from the quarry, turn towards the sea. | The road comes from the quarry and the path from the mill. | The path comes from the quarry and the road from the mill.
The song that made Delphine famous was written for Noor, who turned it down. | Noor turned the song down and Delphine became famous. | Delphine turned the song down and Noor became famous.
The hotel across from the station had no heating; the station did. | The station had heating, the hotel no heating. | The hotel had heating, the station no heating.
Goods from the warehouse that burned were moved to the one that flooded. | Goods were moved from the burned warehouse to the flooded one. | Goods were moved from the flooded warehouse to the burned one.
The boxer trained by Ruth's father knocked out the one trained by Ruth. | The boxer trained by Ruth lost to the one trained by Ruth's father. | The boxer trained by Ruth's father lost to the one trained by Ruth.
The thief sheltered by the widow turns out to be her son's killer. | The widow sheltered the thief. | The thief sheltered the widow.
Rather than the copy that hangs in the hall, the burglars took the original from the vault. | The original was in the vault and the copy hangs in the hall. | The copy was in the vault and the original hangs in the hall.
"""

TABLES = {
    "roles": ROLES,
    "fused": FUSED,
    "negation": NEGATION,
    "numbers": NUMBERS,
    "voice": VOICE,
    "comparison": COMPARISON,
    "attribution": ATTRIBUTION,
    "scope": SCOPE,
    "clauses": CLAUSES,
}


def pairs() -> list[dict[str, str]]:
    """Return the 500 rows: kind, premise, claim, label (`entailment` or `not_entailment`)."""
    rows = []
    for kind, table in TABLES.items():
        for line in table.strip().splitlines():
            premise, right, wrong = (part.strip() for part in line.split("|"))
            rows.append({"kind": kind, "premise": premise, "claim": right, "label": "entailment"})
            rows.append({"kind": kind, "premise": premise, "claim": wrong, "label": "not_entailment"})
    return rows


if __name__ == "__main__":
    path = Path(__file__).with_name("same_bag_of_words.jsonl")
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in pairs()), encoding="utf-8")
