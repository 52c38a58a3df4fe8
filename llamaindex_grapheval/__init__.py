"""GraphEval for LlamaIndex: evaluator, postprocessor, query engine and synthesizer are coming here."""
