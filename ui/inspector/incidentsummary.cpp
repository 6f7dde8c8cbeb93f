// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/incidentsummary.h"

#include "core/words/texts.h"

#include <QMimeData>

#include <algorithm>

namespace lockscope {

namespace {

/// Uses more backticks than any run in the text, which ends a code span.
QString code(const QString &text)
{
    qsizetype longest = 0, run = 0;
    for (const QChar c : text) {
        run = c == u'`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(longest + 1, u'`');
    const QString space = longest > 0 ? QStringLiteral(" ") : QString();
    return fence + space + text + space + fence;
}

QString lineOf(const QString &text)
{
    return QString(text).replace(u'\n', QStringLiteral("; ")).simplified();
}

QString written(const IncidentSummary &summary)
{
    return summary.writtenAt.toString(Qt::ISODate);
}

} // namespace

QString plainText(const IncidentSummary &summary)
{
    QStringList lines{Texts::tr("Lock %1").arg(summary.key), Texts::tr("Server: %1").arg(summary.server),
                      Texts::tr("Written at: %1").arg(written(summary)),
                      Texts::tr("State: %1").arg(summary.state)};
    for (const QString &statement : summary.statements)
        lines << lineOf(statement);
    lines << QString();
    for (const auto &[name, value] : summary.facts)
        lines << QStringLiteral("%1: ").arg(name) + lineOf(value);
    if (!summary.events.isEmpty())
        lines << QString() << Texts::tr("Events seen, newest first:");
    for (const QString &event : summary.events)
        lines << QStringLiteral("  ") + lineOf(event);
    return lines.join(u'\n') + u'\n';
}

QString markdown(const IncidentSummary &summary)
{
    QStringList lines{QStringLiteral("### ") + Texts::tr("Lock %1").arg(code(summary.key)), QString(),
                      QStringLiteral("- ") + Texts::tr("Server: %1").arg(code(summary.server)),
                      QStringLiteral("- ") + Texts::tr("Written at: %1").arg(written(summary)),
                      QStringLiteral("- ") + Texts::tr("State: %1").arg(code(summary.state))};
    for (const QString &statement : summary.statements)
        lines << QStringLiteral("- ") + code(lineOf(statement));
    for (const auto &[name, value] : summary.facts)
        lines << QStringLiteral("- %1: ").arg(name) + code(lineOf(value));
    if (!summary.events.isEmpty())
        lines << QString() << Texts::tr("Events seen, newest first:") << QString();
    for (const QString &event : summary.events)
        lines << QStringLiteral("- ") + code(lineOf(event));
    return lines.join(u'\n') + u'\n';
}

QMimeData *mimeDataOf(const IncidentSummary &summary)
{
    auto *data = new QMimeData; // NOLINT(cppcoreguidelines-owning-memory): the clipboard's
    data->setText(plainText(summary));
    data->setData(QStringLiteral("text/markdown"), markdown(summary).toUtf8());
    return data;
}

} // namespace lockscope
