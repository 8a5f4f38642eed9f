"""What every part of the window draws with: colours, icons, splitters, plain text, work off the GUI thread."""
