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
    m_queue.add(line.trimmed());
    if (m_sending.isEmpty())
        sendNext();
}

void AlertWebhook::sendNext()
{
    if (m_sending.isEmpty()) {
        if (m_queue.isEmpty())
            return;
        m_sending = "{\"alerts\":[" + m_queue.takeSome().join(',') + "]}";
    }
    QNetworkRequest request(m_url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setTransferTimeout(static_cast<int>(std::chrono::milliseconds(patience).count()));
    // Another address than the one that was given gets nothing.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    QNetworkReply *reply = m_network.post(request, m_sending);
    connect(reply, &QNetworkReply::finished, this, [this, reply] { ended(reply); });
}

void AlertWebhook::ended(QNetworkReply *reply)
{
    reply->deleteLater();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 200 && status < 300) {
        m_sending.clear();
        m_wait = std::chrono::seconds(1);
        m_isTold = false;
        if (const qint64 dropped = m_queue.takeDropped())
            emit failed(
                Words::tr("The webhook was not reached for too long: %1 alerts were not sent.").arg(dropped));
        return sendNext();
    }
    if (!std::exchange(m_isTold, true)) {
        const QString host = m_url.host();
        // An error's text has the whole address in it.
        emit failed(
            status > 0
                ? Words::tr("The webhook at %1 answered with HTTP status %2. The alerts are sent again.")
                      .arg(host, QString::number(status))
                : Words::tr("The webhook at %1 did not answer. The alerts are sent again.").arg(host));
    }
    m_retry.start(m_wait);
    m_wait = std::min(m_wait * 2, longestWait);
}

} // namespace lockscope
