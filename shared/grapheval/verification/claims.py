"""One form for every claim: what stands at its end must not change the verdict."""

from __future__ import annotations

_STOPS = ".!…。！｡,;:、，；："
_CLOSERS = "\"'”’»)]}」』）】"


def normalize_claim(claim: str) -> str:
    """Bring a claim into the form that NLI models were trained on: one line, one full stop at the end.

    Args:
        claim: A sentence or a triple as text, with or without punctuation at its end.

    Returns:
        The claim with single spaces and exactly one final full stop, outside of closing quotes and brackets; a
        question keeps its question mark, for it states nothing. "" if there is no letter or digit in it.

    >>> normalize_claim("Oslo is  big"), normalize_claim("Oslo is big !"), normalize_claim('She said "no."')
    ('Oslo is big.', 'Oslo is big.', 'She said "no".')
    """
    text = " ".join(claim.split())
    if not any(character.isalnum() for character in text):
        return ""
    body = text.rstrip(_STOPS + _CLOSERS + " ")
    if body.endswith(("?", "？", "؟")):
        return body
    closers = "".join(character for character in text[len(body) :] if character in _CLOSERS)
    return f"{body}{closers}."
