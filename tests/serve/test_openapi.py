"""The service keeps what its OpenAPI document promises, whatever schemathesis sends."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings

from grapheval.serve import create_app

from .conftest import pipeline

schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(pipeline(), hosts=()))


@schema.parametrize()
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_call_keeps_its_contract(case: schemathesis.Case) -> None:
    case.call_and_validate()


def test_the_document_has_the_three_calls() -> None:
    paths = schema.raw_schema["paths"]
    assert sorted(paths) == ["/check", "/correct", "/health"]
    assert {"200", "413", "422", "429", "503"} <= set(paths["/check"]["post"]["responses"])
    assert "HTTPValidationError" not in schema.raw_schema["components"]["schemas"]
