// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/keyrecheck.h"

#include "core/redis/whendone.h"

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds retryInterval{200};

} // namespace

QFuture<Result<Inspection>> KeyRecheck::start(Link &connection, const LockKey &key, milliseconds patience)
{
    auto *look =
        new KeyRecheck(connection, key, patience); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Result<Inspection>> future = look->future();
    look->look();
    return future;
}

KeyRecheck::KeyRecheck(Link &connection, LockKey key, milliseconds patience)
    : PromiseTask(&connection), m_connection(connection), m_key(std::move(key))
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        Error why(ErrorKind::NotConnected, m_connection.lastError());
        if (!why.hasReason())
            why.note = Phrase(QT_TRANSLATE_NOOP("phrases", "no connection in time"));
        finish(tl::unexpected(std::move(why)));
    });
    connect(&m_connection, &Connection::ready, this, &KeyRecheck::look);
    connect(&m_connection, &Connection::connectionRefused, this, &KeyRecheck::failed);
    connect(&m_connection, &Connection::closed, this,
            [this] { finish(tl::unexpected(m_connection.lastError())); });
    m_patience.start(patience);
}

/// Retries if the connection does not: a restarting server is soon available again.
void KeyRecheck::failed(const Error &why)
{
    if (m_connection.state() == Connection::State::Closed)
        QTimer::singleShot(retryInterval, this, &KeyRecheck::look);
    else
        finish(tl::unexpected(why));
}

void KeyRecheck::look()
{
    switch (m_connection.state()) {
    case Connection::State::Ready:
        whenDone(this, inspector::inspect(m_connection, m_key), [this](const Result<Inspection> &inspection) {
            if (inspection || inspection.error().kind != ErrorKind::OutcomeUnknown)
                finish(inspection); // else: lost again; ready() or closed() comes
        });
        return;
    case Connection::State::Closed:
        if (m_connection.lastError().kind == ErrorKind::Canceled)
            finish(tl::unexpected(m_connection.lastError()));
        else
            m_connection.open();
        return;
    case Connection::State::Refused:
        return finish(tl::unexpected(m_connection.lastError()));
    case Connection::State::Connecting:
    case Connection::State::Backoff:
        return;
    }
}

} // namespace lockscope
