// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/alertwebhook.h"

#include "app/words.h"

#include <QNetworkReply>
#include <QNetworkRequest>

namespace lockscope {

namespace {

constexpr std::chrono::seconds longestWait{60};

} // namespace

AlertWebhook::AlertWebhook(const QUrl &url, QObject *parent) : QObject(parent), m_url(url)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &AlertWebhook::sendNext);
}

void AlertWebhook::add(const QByteArray &line)
{
    m_hadAlerts = true;
    m_queue.add(line.trimmed());
    if (m_sending.isEmpty())
        sendNext();
}

void AlertWebhook::hurry()
{
    m_wait = firstWait;
    if (!m_retry.isActive())
        return;
    m_retry.stop();
    sendNext();
}

void AlertWebhook::sendNext()
{
    if (m_sending.isEmpty()) {
        if (m_queue.isEmpty())
            return;
        const QByteArrayList lines = m_queue.takeSome();
        m_sendingLines = lines.size();
        m_sending = "{\"alerts\":[" + lines.join(',') + "]}";
    }
    QNetworkRequest request(m_url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setTransferTimeout(static_cast<int>(std::chrono::milliseconds(patience).count()));
    // Another address than the one that was given gets nothing.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    QNetworkReply *reply = m_network.post(request, m_sending);
    connect(reply, &QNetworkReply::finished, this, [this, reply] { ended(reply); });
    // Neither by many bytes nor by few at a time does a receiver hold up the next alerts.
    QTimer::singleShot(longestRequest, reply, &QNetworkReply::abort);
    connect(reply, &QNetworkReply::readyRead, reply, [reply, read = qint64(0)]() mutable {
        read += reply->readAll().size();
        if (read > longestAnswer)
            reply->abort();
    });
}

/// Builds its own text: QNetworkReply's contains the whole URL.
QString AlertWebhook::whyFailed(const QNetworkReply &reply, int status) const
{
    const QString host = m_url.host();
    if (status > 0)
        return Words::tr("Webhook %1: HTTP status %2.").arg(host, QString::number(status));
    switch (reply.error()) {
    case QNetworkReply::HostNotFoundError:
        return Words::tr("Webhook %1: host not found.").arg(host);
    case QNetworkReply::ConnectionRefusedError:
        return Words::tr("Webhook %1: connection refused.").arg(host);
    case QNetworkReply::SslHandshakeFailedError:
        return Words::tr("Webhook %1: no TLS, or no trusted certificate.").arg(host);
    case QNetworkReply::RemoteHostClosedError:
        return Words::tr("Webhook %1: connection closed without a reply.").arg(host);
    case QNetworkReply::OperationCanceledError:
    case QNetworkReply::TimeoutError:
        return Words::tr("Webhook %1: timeout.").arg(host);
    default:
        break;
    }
    return Words::tr("Webhook %1: not reached.").arg(host);
}

void AlertWebhook::ended(QNetworkReply *reply)
{
    reply->deleteLater();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (const qint64 dropped = m_queue.takeDropped())
        emit failed(Words::tr("Webhook too slow: %1 alerts were dropped.").arg(dropped));
    const bool isDone = status >= 200 && status < 300;
    const bool isRefused = status >= 300 && status < 500 && status != 408 && status != 425 && status != 429;
    m_hasTaken = m_hasTaken || isDone;
    if (isDone || isRefused) {
        if (isRefused)
            emit failed(Words::tr("%1 %2 alerts were refused.")
                            .arg(whyFailed(*reply, status), QString::number(m_sendingLines)));
        m_sending.clear();
        m_sendingLines = 0;
        m_wait = firstWait;
        m_isTold = false;
        return sendNext();
    }
    if (!std::exchange(m_isTold, true))
        emit failed(Words::tr("%1 Retrying.").arg(whyFailed(*reply, status)));
    m_retry.start(m_wait);
    m_wait = std::min(m_wait * 2, longestWait);
}

} // namespace lockscope
