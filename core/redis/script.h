// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"

#include <QByteArray>
#include <QList>

#include <initializer_list>

namespace lockscope {

class BlockingConnection;

/// A script of lua/, in both forms: with its "#!lua flags=…" line for Redis 7 and later, without it for older
/// or unknown versions.
class Script
{
public:
    /// `path`: below lua/, such as "reentrant/acquire.lua". Scripts are compiled in: a missing one is a
    /// programming error.
    explicit Script(QByteArrayView path);

    /// Sends EVALSHA and, after NOSCRIPT, the text. A script answered with NOSCRIPT has not run: sending it
    /// again is safe. Only the servers' exact words for it are accepted.
    QFuture<Result<Reply>> run(Link &connection, const QList<QByteArray> &keys,
                               const QList<QByteArray> &arguments) const;
    /// Blocking variant.
    Result<Reply> run(BlockingConnection &connection, std::initializer_list<QByteArrayView> keys,
                      std::initializer_list<QByteArrayView> arguments) const;

    QByteArray textFor(const ServerInfo &server) const;
    QByteArray sha1For(const ServerInfo &server) const;

private:
    QByteArray m_flagged;
    QByteArray m_plain;
    QByteArray m_flaggedSha1;
    QByteArray m_plainSha1;
};

} // namespace lockscope
