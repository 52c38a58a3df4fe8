"""The recipe that makes the bundled verifier: data, synthetic claims, training, calibration, export.

Not part of the wheel. Run from the folder `shared`: `python -m training.run --help`.
"""
