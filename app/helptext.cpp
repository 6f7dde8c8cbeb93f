// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"
#include "app/optiontable.h"
#include "app/words.h"

#include <functional>

namespace lockscope {

QByteArray versionText(Program program)
{
    return (program == Program::Window ? "lockscope " : "lockscope-cli ") + QByteArray(LOCKSCOPE_VERSION) +
           '\n';
}

namespace {

QString optionsHelp(const QString &indent, const std::function<bool(const OptionRow &)> &wanted)
{
    QString text;
    for (const OptionRow &row : optionRows()) {
        if (!wanted(row))
            continue;
        const QString argument = row.argument.isEmpty() ? QString() : u' ' + QLatin1String(row.argument);
        text += indent + (written(row) + argument).leftJustified(20) + u' ' +
                (*row.help != 0 ? QCoreApplication::translate(row.context, row.help)
                                : QString::fromLatin1(row.target.values().join(", "))) +
                u'\n';
    }
    return text;
}

QString verbsHelp()
{
    QString text;
    for (const VerbRow &row : verbRows()) {
        const QString arguments = row.arguments.isEmpty() ? QString() : u' ' + QLatin1String(row.arguments);
        text += QStringLiteral("  ") + QLatin1String(row.name) + arguments + QStringLiteral("\n      ") +
                Words::tr(row.help) + u'\n' +
                optionsHelp(QStringLiteral("      "), [&](const OptionRow &option) {
                    return !isCommon(option) && (option.scope & scopeOf(row.verb)) != 0;
                });
    }
    return text;
}

} // namespace

QByteArray helpText(Program program)
{
    const bool terminal = program == Program::Terminal;
    const QString indent = QStringLiteral("  ");
    QStringList parts;
    if (terminal)
        parts << Words::tr("Usage: lockscope-cli [OPTIONS] VERB ...") + QStringLiteral("\n\n") +
                     Words::tr("Shows the distributed locks of a Redis server and acts on them.") + u'\n'
              << Words::tr("Verbs:") + u'\n' + verbsHelp();
    else
        parts << Words::tr("Usage: lockscope [OPTIONS]") + QStringLiteral("\n\n") +
                     Words::tr("Shows the distributed locks of a Redis server, live.") + u'\n';
    parts << Words::tr("Connection:") + u'\n' +
                 optionsHelp(indent, [](const OptionRow &row) { return (row.scope & namesServer) != 0; })
          << Words::tr("Common:") + u'\n' + optionsHelp(indent, [&](const OptionRow &row) {
                 return (terminal ? isCommon(row) : (row.scope & window) != 0) &&
                        (row.scope & namesServer) == 0;
             });
    QString notes =
        Words::tr(
            "The password is also read from the environment variable REDISCLI_AUTH, the Sentinels' from\n"
            "LOCKSCOPE_SENTINEL_AUTH, the passphrase of a key from LOCKSCOPE_KEY_PASSPHRASE.") +
        u'\n';
    if (terminal)
        notes += Words::tr("KEY and ID are bytes; '--' ends the options.") + QStringLiteral("\n\n") +
                 Words::tr("Exit status: 0 done; 1 rejected by the lock's state; 2 wrong usage; 3 server not "
                           "reached, login or\npermission refused, or outcome unknown; 4 refused by "
                           "--read-only; 5 result not written.") +
                 u'\n';
    parts << notes;
    return parts.join(u'\n').toUtf8();
}

} // namespace lockscope
