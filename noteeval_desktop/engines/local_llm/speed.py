"""How fast a model reads and writes on this computer: measured, or guessed from its size."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.platform.processes import usable_processors

# Of 0.5B in Q8_0 and 1B in Q4_K on two cores with AVX-512: both speeds go with the bytes of the weights.
_READ_BYTES_A_SECOND, _WRITTEN_BYTES_A_SECOND = 1.6e11, 2.9e10
_CORES = 2
_MOST_WRITING_CORES = 4  # then memory is what it waits for


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second."""

    read: float
    written: float

    def seconds(self, read: float, written: float) -> float:
        """For so many tokens."""
        return read / max(self.read, 1e-3) + written / max(self.written, 1e-3)


def guessed(model_bytes: int, cores: int | None = None) -> Speed:
    """Without a graphics processor."""
    cores = cores or usable_processors()
    size = max(1, model_bytes)
    writing = min(cores, _MOST_WRITING_CORES)
    return Speed(_READ_BYTES_A_SECOND * cores / _CORES / size, _WRITTEN_BYTES_A_SECOND * writing / _CORES / size)
