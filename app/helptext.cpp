// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"
#include "app/optiontable.h"
#include "app/words.h"

#include <QRegularExpression>

#include <algorithm>
#include <functional>

namespace lockscope {

QByteArray versionText(Program program)
{
    return (program == Program::Window ? "lockscope " : "lockscope-cli ") + QByteArray(LOCKSCOPE_VERSION) +
           '\n';
}

QString helpOf(const OptionRow &row)
{
    QString text = QCoreApplication::translate(row.context, row.help);
    if (QByteArrayView(row.context) == "phrases" &&
        !text.mid(1, 1).isUpper()) // a tool tip of the window, too
        text[0] = text[0].toLower();
    const QByteArrayList values = row.target.values ? row.target.values() : QByteArrayList();
    const QByteArrayView help(row.help);
    if (!std::ranges::all_of(values, [&](const QByteArray &value) { return help.contains(value); }))
        text += QStringLiteral(": ") + QString::fromLatin1(values.join(", "));
    return *row.usual != 0
               ? text + QStringLiteral(" (%1)").arg(QCoreApplication::translate("phrases", row.usual))
               : text;
}

namespace {

constexpr qsizetype lineLength = 100;
constexpr qsizetype column = 25; // of the explanations

/// Two columns: what is typed, and its meaning, in lines that fit a terminal.
QString entry(const QString &typed, const QString &meaning)
{
    const QString margin(column, u' ');
    QString text;
    QString line = (QStringLiteral("  ") + typed).leftJustified(column - 1);
    if (line.size() >= column) {
        text = line + u'\n';
        line = margin.chopped(1);
    }
    const QStringList words = meaning.split(u' ');
    for (const QString &word : words) {
        if (line.size() + 1 + word.size() > lineLength && line.size() > column) {
            text += line + u'\n';
            line = margin.chopped(1);
        }
        line += u' ' + word;
    }
    return text + line + u'\n';
}

QString optionsHelp(const std::function<bool(const OptionRow &)> &wanted)
{
    QString text;
    for (const OptionRow &row : explainedOptions()) {
        const QString argument = row.argument.isEmpty() ? QString() : u' ' + QLatin1String(row.argument);
        if (wanted(row))
            text += entry(written(row) + argument, helpOf(row));
    }
    return text;
}

/// "get KEY", "acquire KEY --owner ID --lease SECONDS"
QString typed(const VerbRow &row)
{
    return (QLatin1String(row.name) + QStringLiteral(" ") + QLatin1String(row.arguments)).trimmed();
}

/// Without the options that are needed: "acquire KEY".
QString shortForm(const VerbRow &row)
{
    const QString whole = typed(row);
    const qsizetype options = whole.indexOf(QRegularExpression(QStringLiteral(" [-(]")));
    return options < 0 ? whole : whole.first(options);
}

bool belongsTo(const VerbRow &row, const QByteArray &verb)
{
    return row.name == verb || row.name.startsWith(verb + ' ');
}

QString examplesOf(const VerbRow &row, const QString &margin)
{
    QString text;
    for (const QByteArray &example : row.examples.toByteArray().split('\n'))
        text += margin + QStringLiteral("lockscope-cli ") + QString::fromLatin1(example) + u'\n';
    return text;
}

QString verbHelp(const VerbRow &row)
{
    const QString options = optionsHelp([&](const OptionRow &option) {
        return !isCommon(option) && (option.scope & scopeOf(row.verb)) != 0;
    });
    return Words::tr("Usage: %1").arg(QStringLiteral("lockscope-cli ") + typed(row)) +
           QStringLiteral("\n\n  ") + Words::tr(row.help) + QStringLiteral("\n\n") +
           (options.isEmpty() ? QString() : options + u'\n') + Words::tr("Examples:") + u'\n' +
           examplesOf(row, QStringLiteral("  ")) + u'\n';
}

} // namespace

bool hasHelp(const QByteArray &verb)
{
    return std::ranges::any_of(verbRows(), [&](const VerbRow &row) { return belongsTo(row, verb); });
}

QByteArray helpText(Program program, const QByteArray &verb)
{
    const bool terminal = program == Program::Terminal;
    QString text;
    QString verbs;
    for (const VerbRow &row : verbRows()) {
        if (belongsTo(row, verb))
            text += verbHelp(row);
        verbs += entry(shortForm(row), Words::tr(row.help));
    }
    if (terminal && !text.isEmpty())
        return (text + Words::tr("Other options: lockscope-cli --help") + u'\n').toUtf8();
    text = Words::tr("Usage: %1")
               .arg(terminal ? QStringLiteral("lockscope-cli [OPTIONS] VERB ...")
                             : QStringLiteral("lockscope [OPTIONS] [LINK]")) +
           QStringLiteral("\n\n");
    if (terminal)
        text += verbs + QStringLiteral("\n");
    text +=
        Words::tr("Connection:") + u'\n' +
        optionsHelp([](const OptionRow &row) { return (row.scope & namesServer) != 0; }) + u'\n' +
        Words::tr("Common:") + u'\n' + optionsHelp([&](const OptionRow &row) {
            return (terminal ? isCommon(row) : (row.scope & window) != 0) && (row.scope & namesServer) == 0;
        }) +
        u'\n' +
        Words::tr("Passwords from the environment: %1")
            .arg(QStringLiteral("REDISCLI_AUTH, LOCKSCOPE_SENTINEL_AUTH, LOCKSCOPE_KEY_PASSPHRASE, "
                                "LOCKSCOPE_PROXY_AUTH")) +
        u'\n';
    if (terminal)
        text += Words::tr("Exit status: 0 done; 1 rejected by the lock's state; 2 wrong usage; 3 server not "
                          "reached,\npermission refused or outcome unknown; 4 read-only; 5 result not "
                          "written") +
                u'\n';
    return text.toUtf8();
}

} // namespace lockscope
