// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <QHttpServer>

#include <functional>

namespace lockscope {

/// Answers HTTP GET and HEAD without login, compressed if accepted. Closes connections that send much without
/// an answer or nothing for two minutes. Beyond 64 connections, or 16 from one address, the longest silent
/// one is closed.
class ScrapeServer
{
public:
    struct Answer
    {
        int status = 200;
        QByteArray type;
        QByteArray content;
    };
    /// Returns the answer for path and query; `accept`: the client's Accept header.
    using Answers = std::function<Answer(const QUrl &url, const QByteArray &accept)>;

    explicit ScrapeServer(Answers answers);

    tl::expected<quint16, QString> listen(const ListenAddress &address);

private:
    void answer(const QHttpServerRequest &request, QHttpServerResponder &responder) const;

    const Answers m_answers;
    QHttpServer m_http;
};

} // namespace lockscope
