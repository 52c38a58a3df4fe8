"""Thresholds and probability maps fitted on a user's labelled answers, and the settings file that holds them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapheval.calibration.fitting import Calibrated, calibrate
    from grapheval.calibration.labelled import LabelledSample, read_labelled
    from grapheval.calibration.maps import IsotonicMap, LogisticMap, ProbabilityMap
    from grapheval.calibration.settings import FitReport, PipelineChoices, Settings

__all__ = [
    "Calibrated",
    "FitReport",
    "IsotonicMap",
    "LabelledSample",
    "LogisticMap",
    "PipelineChoices",
    "ProbabilityMap",
    "Settings",
    "calibrate",
    "read_labelled",
]

_HOME = {
    "Calibrated": "fitting",
    "calibrate": "fitting",
    "LabelledSample": "labelled",
    "read_labelled": "labelled",
    "IsotonicMap": "maps",
    "LogisticMap": "maps",
    "ProbabilityMap": "maps",
    "FitReport": "settings",
    "PipelineChoices": "settings",
    "Settings": "settings",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module 'grapheval.calibration' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"grapheval.calibration.{_HOME[name]}"), name)
