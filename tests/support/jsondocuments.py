# SPDX-License-Identifier: GPL-3.0-or-later
# Holds JSON documents to packaging/schemas. Standard input: lines of a schema's name, a tab and a document. Prints each line that
# does not follow its schema, or has a field that is not in it: the schemas allow further fields, which a later version may have.
# With --schemas: whether the schemas themselves are whole, their examples valid, and each field described, with when it is absent.
import json
import pathlib
import re
import sys
import warnings

import jsonschema

warnings.simplefilter("ignore", DeprecationWarning)  # newer versions have another resolver, too
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "packaging" / "schemas"
SUFFIX = ".schema.json"
WORD = re.compile("[a-z][a-z-]*")  # may be one of a list of values


def with_absolute_references(part, file):
    if isinstance(part, dict):
        return {
            name: file + value if name == "$ref" and value.startswith("#") else with_absolute_references(value, file)
            for name, value in part.items()
        }
    if isinstance(part, list):
        return [with_absolute_references(value, file) for value in part]
    return part


SCHEMAS = {path.name: with_absolute_references(json.loads(path.read_text()), path.name) for path in FOLDER.glob("*" + SUFFIX)}
RESOLVER = jsonschema.RefResolver("", {}, store=SCHEMAS)


def referred(reference):
    file, _, pointer = reference.partition("#")
    part = SCHEMAS[file]
    for name in pointer.split("/")[1:]:
        part = part[name]
    return part


def validator(schema):
    return jsonschema.Draft202012Validator(schema, resolver=RESOLVER)


def applied(schema, value):
    """The schema and those that it applies to the same value."""
    yield schema
    if "$ref" in schema:
        yield from applied(referred(schema["$ref"]), value)
    for part in schema.get("allOf", []):
        yield from applied(part, value)
    for part in schema.get("anyOf", []) + schema.get("oneOf", []):
        if validator(part).is_valid(value):
            yield from applied(part, value)
    if "if" in schema:
        part = schema.get("then" if validator(schema["if"]).is_valid(value) else "else")
        if part:
            yield from applied(part, value)


def undescribed(schemas, value, path="$"):
    schemas = [each for schema in schemas for each in applied(schema, value)]
    if isinstance(value, dict):
        for name, member in value.items():
            own = [each["properties"][name] for each in schemas if name in each.get("properties", {})]
            if own:
                yield from undescribed(own, member, path + "." + name)
            else:
                yield f"{path}.{name} is not in the schema"
    elif isinstance(value, list):
        items = [each["items"] for each in schemas if "items" in each]
        for index, element in enumerate(value):
            yield from undescribed(items, element, f"{path}[{index}]")


def shape(value):
    """The same for values that differ in numbers and texts alone, apart from words: one of them is looked at."""
    if isinstance(value, dict):
        return frozenset((name, shape(member)) for name, member in value.items())
    if isinstance(value, list):
        return frozenset(shape(element) for element in value)
    if isinstance(value, str):
        return value if WORD.fullmatch(value) else "TEXT"
    return type(value), str(value)[:1] == "-" if not isinstance(value, bool) else value


def shortened(value):
    if isinstance(value, dict):
        return {name: shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        some = value if len(value) <= 2 else {shape(element): element for element in value}.values()
        return [shortened(element) for element in some]
    return value


def faults(name, document):
    if name + SUFFIX not in SCHEMAS:
        return ["no such schema"]
    if isinstance(document, dict) and "error" in document and name not in ("watch", "alert", "audit"):
        name = "error"
    schema = SCHEMAS[name + SUFFIX]
    document = shortened(document)
    error = jsonschema.exceptions.best_match(validator(schema).iter_errors(document))
    if error:
        return [f"{error.json_path}: {error.message[:500]}"]
    return list(undescribed([schema], document))


def check_documents(lines):
    seen = set()
    failed = False
    for line in lines:
        name, _, text = line.rstrip("\n").partition("\t")
        try:
            document = json.loads(text)
            kind = name, shape(document)
            told = [] if kind in seen else faults(name, document)
            seen.add(kind)
        except ValueError as error:
            told = [str(error)]
        for fault in told:
            print(f"FAIL!  : {name}{SUFFIX}: {fault}\n   {text[:2000]}")
        failed = failed or bool(told)
    return failed


def fields(part, path):
    """Each object's fields in a schema: path, schema, and whether it is required."""
    if isinstance(part, dict):
        for name, field in part.get("properties", {}).items() if isinstance(part.get("properties"), dict) else []:
            yield f"{path}.{name}", field, name in part.get("required", [])
        for name, value in part.items():
            if name not in ("examples", "if"):
                yield from fields(value, path if name in ("properties", "items", "$defs") else f"{path}.{name}")
    elif isinstance(part, list):
        for value in part:
            yield from fields(value, path)


def description(field):
    return field.get("description") or description(referred(field["$ref"])) if "$ref" in field else field.get("description", "")


def check_schemas():
    found = []
    number = 0
    for file, schema in sorted(SCHEMAS.items()):
        jsonschema.Draft202012Validator.check_schema(schema)
        for path, field, required in fields(schema, file):
            number += 1
            text = description(field)
            if not text:
                found.append(f"{path}: no description")
            elif ("Absent: " in text) == required:
                found.append(f"{path}: required, and says when it is absent" if required else f"{path}: does not say when it is absent")
        if file != "common" + SUFFIX and not schema.get("examples"):
            found.append(f"{file}: no example")
        for example in schema.get("examples", []):
            found += [f"{file}: example: {fault}" for fault in faults(file[: -len(SUFFIX)], example)]
    print("\n".join(found) or f"{number} fields in {len(SCHEMAS)} schemas")
    return bool(found)


if __name__ == "__main__":
    sys.exit(check_schemas() if sys.argv[1:] == ["--schemas"] else check_documents(sys.stdin))
