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
/// request that fails is sent again after 1, 2, 4 … 60 s, so that a receiver may get one twice: "number", "event" and "at" tell. The
/// address may be a secret: only its host is ever shown.
class AlertWebhook : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds patience{10}; ///< for an answer

    explicit AlertWebhook(const QUrl &url, QObject *parent = nullptr);

    void add(const QByteArray &line);

signals:
    /// A request failed, and is sent again: told once for a row of them.
    void failed(const QString &why);

private:
    void sendNext();
    void ended(QNetworkReply *reply);

    const QUrl m_url;
    AlertQueue m_queue;
    QNetworkAccessManager m_network;
    QByteArray m_sending; ///< empty: nothing
    QTimer m_retry;
    std::chrono::seconds m_wait{1};
    bool m_isTold = false;
};

} // namespace lockscope
