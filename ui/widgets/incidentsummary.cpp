// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/incidentsummary.h"

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

namespace {

using Mark = QString (*)(const QString &text);

/// `mark` encloses what a server or user wrote.
QStringList headOf(const IncidentSummary &summary, Mark mark, const QString &bullet)
{
    QStringList lines{bullet + Texts::tr("Server: %1").arg(mark(summary.server)),
                      bullet + Texts::tr("Written at: %1").arg(written(summary))};
    if (!summary.key.isEmpty())
        lines << bullet + Texts::tr("State: %1").arg(mark(summary.state));
    for (const QString &statement : summary.statements)
        lines << bullet + mark(lineOf(statement));
    return lines;
}

QString titleOf(const IncidentSummary &summary, Mark mark)
{
    return summary.key.isEmpty() ? Texts::tr("Lock waits") : Texts::tr("Lock %1").arg(mark(summary.key));
}

} // namespace

QString plainText(const IncidentSummary &summary)
{
    const Mark mark = [](const QString &text) { return text; };
    QStringList lines = QStringList{titleOf(summary, mark)} + headOf(summary, mark, {});
    lines << QString();
    for (const auto &[name, value] : summary.facts)
        lines << QStringLiteral("%1: ").arg(name) + lineOf(value);
    if (!summary.events.isEmpty())
        lines << QString() << summary.eventsTitle;
    for (const QString &event : summary.events)
        lines << QStringLiteral("  ") + lineOf(event);
    return lines.join(u'\n') + u'\n';
}

QString markdown(const IncidentSummary &summary)
{
    QStringList lines = QStringList{QStringLiteral("### ") + titleOf(summary, code), QString()} +
                        headOf(summary, code, QStringLiteral("- "));
    for (const auto &[name, value] : summary.facts)
        lines << QStringLiteral("- %1: ").arg(name) + code(lineOf(value));
    if (!summary.events.isEmpty())
        lines << QString() << summary.eventsTitle << QString();
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
