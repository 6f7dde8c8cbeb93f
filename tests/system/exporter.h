// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/system/cliprogram.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>

#include <memory>

namespace lockscope {

inline constexpr int exporterPatienceMs = 30'000;
inline const QByteArray openMetrics = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3";

/// The program, from its first line on.
class Exporter
{
public:
    explicit Exporter(const QStringList &options)
    {
        m_process.start(CliProgram::path(),
                        options + QStringList{QStringLiteral("export"), QStringLiteral("--listen"),
                                              QStringLiteral("127.0.0.1:0")});
        if (!QTest::qWaitFor([this] { return m_process.canReadLine(); }, exporterPatienceMs))
            qFatal("no line: %s", m_process.readAllStandardError().constData());
        const QByteArray line = m_process.readLine().trimmed();
        url = QUrl(QString::fromUtf8(line.sliced(line.indexOf("http://"))));
    }
    explicit Exporter(const RedisServer &server, const QStringList &options = {})
        : Exporter(QStringList{QStringLiteral("-s"), server.socketPath()} + options)
    {
    }
    ~Exporter()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    struct Fetched
    {
        int status = 0;
        QByteArray type;
        QByteArray body;
        QByteArray allow;
    };
    Fetched fetch(const QString &path = QStringLiteral("/metrics"), const QByteArray &accept = openMetrics,
                  const QByteArray &verb = "GET")
    {
        const QUrl there = url.resolved(QUrl(path));
        QNetworkRequest request(there);
        request.setRawHeader("Accept", accept);
        const std::unique_ptr<QNetworkReply> reply(m_network.sendCustomRequest(request, verb));
        if (!QTest::qWaitFor([&] { return reply->isFinished(); }, exporterPatienceMs))
            qFatal("no answer from %s", qPrintable(there.toString()));
        return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(),
                reply->rawHeader("Content-Type"), reply->readAll(), reply->rawHeader("Allow")};
    }
    /// Of a sample with its labels, as the page writes them; absent: -1.
    double value(const QByteArray &sample, const QString &path = QStringLiteral("/metrics"))
    {
        for (const QByteArray &line : fetch(path).body.split('\n')) {
            if (line.startsWith(sample + ' '))
                return line.sliced(sample.size() + 1).toDouble();
        }
        return -1;
    }
    QByteArray errors() { return m_errors += m_process.readAllStandardError(); }
    int end()
    {
        m_process.terminate();
        return m_process.waitForFinished(exporterPatienceMs) && m_process.exitStatus() == QProcess::NormalExit
                   ? m_process.exitCode()
                   : -1;
    }

    QUrl url;

private:
    QProcess m_process;
    QNetworkAccessManager m_network;
    QByteArray m_errors;
};

} // namespace lockscope
