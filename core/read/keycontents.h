// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"
#include "core/redis/deployment/deployment.h"
#include "core/redis/promisetask.h"

#include <QTimer>

#include <optional>
#include <utility>

namespace lockscope {

/// The content of one key, as far as it was read.
struct StoredKey
{
    enum class Type : quint8 { Unknown, Absent, String, Hash, List, Set, SortedSet, Other };

    QByteArray key;
    Type type = Type::Unknown;
    QByteArray typeName; ///< the server's name for it
    bool isTtlKnown = false;
    CompactOptional<milliseconds> ttl; ///< absent: no expiry
    QByteArray text;                   ///< String: its first bytes
    /// Hash: fields and values. SortedSet: members and scores. List, Set: elements and empty values.
    QList<std::pair<QByteArray, QByteArray>> elements;
    bool hasMore = false;        ///< more bytes or elements exist
    bool areElementsCut = false; ///< at least one is longer
    std::optional<Error> error;  ///< why nothing, or only the type, was read
};

/// The content in the form for family recognition.
KeyContent contentOf(const StoredKey &stored);

struct ChannelContent
{
    QByteArray channel;
    CompactOptional<qint64> subscribers; ///< on the servers that could be read; absent: unknown
};

/// A lock's key, companion keys and channels at nearly one moment.
struct LockContents
{
    QList<StoredKey> keys; ///< the lock's own first
    QList<ChannelContent> channels;
    qint64 readAtMs = 0; ///< epoch ms by this machine's clock
};

/// Reads the keys of one lock once, at the user's request, on its own connection: if a huge value breaks it,
/// the monitor is not affected. Sends only commands that the monitor sends too. Limits: 4 KiB of a string or
/// element, about 64 elements.
class LockContentsReading : public PromiseTask<Result<LockContents>>
{
public:
    static constexpr qsizetype maxBytes = 4096;  ///< limit for a string or an element
    static constexpr qsizetype maxElements = 64; ///< a small hash or set is read completely
    static constexpr qsizetype maxKeys = 32;     ///< further companions are left out
    static constexpr qsizetype maxChannels = 64;
    static constexpr std::chrono::seconds longest{30}; ///< for the whole reading

    /// A StoredKey holds the error of an unreadable, missing or unreachable key; an Error if the server is
    /// unreachable, or does not answer in time.
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
    std::optional<Error> m_lost; ///< lost reply; the connection has not reported the cause yet
    bool m_isAsking = false;
    bool m_areTypesKnown = false;
};

} // namespace lockscope
