// SPDX-License-Identifier: GPL-3.0-or-later
#include "packaging/commandline/manpage.h"

#include "app/optiontable.h"

#include <algorithm>

namespace lockscope::manpage {

namespace {

/// As text that roff takes for nothing else: its hyphens are those that one can type.
QByteArray escaped(QByteArray text)
{
    text.replace('\\', "\\e").replace('-', "\\-");
    return text.startsWith('.') || text.startsWith('\'') ? "\\&" + text : text;
}

QByteArray bold(const QByteArray &text)
{
    return "\\fB" + escaped(text) + "\\fR";
}

QByteArray italic(const QByteArray &text)
{
    return "\\fI" + escaped(text) + "\\fR";
}

QByteArray entry(const OptionRow &row)
{
    const QByteArray argument = row.argument.isEmpty() ? "" : ' ' + italic(row.argument.toByteArray());
    return ".TP\n" + bold(row.written()) + argument + '\n' + escaped(helpOf(row).toUtf8()) + ".\n";
}

template <typename Wanted>
QByteArray entries(Wanted wanted)
{
    QByteArray text;
    for (const OptionRow &row : explainedOptions()) {
        if (wanted(row))
            text += entry(row);
    }
    return text;
}

/// "KEY --owner ID": options as they are typed, names of values slanted.
QByteArray arguments(const VerbRow &verb)
{
    QByteArray text;
    for (const QByteArray &word : verb.arguments.toByteArray().split(' ')) {
        const bool isName = std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
        const bool isOption = word.contains("--");
        if (!word.isEmpty())
            text += ' ' + (isOption ? bold(word) : isName ? italic(word) : escaped(word));
    }
    return text;
}

} // namespace

QByteArray connection()
{
    return entries([](const OptionRow &row) { return (row.scope & namesServer) != 0; });
}

QByteArray common(Program program)
{
    return entries([program](const OptionRow &row) {
        const bool belongs = program == Program::Terminal ? isCommon(row) : (row.scope & window) != 0;
        return belongs && (row.scope & namesServer) == 0;
    });
}

QByteArray verbs()
{
    QByteArray text;
    for (const VerbRow &verb : verbRows()) {
        const QByteArray options = entries([&verb](const OptionRow &row) {
            return !isCommon(row) && (row.scope & scopeOf(verb.verb)) != 0;
        });
        text += ".TP\n" + bold(verb.name.toByteArray()) + arguments(verb) + '\n' + escaped(verb.help) + ".\n";
        if (!options.isEmpty())
            text += ".RS\n" + options + ".RE\n";
        text += ".RS\n.PP\n.nf\n";
        for (const QByteArray &example : verb.examples.toByteArray().split('\n'))
            text += escaped("lockscope-cli " + example) + '\n';
        text += ".fi\n.RE\n";
    }
    return text;
}

} // namespace lockscope::manpage
