// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"
#include "core/redis/deployment/deployment.h"
#include "core/redis/oneanswer.h"

#include <QTimer>

#include <optional>
#include <utility>

namespace lockscope {

/// What is stored under one key, as far as it was read.
struct StoredKey
{
    enum class Type : quint8 { Unknown, Absent, String, Hash, List, Set, SortedSet, Other };

    QByteArray key;
    Type type = Type::Unknown;
    QByteArray typeName; ///< as the server calls it
    bool isTtlKnown = false;
    CompactOptional<milliseconds> ttl; ///< absent: no expiry
    QByteArray text;                   ///< String: its first bytes
    /// Hash: fields and values. SortedSet: members and scores. List, Set: elements and nothing.
    QList<std::pair<QByteArray, QByteArray>> elements;
    bool hasMore = false;        ///< bytes or elements than were read
    bool areElementsCut = false; ///< one is longer at least
    std::optional<Error> error;  ///< why nothing, or only the type, was read
};

/// The same as families are asked about it.
KeyContent contentOf(const StoredKey &stored);

/// One that waits, or may wait, listens there.
struct ChannelContent
{
    QByteArray channel;
    CompactOptional<qint64> subscribers; ///< on the servers that could be asked; absent: unknown
};

/// A lock's key, its companion keys and its channels as they were at about one moment.
struct LockContents
{
    QList<StoredKey> keys; ///< the lock's own first
    QList<ChannelContent> channels;
    qint64 readAtMs = 0; ///< epoch ms by the clock of this machine
};

/// Reads what is stored of one lock, once, when the user asks: on a connection of its own, which an enormous value may end
/// without harm to the watching. Sends only commands that the monitor sends, too. At most 4 KiB of a string and of each
/// element, and about 64 elements.
class LockContentsReading : public OneAnswer<Result<LockContents>>
{
public:
    static constexpr qsizetype mostBytes = 4096;  ///< of a string, and of an element
    static constexpr qsizetype mostElements = 64; ///< a small hash or set is answered whole
    static constexpr qsizetype mostKeys = 32;     ///< the further companions are left out
    static constexpr qsizetype mostChannels = 64;
    static constexpr std::chrono::seconds longest{30}; ///< of a whole reading

    /// A key that may not be read, is gone or on a lost node is told by its StoredKey; an Error where the server can't be
    /// reached, or does not answer in time.
    static QFuture<Answer> start(const ServerAddress &server, const Lock &lock, QObject *parent);

private:
    LockContentsReading(const ServerAddress &server, const Lock &lock, QObject *parent);
    void askTypes();
    void askContents();
    Link &link();
    void fail(const Error &why);
    void end(const Error &why);
    void giveUp();

    const Lock m_lock;
    Deployment m_deployment;
    LockContents m_contents;
    QTimer m_patience;
    std::optional<Error> m_lost; ///< the reply; its connection has not told why yet
    bool m_isAsking = false;
    bool m_areTypesKnown = false;
};

} // namespace lockscope
