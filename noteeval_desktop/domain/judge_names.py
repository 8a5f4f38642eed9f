"""The judges that one may choose between, by their kind, as the window and the commands list them."""

BUILTIN, LOCAL, REMOTE = "builtin", "local", "remote"
JUDGES = {BUILTIN: "Built-in", LOCAL: "Local model", REMOTE: "Online AI service"}


def model_name(known: str) -> str:
    """What a list calls the judge that is ``known`` as "kind model"."""
    kind, _, model = known.partition(" ")
    return JUDGES[BUILTIN] if kind == BUILTIN else model or kind
