"""The window. Each package is named for what a user sees; a file is named for its part in it.

``…_window``, ``…_dialog``, ``…_page``, ``…_pane``: a view, which draws and asks. ``desk``: the controller of a
package, which answers commands and holds its state. ``words``: what its user reads. ``work``: jobs off the GUI thread.
"""
