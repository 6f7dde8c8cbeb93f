# SPDX-License-Identifier: GPL-3.0-or-later
# What another program sees of the window by AT-SPI: waits for the locks that are named, then prints a line for each thing that
# is shown (role, name, whether it takes the focus, separated by tabs), and for each table its columns.
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

MOST_ROWS = 10
PATIENCE = 150  # seconds; the conditions below end it


def window():
    desktop = Atspi.get_desktop(0)
    for at in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(at)
        if program and program.get_name() == "Lockscope" and program.get_child_count():
            return program.get_child_at_index(0)
    return None


def cells(table):
    grid = table.get_table_iface()
    for row in range(min(grid.get_n_rows(), MOST_ROWS)):
        yield [(grid.get_accessible_at(row, column).get_name() or "") for column in range(grid.get_n_columns())]


def has_tabs(node):
    children = [node.get_child_at_index(at) for at in range(node.get_child_count())]
    return any(child and child.get_role_name() == "page tab" for child in children)


def walk(node, found):
    if node is None or not node.get_state_set().contains(Atspi.StateType.SHOWING):
        return
    focus = node.get_state_set().contains(Atspi.StateType.FOCUSABLE)
    if node.get_role_name() == "page tab list" and not has_tabs(node):
        return  # Qt names it as its tab in front; without tabs nothing of it is seen
    found.append(("node", node.get_role_name(), node.get_name() or "", "focusable" if focus else ""))
    if node.get_table_iface():
        grid = node.get_table_iface()
        columns = [grid.get_column_description(at) or "" for at in range(grid.get_n_columns())]
        found.append(("columns", node.get_name() or "", *columns))
        found.extend(("row", *row) for row in cells(node))
        return
    for at in range(node.get_child_count()):
        walk(node.get_child_at_index(at), found)


def main(keys):
    Atspi.init()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = []
        try:
            walk(window(), found)
        except GLib.Error:  # what is gone while it is looked at
            found = []
        if all(any(key in line for line in found if line[0] == "row") for key in keys):
            for line in found:
                print("\t".join(part.replace("\n", " ").replace("\t", " ") for part in line))
            return 0
        time.sleep(0.2)
    print("not seen in time:", keys, found, file=sys.stderr)
    return 1


sys.exit(main(sys.argv[1:]))
