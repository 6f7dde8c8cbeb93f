// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"
#include "core/redis/deployment/sentinelview.h"

#include <QElapsedTimer>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// The state of a deployment's Sentinels. A value that crosses threads.
struct SentinelStatus
{
    int known = 0;     ///< given ones, and those they know
    int answering = 0; ///< in the last round
    bool isDown = false;
    bool isFailingOver = false;

    friend bool operator==(const SentinelStatus &, const SentinelStatus &) = default;
};

/// Asks Sentinels for the primary, and receives their messages about a new one. Accepts the latest choice of
/// any Sentinel, and none older than seen before: a Sentinel that was cut off, or a returning primary, may be
/// outdated.
class SentinelWatch : public QObject
{
    Q_OBJECT

public:
    SentinelWatch(const ServerAddress &given, const Connection::Options &options, QObject *parent);
    ~SentinelWatch() override;

    void open();
    void close();
    void retryNow();
    /// Asks all of them: decided() or failed() follows, from answers after this call.
    void ask();

    const SentinelStatus &status() const { return m_status; }

signals:
    void decided(const lockscope::SentinelView &view, const lockscope::ServerAddress &teller);
    void failed(const lockscope::Error &why);
    void switched(const lockscope::NodeAddress &primary, const lockscope::ServerAddress &teller);

private:
    struct Node;

    void add(const ServerAddress &address);
    void listen(Node &node);
    void askNode(Node &node);
    void settle(bool isPatienceOver);
    void finishRound();
    bool isOutdated(const SentinelView &view);
    void learnOthers(const SentinelView &view, const ServerAddress &teller);
    void fail();
    void failUnknownName(Node &node);

    const ServerAddress m_given;
    const QByteArray m_name;
    const Connection::Options m_options;
    std::vector<std::unique_ptr<Node>> m_nodes;
    SentinelStatus m_status;
    QTimer m_patience;
    qint64 m_epoch = -1;
    QElapsedTimer m_olderSince; ///< since most report an older choice; invalid: they do not
    int m_round = 0;
    bool m_isAsking = false;
    bool m_asksAgain = false;
    bool m_isOpen = false;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SentinelStatus)
