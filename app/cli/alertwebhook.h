// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/alertqueue.h"

#include <QNetworkAccessManager>
#include <QObject>
#include <QTimer>
#include <QUrl>

#include <chrono>

class QNetworkReply;

namespace lockscope {

/// Posts alerts to a web address as JSON: {"alerts":[…]}. One request at a time; what is raised meanwhile goes with the next. A
/// request that fails is sent again after 1, 2, 4 … 60 s, so that a receiver may get one twice: "number", "event" and "at" tell. One that
/// the receiver does not take as it is (HTTP status 3xx and 4xx, but for 408, 425 and 429) is given up. The
/// address may be a secret: only its host is ever shown.
class AlertWebhook : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds patience{10};       ///< while nothing is heard
    static constexpr std::chrono::seconds longestRequest{60}; ///< with its answer, however slowly that comes
    static constexpr qint64 longestAnswer = 64 * 1024; ///< in bytes: of a longer one the status alone counts

    explicit AlertWebhook(const QUrl &url, QObject *parent = nullptr);

    void add(const QByteArray &line);
    /// What waits to be sent again is sent now, and from then on after 1, 2, 4 … s: there is little time left.
    void hurry();
    /// Alerts that were not sent yet, or are not known to have arrived.
    qsizetype pending() const { return m_queue.size() + m_sendingLines; }
    /// There were some, and none is known to have arrived.
    bool tookNothing() const { return m_hadAlerts && !m_hasTaken; }

signals:
    /// A request failed; where it is sent again, that is told once for a row of them.
    void failed(const QString &why);

private:
    static constexpr std::chrono::seconds firstWait{1};

    void sendNext();
    void ended(QNetworkReply *reply);
    QString whyFailed(const QNetworkReply &reply, int status) const;

    const QUrl m_url;
    AlertQueue m_queue;
    QNetworkAccessManager m_network;
    QByteArray m_sending; ///< empty: nothing
    qsizetype m_sendingLines = 0;
    QTimer m_retry;
    std::chrono::seconds m_wait = firstWait;
    bool m_isTold = false;
    bool m_hadAlerts = false;
    bool m_hasTaken = false;
};

} // namespace lockscope
