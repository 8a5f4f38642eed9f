"""The window itself: its frame, menus, first page, header, lines of status and what it needs from the program."""
