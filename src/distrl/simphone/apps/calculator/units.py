"""The units that the calculator's converter knows."""

from __future__ import annotations

from decimal import Decimal

UNITS: dict[str, dict[str, str]] = {
    "Length": {
        "Metres": "1", "Kilometres": "1000", "Centimetres": "0.01", "Millimetres": "0.001",
        "Miles": "1609.344", "Yards": "0.9144", "Feet": "0.3048", "Inches": "0.0254",
    },
    "Weight": {
        "Kilograms": "1", "Grams": "0.001", "Tonnes": "1000", "Pounds": "0.45359237",
        "Ounces": "0.028349523125", "Stones": "6.35029318",
    },
    "Volume": {
        "Litres": "1", "Millilitres": "0.001", "Cups": "0.24", "Pints": "0.473176473",
        "Gallons": "3.785411784", "Tablespoons": "0.015", "Teaspoons": "0.005",
    },
    "Speed": {"km/h": "1", "m/s": "3.6", "mph": "1.609344", "Knots": "1.852"},
    "Temperature": {"Celsius": "1", "Fahrenheit": "0", "Kelvin": "0"},
}  # fmt: skip
"""For each quantity its units, each as a multiple of the first (temperatures are converted otherwise)."""


def convert(quantity: str, source: str, target: str, value: Decimal) -> Decimal:
    """A value in another unit of the same quantity."""
    if quantity == "Temperature":
        return _from_celsius(_to_celsius(value, source), target)
    factors = UNITS.get(quantity, {})
    return value * Decimal(factors.get(source, "1")) / Decimal(factors.get(target, "1"))


def _to_celsius(value: Decimal, unit: str) -> Decimal:
    if unit == "Fahrenheit":
        return (value - 32) * 5 / 9
    return value - Decimal("273.15") if unit == "Kelvin" else value


def _from_celsius(value: Decimal, unit: str) -> Decimal:
    if unit == "Fahrenheit":
        return value * 9 / 5 + 32
    return value + Decimal("273.15") if unit == "Kelvin" else value
