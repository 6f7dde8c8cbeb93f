// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/aclcheck.h"

#include "core/base/glob.h"
#include "core/redis/command.h"
#include "core/redis/refusal.h"
#include "core/redis/whendone.h"

#include <QUuid>

#include <algorithm>

namespace lockscope {

namespace {

// How many arguments a command needs is tried: the server refuses too few before it looks at permissions.
constexpr int maxArguments = 5;

/// True for commands that run at once, even within a transaction.
bool endsTransaction(const QByteArray &command)
{
    return command == "multi" || command == "exec";
}

bool lacksArguments(const Reply &reply)
{
    return reply.isError() && reply.text.startsWith("ERR wrong number of arguments");
}

bool isUnknownCommand(const Reply &reply)
{
    return reply.isError() &&
           (reply.text.startsWith("ERR unknown command") || reply.text.startsWith("ERR unknown subcommand") ||
            reply.text.startsWith("ERR Unknown subcommand"));
}

/// True for errors that servers check for after permissions.
bool isLaterRefusal(const Reply &reply)
{
    switch (serverError(reply.text).kind) {
    case ErrorKind::Moved:
    case ErrorKind::Ask:
    case ErrorKind::TryAgain:
    case ErrorKind::ClusterDown:
    case ErrorKind::CrossSlot:
    case ErrorKind::ReadOnlyReplica:
    case ErrorKind::PersistenceFailed:
    case ErrorKind::OutOfMemory:
    case ErrorKind::NoReplicas:
    case ErrorKind::MasterDown:
        return true;
    default:
        return false;
    }
}

} // namespace

QByteArray nameMatching(QByteArrayView glob, const QByteArray &open)
{
    QByteArray name;
    for (qsizetype i = 0; i < glob.size(); ++i) {
        const char c = glob[i];
        if (c == '*') {
            name += open;
        } else if (c == '?') {
            name += 'x';
        } else if (c == '[') {
            const qsizetype end = glob.indexOf(']', i + 1);
            const QByteArrayView set = glob.sliced(i, end < 0 ? glob.size() - i : end + 1 - i);
            for (int byte = 1; byte < 256; ++byte) {
                const QByteArray one(1, static_cast<char>(byte));
                if (!globMatches(set, one))
                    continue;
                name += one;
                break;
            }
            i += set.size() - 1;
        } else {
            i += c == '\\' && i + 1 < glob.size() ? 1 : 0;
            name += glob[i];
        }
    }
    return globMatches(glob, name) ? name : QByteArray();
}

AclCheck::AclCheck(const ServerAddress &address, AclRequest request, QObject *parent)
    : QObject(parent),
      m_connection(address, {.clientName = "lockscope:acl", .reconnect = false}, this),
      m_request(std::move(request)),
      m_name("-lockscope-" + // unlike the beginning of a lock's usual name: it stands for any
             QUuid::createUuid().toByteArray(QUuid::WithoutBraces))
{
    const auto fail = [this](const Error &why) { finish(tl::unexpected(why)); };
    connect(&m_connection, &Connection::connectionLost, this, fail);
    connect(&m_connection, &Connection::connectionRefused, this, fail);
    connect(&m_connection, &Connection::ready, this, &AclCheck::begin);
}

void AclCheck::start()
{
    m_connection.open();
}

void AclCheck::finish(const Result<AclVerdict> &verdict)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_connection.close(); // which ends the transaction, and nothing of it was done
    if (!verdict) {
        emit ended(verdict);
        return;
    }
    // In the order of a line, each once.
    AclVerdict sorted = *verdict;
    const QList<QByteArray> order = aclRules(aclRights(m_request), m_request);
    for (QList<QByteArray> *rules : {&sorted.missing, &sorted.untold})
        std::ranges::sort(*rules, {}, [&order](const QByteArray &rule) { return order.indexOf(rule); });
    sorted.untold.removeIf([&](const QByteArray &rule) { return sorted.missing.contains(rule); });
    emit ended(sorted);
}

/// Waits until the server has begun a transaction before it sends anything else.
void AclCheck::begin()
{
    const ServerInfo &server = m_connection.server();
    m_request.server = m_verdict.server = aclServerOf(server.name, server.major, server.minor);
    CommandBatch batch;
    batch.add({"EXEC"}); // outside of one it only says so
    batch.add({"MULTI"});
    batch.add({"PING"});
    whenDone(this, m_connection.send(batch), [this](const Result<std::vector<Reply>> &replies) {
        if (!replies)
            return finish(tl::unexpected(replies.error()));
        judge({"+exec", {}, {}, true}, (*replies)[0]);
        judge({"+multi", {}, {}, true}, (*replies)[1]);
        const Reply &begun = (*replies)[1];
        const Reply &queued = (*replies)[2];
        const bool isRefused = queued.isError() && serverError(queued.text).kind == ErrorKind::NoPermission;
        if (begun.isError() || (queued.text != "QUEUED" && !isRefused)) {
            for (const Probe &probe : probes())
                m_verdict.untold.append(probe.rule);
            return finish(m_verdict);
        }
        ask(probes(), 0);
    });
}

std::vector<AclCheck::Probe> AclCheck::probes() const
{
    std::vector<Probe> list;
    const AclRights rights = aclRights(m_request);
    const auto nameOf = [this](const QByteArray &glob) { return nameMatching(glob, m_name); };
    const QByteArray key = nameOf(m_request.patterns.value(0));
    const QByteArray channel = nameOf(rights.told.value(0));
    for (const QByteArray &command : rights.commands) {
        const QByteArray name = command.endsWith("publish")  ? channel
                                : command == "subscribe"     ? rights.heard.value(0)
                                : command.startsWith("eval") ? "0" // no key is among its first arguments
                                                             : key;
        if (!endsTransaction(command)) // a container command and what is asked of it
            list.push_back({'+' + command, command.split('|'), name, true});
    }
    for (const AclRights::Key &each : rights.keys) {
        const QByteArray rule = keyRule(each, m_request.server);
        list.push_back({rule, {"pttl"}, nameOf(each.pattern)});
        if (each.isWritten)
            list.push_back({rule, {"del"}, nameOf(each.pattern)});
    }
    for (const QByteArray &heard : rights.heard)
        list.push_back({channelRule(heard, m_request.server), {"subscribe"}, nameOf(heard)});
    for (const QByteArray &told : rights.told)
        list.push_back({channelRule(told, m_request.server), {"publish"}, nameOf(told)});
    std::erase_if(list, [](const Probe &probe) { return probe.rule.isEmpty(); });
    return list;
}

/// Sends probes with this number of arguments; those with too few are repeated with one more.
void AclCheck::ask(const std::vector<Probe> &asked, int arguments)
{
    CommandBatch batch;
    for (const Probe &probe : asked) {
        std::vector<QByteArrayView> words(probe.words.begin(), probe.words.end());
        for (int i = 0; i < arguments; ++i)
            words.emplace_back(i == 0 ? QByteArrayView(probe.name) : QByteArrayView("0"));
        batch.add(words);
    }
    const auto take = [this, asked, arguments](const Result<std::vector<Reply>> &replies) {
        if (!replies)
            return finish(tl::unexpected(replies.error()));
        std::vector<Probe> again;
        for (size_t i = 0; i < asked.size(); ++i) {
            if (lacksArguments((*replies)[i]) && arguments < maxArguments)
                again.push_back(asked[i]);
            else
                judge(asked[i], (*replies)[i]);
        }
        if (again.empty())
            return finish(m_verdict);
        ask(again, arguments + 1);
    };
    whenDone(this, m_connection.send(batch), take);
}

void AclCheck::judge(const Probe &probe, const Reply &answer)
{
    const auto add = [](QList<QByteArray> &rules, const QByteArray &rule) {
        if (!rules.contains(rule))
            rules.append(rule);
    };
    // A refused EXEC says first that it ends the transaction.
    const qsizetype cause = answer.text.startsWith("EXECABORT") ? answer.text.indexOf("NOPERM") : 0;
    const QByteArray text = answer.text.sliced(std::max<qsizetype>(cause, 0));
    if (isUnknownCommand(answer))
        return probe.tellsOfCommand ? add(m_verdict.absent, probe.rule.sliced(1)) : void();
    const bool isRefused = answer.isError() && serverError(text).kind == ErrorKind::NoPermission;
    if (!isRefused) {
        const bool isOutside = answer.isError() && (answer.text.startsWith("ERR EXEC without") ||
                                                    answer.text.startsWith("ERR MULTI calls"));
        if (answer.isError() && !isOutside && !isLaterRefusal(answer))
            add(m_verdict.untold, probe.rule);
        return;
    }
    using About = Refusal::About;
    const About about = refusalFrom(text).about;
    const bool isOfCommand = about == About::Command;
    if (about == About::Unknown)
        return add(m_verdict.untold, probe.rule);
    if (isOfCommand == probe.tellsOfCommand)
        add(m_verdict.missing, probe.rule);
    else if (isOfCommand) // what comes after it was not looked at
        add(m_verdict.untold, probe.rule);
}

} // namespace lockscope
