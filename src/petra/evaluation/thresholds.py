"""The thresholds the paper chooses from: 0.01, 0.02, .. 1.00."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

THRESHOLDS: Final[NDArray[np.float64]] = np.arange(1, 101) / 100
THRESHOLDS.flags.writeable = False
