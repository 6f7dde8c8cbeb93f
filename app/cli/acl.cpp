// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/words.h"
#include "core/act/aclcheck.h"
#include "core/base/printable.h"
#include "core/monitor/lockmonitor.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QJsonArray>
#include <QQueue>

namespace lockscope {

namespace {

/// A placeholder: passwords do not belong on a command line.
constexpr const char *passwordToChoose = "choose-a-password";

AclRequest requestOf(const Options &options, AclRole role)
{
    AclRequest request;
    request.role = role;
    request.server = options.aclServer.value_or(AclServer::Redis7);
    request.patterns = options.patterns.isEmpty() ? MonitorOptions().patterns : options.patterns;
    request.isCluster = options.followsCluster;
    request.findsClients = options.findsClients;
    return request;
}

QJsonArray toJson(const QList<QByteArray> &list)
{
    QJsonArray array;
    for (const QByteArray &each : list)
        array.append(lossless(each));
    return array;
}

QString roleInWords(AclRole role)
{
    return role == AclRole::Monitor ? Words::tr("Reading", "what a permission is for")
                                    : Words::tr("Acting", "what a permission is for");
}

QString joined(const QList<QByteArray> &list)
{
    QStringList words;
    for (const QByteArray &each : list)
        words.append(printable(each));
    return words.join(u' ');
}

void addOnce(QList<QByteArray> &list, const QList<QByteArray> &more)
{
    for (const QByteArray &each : more) {
        if (!list.contains(each))
            list.append(each);
    }
}

QString humanText(const QString &node, AclRole role, const AclVerdict &verdict)
{
    const QString what = node.isEmpty() ? roleInWords(role) : node + QStringLiteral(": ") + roleInWords(role);
    QString text;
    if (!verdict.missing.isEmpty())
        text += Words::tr("%1: this login lacks %2").arg(what, joined(verdict.missing)) + u'\n';
    else if (verdict.untold.isEmpty())
        text += Words::tr("%1: no permission is missing.").arg(what) + u'\n';
    if (!verdict.untold.isEmpty())
        text += Words::tr("%1: not checked: %2").arg(what, joined(verdict.untold)) + u'\n';
    if (!verdict.absent.isEmpty())
        text += Words::tr("%1: this server does not have %2").arg(what, joined(verdict.absent)) + u'\n';
    return text;
}

class AclCheckCommand : public KeyCommand
{
public:
    explicit AclCheckCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    struct Answer
    {
        QString node;
        AclRole role;
        Result<AclVerdict> verdict;
    };

    void run() override
    {
        const std::optional<AclRole> role = options().role;
        if (options().readOnly && role == AclRole::Operator)
            return finishWithout(ExitStatus::RefusedByReadOnly, Words::tr("not checked with --read-only"));
        QList<AclRole> roles{role.value_or(AclRole::Monitor)};
        if (!role && !options().readOnly)
            roles.append(AclRole::Operator);
        for (const ServerAddress &address : deployment().nodeAddresses()) {
            for (const AclRole each : roles)
                m_toAsk.enqueue({address, each});
        }
        askNext();
    }

    void askNext()
    {
        if (m_toAsk.isEmpty())
            return conclude();
        const auto [address, role] = m_toAsk.dequeue();
        AclRequest request = requestOf(options(), role);
        request.isCluster = request.isCluster || deployment().isCluster();
        auto *check = new AclCheck(address, request, this);
        const QString node = address.toDisplayString();
        connect(check, &AclCheck::ended, this, [this, check, node, role](const Result<AclVerdict> &verdict) {
            check->deleteLater();
            const bool isOne = deployment().nodeAddresses().size() == 1;
            if (!verdict && isOne)
                return fail(verdict.error());
            m_answers.append({node, role, verdict});
            // What one node does not answer takes nothing from the answers of the others.
            while (!verdict && !m_toAsk.isEmpty() && m_toAsk.head().first.toDisplayString() == node)
                m_answers.append({node, m_toAsk.dequeue().second, verdict});
            askNext();
        });
        check->start();
    }

    void conclude()
    {
        QList<QByteArray> missing;
        QList<QByteArray> untold;
        QJsonArray nodes;
        QString text;
        const bool isOne = deployment().nodeAddresses().size() == 1;
        bool isWhole = true;
        for (const Answer &answer : m_answers) {
            QJsonObject node{{QStringLiteral("address"), answer.node},
                             {QStringLiteral("role"), QString::fromLatin1(aclRoleName(answer.role))}};
            if (answer.verdict) {
                addOnce(missing, answer.verdict->missing);
                addOnce(untold, answer.verdict->untold);
                node[QStringLiteral("missing")] = toJson(answer.verdict->missing);
                node[QStringLiteral("unchecked")] = toJson(answer.verdict->untold);
                node[QStringLiteral("absent")] = toJson(answer.verdict->absent);
                text += humanText(isOne ? QString() : answer.node, answer.role, *answer.verdict);
            } else {
                isWhole = false;
                const QString why = describe(answer.verdict.error(), answer.node);
                node[QStringLiteral("error")] = why;
                text += Words::tr("%1: %2: not checked. %3").arg(answer.node, roleInWords(answer.role), why) +
                        u'\n';
            }
            nodes.append(node);
        }
        const QByteArray user = options().server.user.isEmpty() ? "default" : options().server.user;
        // What could not be checked may be missing as well.
        QList<QByteArray> wanted = missing;
        addOnce(wanted, untold);
        const QByteArray line = "ACL SETUSER " + aclUserName(user) + ' ' + wanted.join(' ');
        if (!wanted.isEmpty())
            text += Texts::tr("Request: %1").arg(QString::fromUtf8(line)) + u'\n';
        const ExitStatus status = !missing.isEmpty()              ? ExitStatus::Rejected
                                  : !untold.isEmpty() || !isWhole ? ExitStatus::Unavailable
                                                                  : ExitStatus::Done;
        if (!options().json)
            return finish(status, text.toUtf8());
        QJsonObject document{{QStringLiteral("user"), lossless(user)},
                             {QStringLiteral("missing"), toJson(missing)},
                             {QStringLiteral("unchecked"), toJson(untold)},
                             {QStringLiteral("nodes"), nodes}};
        if (!wanted.isEmpty())
            document[QStringLiteral("line")] = QString::fromUtf8(line);
        finish(status, jsonLine(document));
    }

    QQueue<std::pair<ServerAddress, AclRole>> m_toAsk;
    QList<Answer> m_answers;
};

} // namespace

ExitStatus printAclLine(const Options &options)
{
    const AclRequest request = requestOf(options, *options.role);
    const AclRights rights = aclRights(request);
    const QByteArray user = options.server.user.isEmpty() ? aclRoleName(request.role) : options.server.user;
    QList<QByteArray> rules = aclRules(rights, request);
    const QByteArray line =
        "ACL SETUSER " + aclUserName(user) + " on >" + passwordToChoose + ' ' + rules.join(' ');
    if (!options.json)
        return deliver(line + '\n', ExitStatus::Done);
    return deliver(jsonLine({{QStringLiteral("user"), lossless(user)},
                             {QStringLiteral("role"), QString::fromLatin1(aclRoleName(request.role))},
                             {QStringLiteral("rules"), toJson(rules)},
                             {QStringLiteral("line"), QString::fromUtf8(line)}}),
                   ExitStatus::Done);
}

std::unique_ptr<Command> aclCheckCommand(const Options &options)
{
    return std::make_unique<AclCheckCommand>(options);
}

} // namespace lockscope
