# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of packaging/docs/libraries.md, of two runs."""

STABLE = 0.1  # two runs may differ by this share
FAULTS = ["pause", "evicted", "flushed", "restarted", "failover"]
LEARNS = {"release-failed": "at release", "released": "no", "hangs": "no answer"}


def tables(libraries, first, second):
    runs = [(name, *(run[name] for run in (first, second) if name in run)) for name in libraries if name in first]
    return "\n\n".join([
        table(["library", "without faults", "holder paused", "lock evicted", "`FLUSHALL`", "restart", "failover",
               "foreign release", "learns of a pause", "learns of a lost lock", "free after `kill -9`"],
              [safety(libraries[name], name, *each) for name, *each in runs]),
        table(["library", "hand-off p50 (ms)", "hand-off p99 (ms)", "commands per hand-off", "commands/s, three wait",
               "fairness"],
              [cost(name, *each) for name, *each in runs]),
        table(["library", "version", "what it says"],
              [words(libraries[name], name, *each) for name, *each in runs])])


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def both(cells):
    """What two runs say alike, or both, marked."""
    return cells[0] if len(set(cells)) == 1 else f"{', '.join(cells)} ~"


def number(values, digits=0, unit=""):
    """The mean of two runs, marked where they differ by more than a tenth."""
    if None in values:
        return both(["none" if value is None else f"{value:,.{digits}f}" for value in values])
    mean = sum(values) / len(values)
    apart = max(values) - min(values) > STABLE * max(values)
    return f"{mean:,.{digits}f}{unit}" + (" ~" if apart else "")


def overlap(row):
    if row is None:
        return "–"
    if "overlaps" not in row:
        return "not measured"
    return "overlap" if row["overlaps"] else "none"


def learns(rows, is_lost=True):
    if any("noticed" not in row for row in rows):
        return "not measured"
    kinds = {row["noticed"] for row in rows}
    if not is_lost and "released" in kinds:
        return both(["no loss seen" if row["noticed"] == "released" else "told" for row in rows])
    if kinds & set(LEARNS):
        return both([LEARNS.get(row["noticed"], "told") for row in rows])
    how = {"exit": "exits, ", "uncaught": "error, "}.get(rows[0]["noticed"], "")
    return how + number([max(row["after"], 1) for row in rows], unit=" ms")


def safety(library, name, *runs):
    holds = sum(run["contention"]["holds"] for run in runs)
    overlaps = sum(run["contention"]["overlaps"] for run in runs)
    promises = library.get("promises", [])

    def judged(cell, promise, broken):
        return f"**{cell}**" if broken in cell.removesuffix(" ~").split(", ") and promise in promises else cell

    without = f"{overlaps} of {holds:,}"
    cells = [f"**{without}**" if overlaps else without]
    cells += [both([overlap(run.get(fault)) for run in runs]) for fault in FAULTS]
    several = library.get("servers", 1) > 1
    keeps = library.get("keyless", False)
    # Of several servers it is not judged: the keys of a waiter's attempts come and go there.
    cells.append("–" if several else judged(both([foreign(run) for run in runs]), "own-release", "yes"))
    cells.append(judged(learns([run["pause"] for run in runs], not keeps), "tells", "no"))
    cells.append(judged(learns([run["evicted"] for run in runs], not several and not keeps), "tells", "no"))
    cells.append(freed([run["crash"] for run in runs]))
    return [f"`{name}`", *cells]


def foreign(run):
    seen = [run[fault].get("foreign") for fault in ("pause", "evicted", "flushed", "restarted")]
    return "yes" if True in seen else "no" if False in seen else "not seen"


def freed(crashes):
    if any("free_after" not in crash for crash in crashes):
        return "not measured"
    if all(crash["free_after"] is None for crash in crashes):
        return f"not within {crashes[0]['limit'] / 1000:.0f} s"
    return number([crash["free_after"] for crash in crashes], unit=" ms")


def words(library, name, *runs):
    version = runs[0]["version"] + ("" if len(runs) == 2 else ", one run")
    return [f"`{name}`", version, f"[{library['says']}]({library['link']})"]


def cost(name, *runs):
    handoffs = [run["handoff"] for run in runs]
    return [f"`{name}`", *(number([each.get(key) for each in handoffs], digits)
                           for key, digits in (("p50", 1), ("p99", 0), ("commands", 1))),
            number([run["crash"].get("waiting") for run in runs]),
            number([run["contention"].get("jain") for run in runs], 2)]
