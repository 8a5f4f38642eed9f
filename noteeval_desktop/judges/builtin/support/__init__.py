"""Is each sentence of a note borne out by the session? Evidence, then one decision.

``retrieval`` finds the windows of talk that could decide, ``reader`` reads them, ``evidence`` gathers what speaks for
and against a claim, ``decision`` makes two probabilities of it, ``verdicts`` puts them into words.
"""
