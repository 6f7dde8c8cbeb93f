// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/redis/blockingconnection.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redisserver.h"

#include <QByteArrayList>

namespace lockscope {

/// An action that changes something when it is carried out, and what is there before.
struct Deed
{
    const char *name;
    ActionRequest request;
    QByteArrayList before; ///< redis-cli lines
    QByteArrayList words;  ///< the same for lockscope-cli, behind the connection's options
};
QList<Deed> deeds();

/// What a script cannot have answered, and a server that carried one out does not answer.
QByteArrayList forgedReplies();

/// Looks on the server, past the proxy, what was really done.
class Witness
{
public:
    Witness();

    const RedisServer &server() const { return m_server; }

    /// Empties the server, writes what the deed needs, and begins to count.
    bool prepare(const Deed &deed);
    /// Scripts that were carried out since then.
    int executed();
    /// Anything is different from what prepare() left.
    bool hasChanged();
    /// Whether the key is there.
    bool exists(const LockKey &key);

private:
    QByteArray picture();

    RedisServer m_server;
    BlockingConnection m_eye;
    QByteArray m_before;
};

/// How one action ended, as the program says it: the outcome's name, "refused" for an Error, empty where it said nothing.
struct Told
{
    QByteArray outcome;
    QByteArray audited;           ///< the outcome in its audit record
    bool wellRecorded = true;     ///< exactly two records of one request
    std::optional<bool> foundKey; ///< what a look after an unknown outcome found
};

/// What is wrong with what was told, by what the witness saw; empty where nothing is.
QByteArray flawIn(const Told &told, Witness &witness, const Deed &deed);

} // namespace lockscope
