// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"

#include <QByteArray>
#include <QList>

#include <initializer_list>

namespace lockscope {

class BlockingConnection;

/// One of the scripts of lua/, in the two forms that servers take: with its "#!lua flags=…" line from Redis 7
/// on, without it before (and where the version is not known: the plain form runs everywhere).
class Script
{
public:
    /// `path` as below lua/, e.g. "reentrant/acquire.lua". The file is compiled into the program: a missing
    /// one is a programming error.
    explicit Script(QByteArrayView path);

    /// EVALSHA; on NOSCRIPT the text. A script that a NOSCRIPT answers has not run, so sending it again is
    /// safe. Only the words that servers have for it are believed.
    QFuture<Result<Reply>> run(Link &connection, const QList<QByteArray> &keys,
                               const QList<QByteArray> &arguments) const;
    /// The same for a thread that waits.
    Result<Reply> run(BlockingConnection &connection, std::initializer_list<QByteArrayView> keys,
                      std::initializer_list<QByteArrayView> arguments) const;

    QByteArray textFor(const ServerInfo &server) const;
    QByteArray sha1For(const ServerInfo &server) const; ///< hexadecimal

private:
    QByteArray m_flagged;
    QByteArray m_plain;
    QByteArray m_flaggedSha1;
    QByteArray m_plainSha1;
};

} // namespace lockscope
