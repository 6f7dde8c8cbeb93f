// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/journal/auditlog.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

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
    QJsonArray asked;
    for (const QJsonObject &request : verdict.asked)
        asked.append(request);
    if (!asked.isEmpty())
        object[QStringLiteral("unfinished_requests")] = asked;
    if (verdict.brokenAtLine) {
        object[QStringLiteral("broken_at_line")] = *verdict.brokenAtLine;
        object[QStringLiteral("reason")] = verdict.reason.inEnglish();
    }
    return object;
}

QString humanText(const AuditLog::Verdict &verdict, const QString &path)
{
    const QString shown = printable(path.toUtf8());
    QStringList lines{
        verdict.brokenAtLine
            ? Texts::tr("%1: hash chain broken at line %2: %3.")
                  .arg(shown, QString::number(*verdict.brokenAtLine), inWords(verdict.reason))
            : Words::tr("%1: hash chain intact, records: %2.").arg(shown, QString::number(verdict.records))};
    for (const QJsonObject &asked : verdict.asked) {
        const auto field = [&](const char *name) {
            return printable(asked[QLatin1String(name)].toString().toUtf8());
        };
        lines
            << Words::tr(
                   "Request %1 of %2 (%3 of %4 at %5): outcome not recorded. Check the key before retrying.")
                   .arg(field("request"), field("time"), field("action"), field("key"), field("server"));
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace

ExitStatus verifyAudit(const Options &options)
{
    const QString path =
        options.auditFile.isEmpty() ? AuditLog::defaultPath() : QFile::decodeName(options.auditFile);
    const Result<AuditLog::Verdict> verdict = AuditLog::verify(path);
    if (!verdict)
        return deliverNone(options, ExitStatus::Unavailable,
                           Words::tr("audit log not readable: %1").arg(inWords(verdict.error())));
    return deliver(options.json ? jsonLine(toJson(*verdict)) : humanText(*verdict, path).toUtf8(),
                   verdict->brokenAtLine ? ExitStatus::Rejected : ExitStatus::Done);
}

} // namespace lockscope
