// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/support/rediscluster.h"
#include "tests/support/sentinelgroup.h"

#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

class BesideLoad;

/// A deployment whose locks end, and lockscope-cli as it sees them: with the rights that leave it one way to hear of changes.
class EndStage
{
public:
    enum class Layout : quint8 { Standalone, Sentinels, Cluster };
    enum class Rung : quint8 { Tracking, Notifications, Polling };

    /// `isBusy`: 2,000 writes, 1,000 expiries and 100 evictions of other keys a second beside.
    EndStage(Layout layout, Rung rung, bool isBusy, quint32 seed);
    ~EndStage();
    EndStage(const EndStage &) = delete;
    EndStage &operator=(const EndStage &) = delete;

    Layout layout() const { return m_layout; }
    Rung rung() const { return m_rung; }

    /// Of lockscope-cli; it keeps its state in a directory of this stage.
    QStringList options() const;
    QStringList environment() const;
    Ran cli(const QByteArrayList &words) const;
    QString filePath(const QString &name) const { return m_files.filePath(name); }

    /// By the node that has this key. An error reply is an error.
    Result<Reply> send(const QByteArray &key, const QByteArrayList &command);
    /// The lines' words are parted by blanks; several lines are a transaction.
    bool write(const QByteArray &key, const QByteArrayList &lines);
    bool exists(const QByteArray &key);
    /// On each primary.
    void onEach(const QByteArrayList &command);

    /// Until none of these keys is left, by the server's own choice.
    void evict(const QByteArrayList &keys, const QByteArray &policy);
    void restartEmpty();
    /// The replica has nothing of what is written from now on.
    void stopReplica();
    void failOver();
    /// The load has what it needs, and the servers evict. True at once without one.
    bool waitUntilInSwing();
    /// The program has asked each primary for its counters, and then made sure that it was told of all changes: what comes now
    /// does not fall together with what was before. Only without a load, which asks as well.
    void waitUntilCounted();
    QByteArray loadInWords() const;

private:
    BlockingConnection &nodeOf(const QByteArray &key);
    BlockingConnection &opened(size_t node);

    Layout m_layout;
    Rung m_rung;
    QTemporaryDir m_files;
    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<SentinelGroup> m_group;
    std::unique_ptr<RedisCluster> m_cluster;
    std::vector<RedisServer *> m_primaries;
    std::vector<std::unique_ptr<BlockingConnection>> m_connections;
    std::unique_ptr<BesideLoad> m_load;
};

/// `lockscope-cli watch --json` (or another verb that goes on), read as it comes.
class EndFeed
{
public:
    EndFeed(const EndStage &stage, const QStringList &words);
    ~EndFeed();
    EndFeed(const EndFeed &) = delete;
    EndFeed &operator=(const EndFeed &) = delete;

    /// With the event loop running, until its first line of that name; empty: it did not come.
    QJsonObject waitFor(const QString &event);
    void take();
    const QList<QJsonObject> &events() const { return m_events; }
    /// Ends it as Ctrl-C does.
    void end();

private:
    QProcess m_process;
    QList<QJsonObject> m_events;
};

} // namespace lockscope
