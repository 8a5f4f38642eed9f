"""The judges that one may choose between, by their kind, as the window and the commands list them."""

JUDGES = {"builtin": "Built-in", "local": "Local model", "remote": "Online AI service"}
