// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sshlog.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestLine = 2000;
constexpr qsizetype maxMessages = 40; // a key that changed takes ssh 14 lines
constexpr qsizetype maxOpen = 1000;
constexpr QByteArrayView debugPrefix("debug1: ");

bool saysAny(const QList<QByteArray> &messages, std::initializer_list<QByteArrayView> texts)
{
    return std::ranges::any_of(messages, [&](const QByteArray &message) {
        return std::ranges::any_of(texts, [&](QByteArrayView text) { return message.contains(text); });
    });
}

/// The equivalent login in a terminal.
QString byHand(const QString &host)
{
    const SshDestination destination(host);
    return destination.port.isEmpty()
               ? QStringLiteral("ssh ") + destination.name
               : QStringLiteral("ssh -p %1 %2").arg(destination.port, destination.name);
}

} // namespace

SshDestination::SshDestination(const QString &host) : name(host)
{
    const qsizetype colon = host.lastIndexOf(u':');
    const bool isIpv6 = host.count(u':') > 1;
    if (colon >= 0 && (!isIpv6 || host.lastIndexOf(u']') == colon - 1)) {
        port = host.sliced(colon + 1);
        name = host.first(colon);
    }
    name.remove(u'[').remove(u']');
}

void SshLog::take(const QByteArray &bytes)
{
    m_rest += bytes;
    qsizetype start = 0;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', start)) {
        takeLine(m_rest.sliced(start, std::min(end - start, longestLine)).trimmed());
        start = end + 1;
    }
    m_rest.remove(0, start);
    m_rest.truncate(longestLine);
}

void SshLog::takeLine(const QByteArray &line)
{
    constexpr QByteArrayView channel("channel ");
    const bool isDebug = line.startsWith(debugPrefix);
    const QByteArray text = isDebug ? line.sliced(debugPrefix.size()) : line;
    if (text.startsWith(channel)) {
        const qsizetype colon = text.indexOf(": ");
        const QByteArray number = text.first(std::max<qsizetype>(colon, 0));
        const QByteArray rest = text.sliced(colon < 0 ? text.size() : colon + 2);
        constexpr QByteArrayView failed("open failed: ");
        if (rest.startsWith(failed) && m_refused.size() < maxOpen)
            m_refused.insert(number, rest.sliced(failed.size()));
        else if (rest.startsWith("free: ") && m_refused.contains(number) && m_failures.size() < maxOpen)
            m_failures.append({rest, m_refused.take(number)});
        return;
    }
    if (isDebug || text.isEmpty())
        return;
    m_messages.append(text);
    if (m_messages.size() > maxMessages)
        m_messages.removeFirst();
}

QList<SshLog::OpenFailure> SshLog::takeOpenFailures()
{
    return std::exchange(m_failures, {});
}

Error sshError(const QString &host, const QList<QByteArray> &messages)
{
    const QByteArray last = messages.isEmpty() ? QByteArray() : messages.last();
    const auto refused = [&](const char *sentence) {
        return Error(ErrorKind::SshRefused, Phrase(sentence, host, last, byHand(host)));
    };
    if (saysAny(messages,
                {"REMOTE HOST IDENTIFICATION HAS CHANGED", "has changed and you have requested strict"}))
        return refused(QT_TRANSLATE_NOOP("phrases", "The key of the SSH host %1 has changed: a new host, or "
                                                    "an intercepted connection. Ask its operator first."));
    if (saysAny(messages, {"Host key verification failed", "host key is known for"}))
        return refused(QT_TRANSLATE_NOOP("phrases", "The key of the SSH host %1 is unknown. Run '%3' once in "
                                                    "a terminal and compare the fingerprint."));
    if (saysAny(messages, {"Permission denied (", "Too many authentication failures",
                           "No supported authentication methods", "No more authentication methods"}))
        return refused(QT_TRANSLATE_NOOP("phrases",
                                         "The SSH host %1 refused the login. Check '%3' in a terminal; a key "
                                         "with a passphrase must be in the agent. ssh said: “%2”"));
    if (saysAny(messages, {"Bad configuration option", "terminating,", "Bad owner or permissions",
                           "Can't open user "
                           "config file",
                           "no matching", "invalid characters", "Bad port", "unknown option", "keyword"}))
        return refused(
            QT_TRANSLATE_NOOP("phrases", "ssh cannot connect to %1. Check its configuration. It said: “%2”"));
    if (last.isEmpty())
        return {ErrorKind::SshNotReached,
                Phrase(QT_TRANSLATE_NOOP("phrases", "ssh ended without a message"))};
    return {ErrorKind::SshNotReached, last};
}

Error sshOpenError(const QString &host, const QString &target, const QByteArray &reason)
{
    // Neither a server that starts nor another try changes what is forbidden there.
    if (reason.startsWith("administratively prohibited") || reason.startsWith("unknown channel type"))
        return {
            ErrorKind::SshRefused,
            Phrase(QT_TRANSLATE_NOOP("phrases", "The SSH host %1 forbids forwarding to %2. Ask its operator "
                                                "(AllowTcpForwarding, PermitOpen). It said: “%3”"),
                   host, target, reason)};
    return {ErrorKind::NotReachedFromSsh, reason};
}

} // namespace lockscope
