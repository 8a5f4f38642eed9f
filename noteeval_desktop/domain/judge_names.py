"""The judges that one may choose between, by their kind, as the window and the commands list them."""

BUILTIN, LOCAL, REMOTE = "builtin", "local", "remote"
JUDGES = {BUILTIN: "Built-in", LOCAL: "Local model", REMOTE: "Online AI service"}
