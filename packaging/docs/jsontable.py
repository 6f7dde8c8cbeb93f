# SPDX-License-Identifier: GPL-3.0-or-later
# Prints json.md, which the schemas in packaging/schemas describe: packaging/docs/jsontable.py > packaging/docs/json.md
import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "schemas"
SUFFIX = ".schema.json"
SCHEMAS = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*" + SUFFIX)}
COMMON = "common" + SUFFIX
WIDTH = 130

HEAD = """# JSON

`lockscope-cli VERB --json` prints one document, on one line. `watch`, `alert`, `record`, `replay` and `family check` print an object per line, each written at once. What follows is generated from the schemas.

- **Fields may be added**, and values to the lists of values: ignore what you do not know. None is removed, and none is renamed.
- **A field may be absent**: the last column says when. Where it is empty, the field is always there.
- **Times** are integers in ms, moments are epoch ms, unless the field says otherwise.
- **Keys and owners are bytes.** Bytes that are no UTF-8 stand as `\\xNN`; then the exact bytes are in the field with `_base64`, which `--base64` takes.
- **Sentences** (`error`, `message`, `text`, `explanation`) are for people, and in their language unless the field says English. Use the other fields in programs.
- **Exit status** says what happened as well: 0 done, 1 rejected or found, 2 wrong usage, 3 not reached, unknown or incomplete, 4 read-only, 5 not written.

The [schemas](../schemas) are JSON Schema, draft 2020-12, and are installed in `/usr/share/lockscope/schemas`. They allow further fields; lists of values are those of the same version. With python3-jsonschema:

    lockscope-cli list --json >locks.json
    cd /usr/share/lockscope/schemas && jsonschema -i ~/locks.json --base-uri "file://$PWD/" list.schema.json
"""

DOCUMENTS = [
    ("Reading", ["list", "get", "search", "check", "check-server", "orphans", "who"]),
    ("Acting", ["action", "audit", "audit-verify"]),
    ("Watching", ["watch", "alert", "record", "export"]),
    ("Recordings and histories", ["replay", "replay-at", "replay-info", "blame", "order", "verify", "history"]),
    ("Simulation", ["simulate"]),
    ("Families and permissions", ["family-list", "family-show", "family-check", "family-try", "family-new", "acl", "acl-check"]),
    ("Errors", ["error"]),
]


def anchor(title):
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def resolved(reference, file):
    target, _, pointer = reference.partition("#")
    part = SCHEMAS[target or file]
    for name in pointer.split("/")[1:]:
        part = part[name]
    return part, target or file


def is_section(part):
    return "properties" in part and "title" in part


def description(field, file):
    if "description" in field or "$ref" not in field:
        return field.get("description", "")
    return description(*resolved(field["$ref"], file))


def values(part):
    return ", ".join(f"`{value if isinstance(value, str) else json.dumps(value)}`" for value in part["enum"])


def type_of(field, file):
    if field.get("type") == "array" and "title" not in field:
        items = field["items"]
        return "array" + (" of " + type_of(items, file) if "properties" not in items or is_section(items) else "")
    if "title" in field and not is_section(field):
        return field["title"]
    if "$ref" in field:
        part, target = resolved(field["$ref"], file)
        if is_section(part):
            return f"[{part['title']}](#{anchor(part['title'])})"
        if "enum" in part and "title" in part:
            return f"[{part['title']}](#values)" if target == COMMON else values(part)
        return type_of(part, target)
    if "const" in field:
        return values({"enum": [field["const"]]})
    if "enum" in field:
        return values(field)
    kind = field.get("type", "")
    return " or ".join(kind) if isinstance(kind, list) else kind


def rows(part, file, path=""):
    for name, field in part.get("properties", {}).items():
        if name.endswith("_base64"):
            continue  # beside the field
        meaning, _, absent = description(field, file).partition(" Absent: ")
        kind = type_of(field, file)
        if name.endswith("_ms") and "ms" not in kind and not kind.startswith("["):
            kind += ", ms"
        names = [name, name + "_base64"] if name + "_base64" in part["properties"] else [name]
        yield ", ".join(f"`{path}{each}`" for each in names), kind, meaning.rstrip("."), absent
        inner = field.get("items", field)
        if "properties" in inner and not is_section(inner):
            yield from rows(inner, file, f"{path}{name}[]." if inner is not field else f"{path}{name}.")


def table(part, file):
    lines = ["| field | type | meaning | absent |", "|---|---|---|---|"]
    for row in rows(part, file):
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(lines) + "\n"


def laid_out(value, indent=0, begun=0):
    """`begun`: characters of the line before the value."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + max(indent, begun) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return text
    inner = indent + 2
    if isinstance(value, dict):
        names = [json.dumps(name) + ": " for name in value]
        parts = [name + laid_out(member, inner, inner + len(name)) for name, member in zip(names, value.values())]
    else:
        parts = [laid_out(each, inner) for each in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return begin + "\n" + ",\n".join(" " * inner + part for part in parts) + "\n" + " " * indent + end


def fields(part, file):
    """The table of a part's own fields, after the part that it is besides."""
    own = table(part, file) if part.get("properties") else ""
    if "$ref" not in part:
        return own
    inner, _ = resolved(part["$ref"], file)
    return f"All fields of [{inner['title']}](#{anchor(inner['title'])})" + (f", and:\n\n{own}" if own else ".\n")


def section(part, file, level, more=""):
    body = fields(part, file)
    return f"{'#' * level} {part['title']}\n\n{part['description']}.{more}\n" + (f"\n{body}" if body else "")


def document(name):
    file = name + SUFFIX
    schema = SCHEMAS[file]
    text = section(schema, file, 3, f" Schema: [{file}](../schemas/{file}).")
    for example in schema["examples"]:
        text += "\n" + "\n".join("    " + line for line in laid_out(example).split("\n")) + "\n"
    told = []
    for part in schema.get("oneOf", []) + [each for each in schema.get("$defs", {}).values() if is_section(each)]:
        if "$ref" in part and "properties" not in part:
            inner, _ = resolved(part["$ref"], file)
            told.append(f"[{inner['title']}](#{anchor(inner['title'])})")
        else:
            text += "\n" + section(part, file, 4)
    return text + (f"\nAlso: {', '.join(told)}.\n" if told else "")


def main():
    parts = [HEAD]
    for title, names in DOCUMENTS:
        links = ", ".join(f"[{SCHEMAS[name + SUFFIX]['title']}](#{anchor(SCHEMAS[name + SUFFIX]['title'])})" for name in names)
        parts[0] += ("\n" if title == "Reading" else "") + f"- {title}: {links}\n"
    parts[0] += "- Parts of several documents: [below](#shared-parts); names of [values](#values)\n"
    for title, names in DOCUMENTS:
        if len(names) > 1:
            parts.append(f"## {title}\n")
        parts += [document(name) for name in names]
    common = SCHEMAS[COMMON]["$defs"]
    parts.append("## Shared parts\n")
    parts += [section(part, COMMON, 3) for part in common.values() if is_section(part)]
    names = {part["title"]: values(part) for part in common.values() if "enum" in part and "title" in part}
    parts.append("## Values\n\n| type | values |\n|---|---|\n" + "".join(f"| {name} | {names[name]} |\n" for name in names))
    missing = set(SCHEMAS) - {name + SUFFIX for _, names in DOCUMENTS for name in names} - {COMMON}
    text = "\n".join(parts)
    heads = [anchor(line.lstrip("# ")) for line in text.split("\n") if line.startswith("#")]
    unclear = {link for link in re.findall(r"\]\(#([^)]+)\)", text) if heads.count(link) != 1}
    if missing or unclear:
        raise SystemExit(f"in no section: {missing}; not one target: {unclear}")
    print(text, end="")


if __name__ == "__main__":
    main()
