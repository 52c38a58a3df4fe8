"""GraphEval for LangChain: extractor, evaluator, guardrail and agent middleware are coming here."""
