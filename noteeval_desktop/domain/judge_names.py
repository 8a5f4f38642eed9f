"""The judges that one may choose between, by their kind, as the window and the commands list them."""

JUDGES = {"builtin": "Built-in", "local": "Local model", "remote": "Online AI service"}


def model_name(known: str) -> str:
    """What a list calls the judge that is ``known`` as "kind model"."""
    kind, _, model = known.partition(" ")
    return JUDGES["builtin"] if kind == "builtin" else model or kind
