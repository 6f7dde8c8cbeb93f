// SPDX-License-Identifier: GPL-3.0-or-later
#include "packaging/commandline/completion.h"

#include "app/optiontable.h"

#include <QByteArrayList>

namespace lockscope::completion {

namespace {

/// What a value, or the argument of a verb, can be completed from.
struct Value
{
    QByteArray kind = "none";
    QByteArrayList names{};

    QByteArray words() const { return (QByteArrayList{kind} + names).join(' '); }
};

QByteArray kindOf(const QByteArray &argument)
{
    if (argument.isEmpty())
        return "none";
    if (argument.contains("FILE") || argument == "SOCKET")
        return "file";
    if (argument == "DIR")
        return "directory";
    return argument.endsWith("HOST") ? "host" : "text";
}

Value valueOf(const OptionRow &row)
{
    if (row.target.values)
        return {"one-of", row.target.values()};
    return {row.name == "connect" ? QByteArray("stored") : kindOf(row.argument.toByteArray())};
}

/// "KEY --owner ID" is a text, "[monitor|operator]" one of two, "(--scenario NAME | …)" nothing but options.
Value argumentOf(const VerbRow &verb)
{
    QByteArray first = verb.arguments.toByteArray().split(' ').first();
    if (first.startsWith('('))
        return {};
    first.replace('[', "").replace(']', "");
    return first.contains('|') ? Value{"one-of", first.split('|')} : Value{kindOf(first)};
}

QByteArray scopeName(const VerbRow &verb)
{
    return verb.name.toByteArray().replace(' ', '_');
}

QByteArray scopesOf(const OptionRow &row)
{
    const bool isOfAllVerbs = (row.scope & anyVerb) == anyVerb;
    const bool isOfWindow = (row.scope & window) != 0;
    if (isOfAllVerbs)
        return isOfWindow ? "all" : "verbs";
    QByteArrayList scopes;
    if (isOfWindow)
        scopes.append("window");
    for (const VerbRow &verb : verbRows()) {
        if ((row.scope & scopeOf(verb.verb)) != 0)
            scopes.append(scopeName(verb));
    }
    return scopes.join(',');
}

QByteArray quoted(QByteArray text)
{
    return '\'' + text.replace('\'', "'\\''") + '\'';
}

/// Within a description, or the name of a value, of _arguments.
QByteArray described(QByteArray text)
{
    for (const char special : {'\\', ':', '[', ']'})
        text.replace(special, QByteArray("\\") + special);
    return text;
}

QByteArray zshAction(const Value &value)
{
    if (value.kind == "one-of")
        return value.names.join(' ');
    if (value.kind == "file")
        return "_files";
    if (value.kind == "directory")
        return "_files -/";
    if (value.kind == "host")
        return "_hosts";
    return value.kind == "stored" ? "_lockscope_stored" : " ";
}

} // namespace

QByteArray bashVerbs()
{
    QByteArray text;
    for (const VerbRow &verb : verbRows())
        text += scopeName(verb) + ' ' + argumentOf(verb).words() + '\n';
    return text;
}

QByteArray bashOptions()
{
    QByteArray text;
    for (const OptionRow &row : optionRows())
        text += row.written() + ' ' + scopesOf(row) + ' ' + valueOf(row).words() + '\n';
    return text;
}

QByteArray zshVerbs()
{
    QByteArray text;
    for (const VerbRow &verb : verbRows()) {
        const Value value = argumentOf(verb);
        const bool isFree = value.kind == "none" || value.kind == "text";
        text += "        " + scopeName(verb) + ' ' + quoted(described(verb.help)) + ' ' +
                quoted(isFree ? QByteArray() : zshAction(value)) + '\n';
    }
    return text;
}

QByteArray zshOptions()
{
    QByteArray text;
    for (const OptionRow &row : explainedOptions()) {
        const Value value = valueOf(row);
        const bool takesValue = value.kind != "none";
        QByteArray spec = row.target.isRepeatable ? "*" : "";
        spec += row.written() + (takesValue && row.letter == 0 ? "=" : "") + '[' +
                described(helpOf(row).toUtf8()) + ']';
        if (takesValue)
            spec += ':' + described(row.argument.toByteArray()) + ':' +
                    (row.target.values ? '(' + zshAction(value) + ')' : zshAction(value));
        text += "        " + scopesOf(row) + ' ' + quoted(spec) + '\n';
    }
    return text;
}

} // namespace lockscope::completion
