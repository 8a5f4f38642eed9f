"""What the program is about: frozen values and pure functions over them; standard library only."""
