// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <QHttpServer>

#include <functional>

namespace lockscope {

/// Answers GET and HEAD over HTTP, compressed where the client takes that, without login, on this thread. Whoever can connect may ask: a connection that sends much without
/// getting an answer, or nothing for two minutes, is closed. Of 64 connections, and of 16 of one address, the one that has been silent
/// longest makes room for a new one.
class ScrapeServer
{
public:
    struct Answer
    {
        bool isFound = true;
        QByteArray type; ///< of the content
        QByteArray content;
    };
    /// For a path, and what the client says that it accepts.
    using Answers = std::function<Answer(const QString &path, const QByteArray &accept)>;

    explicit ScrapeServer(Answers answers);

    /// The port, or why there is none.
    tl::expected<quint16, QString> listen(const ListenAddress &address);

private:
    void answer(const QHttpServerRequest &request, QHttpServerResponder &responder) const;

    const Answers m_answers;
    QHttpServer m_http;
};

} // namespace lockscope
