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

/// Posts alerts to a URL as JSON: {"alerts":[…]}. One request at a time; new alerts go with the next. A
/// failed request is repeated after 1, 2, 4 … 60 s: receivers may see one twice and compare "number", "event"
/// and "at". HTTP status 3xx and 4xx (except 408, 425, 429) are not repeated. The URL may be secret: only its
/// host is shown.
class AlertWebhook : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds patience{10};       ///< without data
    static constexpr std::chrono::seconds longestRequest{60}; ///< including the answer
    static constexpr qint64 longestAnswer = 64 * 1024; ///< bytes; of a longer answer only the status counts

    explicit AlertWebhook(const QUrl &url, QObject *parent = nullptr);

    void add(const QByteArray &line);
    /// Repeats a failed request now and restarts the delays: little time is left.
    void hurry();
    /// Number of alerts not known to have arrived.
    qsizetype pending() const { return m_queue.size() + m_sendingLines; }
    /// True if there were alerts and none is known to have arrived.
    bool tookNothing() const { return m_hadAlerts && !m_hasTaken; }

signals:
    /// A request failed; reported once for a series of repetitions.
    void failed(const QString &why);

private:
    static constexpr std::chrono::seconds firstWait{1};

    void sendNext();
    void ended(QNetworkReply *reply);
    QString whyFailed(const QNetworkReply &reply, int status) const;

    const QUrl m_url;
    AlertQueue m_queue;
    QNetworkAccessManager m_network;
    QByteArray m_sending; ///< empty: none
    qsizetype m_sendingLines = 0;
    QTimer m_retry;
    std::chrono::seconds m_wait = firstWait;
    bool m_isTold = false;
    bool m_hadAlerts = false;
    bool m_hasTaken = false;
};

} // namespace lockscope
