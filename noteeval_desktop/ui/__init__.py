"""The window. Each package is a room named for what a user sees; a file is named for its part in it.

``…_window``, ``…_dialog``, ``…_page``, ``…_pane``: a view, which draws and asks. ``desk``: the controller of a
package, which answers commands and holds its state. ``words``: what its user reads. ``work``: jobs off the GUI thread.

Rooms import downwards only, in the order that pyproject.toml keeps, and none imports the window: what a room asks of
it is in ``widgets.shell.Shell``, what it asks of a higher room is a hook in its constructor. ``shell.rooms`` connects
them, after ``shell.main_window`` has shown the frame, which must load as little as can be.
"""
