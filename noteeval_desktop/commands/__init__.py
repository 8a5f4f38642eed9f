"""What each `noteeval` command does; ``cli`` has their arguments, exit codes and errors."""
