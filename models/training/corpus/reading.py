"""The labelled sessions of the corpus; benchmarks read the same form, so it is defined in the program."""

from noteeval_desktop.measures.labelled import *  # noqa: F403
