// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/audit.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/journal/auditlog.h"
#include "core/text/words.h"

#include <QFile>
#include <QJsonArray>

namespace lockscope {

namespace {

QJsonObject toJson(const AuditLog::Verdict &verdict)
{
    QJsonArray unfinished;
    for (const QByteArray &request : verdict.unfinished)
        unfinished.append(lossless(request));
    QJsonObject object{{QStringLiteral("records"), verdict.records},
                       {QStringLiteral("unfinished"), unfinished}};
    if (verdict.brokenAtLine) {
        object[QStringLiteral("broken_at_line")] = *verdict.brokenAtLine;
        object[QStringLiteral("reason")] = verdict.reason;
    }
    return object;
}

QString humanText(const AuditLog::Verdict &verdict, const QString &path)
{
    const QString shown = printable(path.toUtf8());
    QString text =
        verdict.brokenAtLine
            ? Words::tr("%1: broken at line %2: %3.")
                  .arg(shown, QString::number(*verdict.brokenAtLine), verdict.reason)
            : Words::tr("%1: the chain holds, records: %2.").arg(shown, QString::number(verdict.records));
    text += u'\n';
    for (const QByteArray &request : verdict.unfinished)
        text +=
            Words::tr("Request %1 was sent, and its outcome was never recorded.").arg(printable(request)) +
            u'\n';
    return text;
}

} // namespace

ExitStatus verifyAudit(const Options &options)
{
    const QString path =
        options.auditFile.isEmpty() ? AuditLog::defaultPath() : QFile::decodeName(options.auditFile);
    const Result<AuditLog::Verdict> verdict = AuditLog::verify(path);
    if (!verdict) {
        console::complain(
            Words::tr("the audit file can't be read: %1").arg(printable(verdict.error().detail)));
        return ExitStatus::NotKnown;
    }
    return deliver(options.json ? jsonLine(toJson(*verdict)) : humanText(*verdict, path).toUtf8(),
                   verdict->brokenAtLine ? ExitStatus::StateSaidNo : ExitStatus::Done);
}

} // namespace lockscope
