"""How fast a model reads here, as ratios of what is timed in one run."""

from petra.bench.memory import BenchResult, measure, plain_loop
from petra.bench.race import PARAGRAPH

__all__ = ["PARAGRAPH", "BenchResult", "measure", "plain_loop"]
