"""The paper's benchmarks by one command: readers, metrics, a resumable runner, reports."""
