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

/// What is known of the Sentinels of a deployment. A value that crosses threads.
struct SentinelStatus
{
    int known = 0;     ///< those given, and those that they know
    int answering = 0; ///< in the last round of questions
    bool isDown = false;
    bool isFailingOver = false;

    friend bool operator==(const SentinelStatus &, const SentinelStatus &) = default;
};

/// Asks the Sentinels that an address names which server is the primary, and hears from them when another one is. Believes
/// the latest choice that any of them knows, and no older one than it has seen: a Sentinel that was cut off, and a primary
/// that comes back, know nothing of what has happened.
class SentinelWatch : public QObject
{
    Q_OBJECT

public:
    SentinelWatch(const ServerAddress &given, const Connection::Options &options, QObject *parent);
    ~SentinelWatch() override;

    void open();
    void close();
    void retryNow();
    /// All that can be asked: decided() or failed() follows, by answers that are no older than this call.
    void ask();

    const SentinelStatus &status() const { return m_status; }

signals:
    void decided(const lockscope::SentinelView &view, const lockscope::ServerAddress &teller);
    /// None has an answer that can be believed.
    void failed(const lockscope::Error &why);
    /// One of them says that this server has taken over.
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
    QElapsedTimer m_olderSince; ///< most of them have said so since; invalid: they do not
    int m_round = 0;
    bool m_isAsking = false;
    bool m_asksAgain = false;
    bool m_isOpen = false;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SentinelStatus)
