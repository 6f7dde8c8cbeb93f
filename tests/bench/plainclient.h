// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/contest.h"

#include <QByteArrayView>

#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

struct redisContext;

namespace lockscope {

/// Acquire and release as a plain hiredis program does them: blocking calls, EVALSHA, hiredis' own reply tree.
/// Null where it can't connect.
Pair hiredisPair(quint16 port, const QByteArray &acquireSha1, const QByteArray &releaseSha1,
                 const QByteArray &key, const QByteArray &owner, const QByteArray &leaseSeconds);

/// A connection as a plain hiredis program has one: every call blocks. One thread at a time.
class PlainClient
{
public:
    explicit PlainClient(const QString &socketPath);

    /// The reply's text, empty where it has none. nullopt: an error reply, or the connection broke.
    std::optional<QByteArray> send(std::initializer_list<QByteArrayView> command);

    struct Page
    {
        QByteArray cursor;
        std::vector<QByteArray> keys;
    };
    std::optional<Page> scan(const QByteArray &cursor, const QByteArray &match, qint64 count);

    /// Puts a command off until drain().
    void append(std::initializer_list<QByteArrayView> command);
    /// Sends what was put off in one go and drops the replies. False: one was an error, or the connection broke.
    bool drain();

private:
    std::shared_ptr<redisContext> m_context;
    int m_appended = 0;
};

} // namespace lockscope
