// SPDX-License-Identifier: GPL-3.0-or-later
#include "packaging/commandline/manpage.h"

#include "app/optiontable.h"
#include "app/words.h"

#include <algorithm>

namespace lockscope::manpage {

namespace {

constexpr char16_t firstWide = 0x2e80; ///< no letter before it is as wide as a Chinese one

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

/// A sentence's end is the language's own.
QByteArray sentence(const QString &text)
{
    const bool isWide = std::ranges::any_of(text, [](QChar c) { return c.unicode() >= firstWide; });
    return escaped(text.toUtf8()) + (isWide ? "\u3002\n" : ".\n");
}

QByteArray entry(const OptionRow &row)
{
    const QByteArray argument = row.argument.isEmpty() ? "" : ' ' + italic(row.argument.toByteArray());
    return ".TP\n" + bold(row.written()) + argument + '\n' + sentence(helpOf(row));
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
        text +=
            ".TP\n" + bold(verb.name.toByteArray()) + arguments(verb) + '\n' + sentence(Words::tr(verb.help));
        if (!options.isEmpty())
            text += ".RS\n" + options + ".RE\n";
        text += ".RS\n.PP\n.nf\n";
        for (const QByteArray &example : verb.examples.toByteArray().split('\n'))
            text += escaped("lockscope-cli " + example) + '\n';
        text += ".fi\n.RE\n";
    }
    return text;
}

/// roff knows no other places than blanks. No line begins with a punctuation mark. Headings, and the line of the page's name,
/// are read by mandb, too, which does not know the mark.
QByteArray breakable(const QByteArray &page)
{
    const auto isWide = [](QChar c) { return c.unicode() >= firstWide; };
    QString result;
    int headings = 0;
    for (const QString &line : QString::fromUtf8(page).split(u'\n')) {
        const bool isHeading = line.startsWith(QStringLiteral(".S"));
        headings += isHeading ? 1 : 0;
        for (qsizetype i = 0; i < line.size(); ++i) {
            result += line[i];
            const QChar next = i + 1 < line.size() ? line[i + 1] : QChar(u' ');
            if (!isHeading && headings > 1 && isWide(line[i]) && next != u' ' &&
                !(isWide(next) && next.isPunct()) && line[i].category() != QChar::Punctuation_Open)
                result += QStringLiteral("\\:");
        }
        result += u'\n';
    }
    return result.chopped(1).toUtf8();
}

} // namespace lockscope::manpage
