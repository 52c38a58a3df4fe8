"""Synthetic claims: true and false statements about windows of running text, by rule and by seed."""
