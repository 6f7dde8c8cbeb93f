// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/words.h"
#include "core/redis/deployment/shard.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/serverfitness.h"
#include "core/words/servermessages.h"
#include "core/words/textlayout.h"

#include <QDateTime>
#include <QJsonArray>

namespace lockscope {

namespace {

using Level = ServerFinding::Level;

QString humanText(const QList<ServerFinding> &findings)
{
    constexpr int levelWidth = 9, checkWidth = 13;
    const QString margin(levelWidth + checkWidth, u' ');
    QString text;
    for (const ServerFinding &finding : findings) {
        text += padded(levelInWords(finding.level), levelWidth) +
                padded(QString::fromLatin1(finding.check), checkWidth) + finding.text + u'\n';
        for (const QString &more : {finding.reason, finding.advice}) {
            if (!more.isEmpty())
                text += margin + more + u'\n';
        }
    }
    return text;
}

QJsonArray toJson(const QList<ServerFinding> &findings)
{
    QJsonArray checks;
    for (const ServerFinding &finding : findings) {
        QJsonObject object{{QStringLiteral("check"), QString::fromLatin1(finding.check)},
                           {QStringLiteral("level"), QString::fromLatin1(levelName(finding.level))},
                           {QStringLiteral("text"), finding.text}};
        if (!finding.reason.isEmpty())
            object[QStringLiteral("reason")] = finding.reason;
        if (!finding.advice.isEmpty())
            object[QStringLiteral("advice")] = finding.advice;
        checks.append(object);
    }
    return checks;
}

/// Judges each server by its INFO.
class ServerCheckCommand : public KeyCommand
{
public:
    explicit ServerCheckCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    void run() override { ask(0); }

    void ask(qsizetype number)
    {
        const QList<Shard *> &shards = deployment().shards();
        if (number >= shards.size())
            return conclude();
        const QString address = shards[number]->address().toDisplayString();
        whenDone(listener(), shards[number]->send({"INFO"}),
                 [this, number, address](const Result<Reply> &reply) {
                     QJsonObject node{{QStringLiteral("address"), address}};
                     QString text;
                     if (reply) {
                         const auto findings = judgeServer(reply->text, QDateTime::currentSecsSinceEpoch());
                         node[QStringLiteral("checks")] = toJson(findings);
                         text = humanText(findings);
                         m_hasRisk |= findings.front().level == Level::Risk;
                     } else {
                         m_isWhole = false;
                         const QString why = describe(reply.error(), address);
                         node[QStringLiteral("error")] = why;
                         text = why + u'\n';
                     }
                     m_nodes.append(node);
                     m_text += (m_text.isEmpty() ? QString() : QStringLiteral("\n")) + address + u'\n' + text;
                     ask(number + 1);
                 });
    }

    void conclude()
    {
        finish(m_hasRisk    ? ExitStatus::Rejected
               : !m_isWhole ? ExitStatus::Unavailable
                            : ExitStatus::Done,
               options().json ? jsonLine({{QStringLiteral("nodes"), m_nodes}}) : m_text.toUtf8());
    }

    QJsonArray m_nodes;
    QString m_text;
    bool m_hasRisk = false;
    bool m_isWhole = true;
};

} // namespace

std::unique_ptr<Command> serverCheckCommand(const Options &options)
{
    return std::make_unique<ServerCheckCommand>(options);
}

} // namespace lockscope
