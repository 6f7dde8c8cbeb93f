// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connectionondemand.h"

#include "core/redis/whendone.h"

#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::seconds idleFor{60};

} // namespace

ConnectionOnDemand::ConnectionOnDemand(Connection::Options options, QObject *parent)
    : QObject(parent), m_options(std::move(options)), m_idle(this)
{
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleFor);
    connect(&m_idle, &QTimer::timeout, this, &ConnectionOnDemand::close);
}

ConnectionOnDemand::~ConnectionOnDemand()
{
    if (m_connection)
        m_connection->disconnect(this);
    m_connection.reset(); // what is under way ends now, while the rest is there
    refuseWaiting({ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "closed"))});
}

QFuture<ConnectionOnDemand::Answer>
ConnectionOnDemand::send(const ServerAddress &address, const QByteArray &runId, const CommandBatch &batch)
{
    m_runId = runId;
    Waiting &waiting = m_waiting.emplace_back(Waiting{batch, {}});
    waiting.promise.start();
    QFuture<Answer> future = waiting.promise.future();
    m_idle.stop();
    if (m_connection && m_connection->address() != address)
        m_connection.reset();
    if (!m_connection) {
        m_connection = std::make_unique<Connection>(address, m_options);
        m_connection->setParent(this); // so that it moves to another thread with us
        connect(m_connection.get(), &Link::ready, this, &ConnectionOnDemand::sendWaiting);
        connect(m_connection.get(), &Link::connectionRefused, this, &ConnectionOnDemand::refuseWaiting);
    }
    if (m_connection->state() == Link::State::Ready)
        sendIfAlive();
    else
        m_connection->open(); // nothing where it is on its way
    return future;
}

/// Sends a PING first: commands to a connection that ended unnoticed would have an unknown outcome.
void ConnectionOnDemand::sendIfAlive()
{
    whenDone(this, m_connection->send({"PING"}), [this](const Result<Reply> &answer) {
        if (answer || answer.error().kind != ErrorKind::OutcomeUnknown) // any answer is one
            sendWaiting();
        else if (!m_waiting.empty())
            m_connection->open();
    });
}

void ConnectionOnDemand::sendWaiting()
{
    const QByteArray &answering = m_connection->server().runId;
    if (!m_runId.isEmpty() && !answering.isEmpty() && answering != m_runId) {
        refuseWaiting({ErrorKind::NetworkFailed,
                       Phrase(QT_TRANSLATE_NOOP("phrases", "another server has taken over"))});
        m_connection->close();
        return;
    }
    for (Waiting &waiting : std::exchange(m_waiting, {}))
        pass(std::move(waiting));
}

void ConnectionOnDemand::pass(Waiting waiting)
{
    ++m_underWay;
    auto promise = std::make_shared<QPromise<Answer>>(std::move(waiting.promise));
    whenDone(this, m_connection->send(waiting.batch), [this, promise](const Answer &answer) {
        if (--m_underWay == 0)
            m_idle.start();
        promise->addResult(answer);
        promise->finish();
    });
}

void ConnectionOnDemand::refuseWaiting(const Error &why)
{
    for (Waiting &waiting : std::exchange(m_waiting, {})) {
        waiting.promise.addResult(Answer(tl::unexpected(Error(ErrorKind::NotConnected, why))));
        waiting.promise.finish();
    }
}

void ConnectionOnDemand::close()
{
    m_idle.stop();
    if (m_connection)
        m_connection->close();
    refuseWaiting({ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "closed"))});
}

} // namespace lockscope
