"""Units and currencies: which stand for the same thing, and how they convert."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class Unit(NamedTuple):
    """What a number counts.

    Args:
        dimension: Units of one dimension convert into each other: "length", "usd".
        factor: How many of the dimension's base unit it is.
    """

    dimension: str
    factor: Decimal


_TABLE = """
time 1: s sec secs second seconds | 60: min mins minute minutes | 3600: h hr hrs hour hours hourly
time 86400: day days daily | 604800: week weeks weekly | 1209600: fortnight fortnights
months 1: month months | 12: yr yrs year years | 120: decade decades | 1200: century centuries
length 0.001: mm millimetre millimetres millimeter millimeters | 0.01: cm centimetre centimetres centimeter centimeters
length 1: metre metres meter meters | 1000: km kms kilometre kilometres kilometer kilometers
length 0.0254: inch inches | 0.3048: ft foot feet | 0.9144: yd yard yards | 1609.344: mi mile miles
mass 0.000001: mg milligram milligrams | 0.001: g gram grams gramme grammes | 1: kg kgs kilo kilos kilogram kilograms
mass 1000: tonne tonnes | 0.4536: lb lbs | 0.02835: oz ounce ounces
volume 0.001: ml millilitre millilitres milliliter milliliters | 1: litre litres liter liters | 3.785: gallon gallons
area 1: hectare hectares ha | 0.4047: acre acres
celsius 1: °c celsius centigrade
fahrenheit 1: °f fahrenheit
speed 1: km/h kmh kph | 1.609344: mph
data 0.001: kb kilobyte kilobytes | 1: mb megabyte megabytes | 1000: gb gigabyte gigabytes
data 1000000: tb terabyte terabytes
power 0.001: w watt watts | 1: kw kilowatt kilowatts | 1000: mw megawatt megawatts | 1000000: gw gigawatt gigawatts
energy 1: kwh | 1000: mwh
percent 1: % percent per-cent pct percentage
usd 1: $ us$ usd dollar dollars buck bucks | 0.01: ¢
aud 1: a$ aud
cad 1: c$ cad
hkd 1: hk$ hkd
eur 1: € eur euro euros
gbp 1: £ gbp sterling quid
jpy 1: ¥ jpy yen
cny 1: cny rmb yuan renminbi
inr 1: ₹ inr rupee rupees
chf 1: chf franc francs
sek 1: sek krona kronor
nok 1: nok
dkk 1: dkk
rub 1: ₽ rub rouble roubles ruble rubles
krw 1: ₩ krw
btc 1: ₿ btc bitcoin bitcoins
"""

UNITS: dict[str, Unit] = {
    word: Unit(line.split()[0], Decimal(part.split(":")[0].split()[-1]))
    for line in _TABLE.strip().splitlines()
    for part in line.split("|")
    for word in part.split(":", 1)[1].split()
}
"""By word or sign, in lower case. Left out because they say too many things: m (metre, million), pound, cent, ton."""

CURRENCIES = frozenset(
    {"usd", "aud", "cad", "hkd", "eur", "gbp", "jpy", "cny", "inr", "chf", "sek", "nok", "dkk", "rub", "krw", "btc"}
)

FOREIGN_DOLLARS = {"australian": "aud", "canadian": "cad", "hong kong": "hkd"}
"""Which dollars these are, where the word before says so."""
SHORT = frozenset(word for word in UNITS if len(word) <= 2 and word.isalpha())
"""Abbreviations that count only right behind digits: "5 h", not "five h"."""
