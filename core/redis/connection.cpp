// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"

#include "core/redis/connectionondemand.h"
#include "core/redis/loginpassword.h"
#include "core/redis/readyfuture.h"
#include "core/redis/resp.h"
#include "core/redis/sshtunnel.h"
#include "core/redis/transport.h"
#include "core/redis/unasked.h"
#include "core/redis/whendone.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QPointer>
#include <QPromise>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <deque>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using Replies = std::vector<Reply>;

namespace {

constexpr qint64 readBytes = 64 * 1024;
constexpr auto firstRetry = 50ms;
constexpr auto longestRetry = 5000ms;
// Whoever waits for a server that has just gone wants it back soon after it is: full jitter up to this, for so long.
constexpr auto longestRetryAtFirst = 1000ms;
constexpr auto atFirst = 30s;
constexpr auto steadyAfter = 10s; // a connection that lived so long starts the back-off anew

/// Exponential backoff with full jitter: monitors of a server must not reconnect simultaneously.
std::chrono::milliseconds retryDelay(int failures, std::chrono::milliseconds longest)
{
    const auto cap = std::min(longest, firstRetry * (1 << std::min(failures, 10)));
    return std::chrono::milliseconds(QRandomGenerator::global()->bounded(static_cast<int>(cap.count()) + 1));
}

} // namespace

class Connection::Private : public QObject
{
public:
    Private(Connection *connection, ServerAddress serverAddress, Options connectionOptions);

    void connectNow();
    void dial();
    void passwordObtained();
    void passwordEnding();
    void connectTimedOut();
    void transportFailed(const Error &why);
    RespVersion version() const { return options.speaksResp3 ? RespVersion::Resp3 : RespVersion::Resp2; }
    void logIn();
    void loggedIn(const Replies &replies);
    void read();
    void take(Reply reply);
    void armDeadline();
    void deadlinePassed();
    void fail(const Error &why);
    void restart(const Error &why);
    void dropTransport();
    void finishAll(const Error &why);
    QFuture<Result<Replies>> enqueue(const CommandBatch &batch);

    /// A batch on the wire, waiting for its replies.
    struct Pending
    {
        int expected;
        QDeadlineTimer deadline;
        QPromise<Result<Replies>> promise;
        Replies replies;

        void finish(Result<Replies> result)
        {
            promise.addResult(std::move(result));
            promise.finish();
        }
    };

    Connection *q;
    ServerAddress address;
    LoginPassword password;
    const Options options;
    State state = State::Closed;
    ServerInfo server;
    Error lastError;
    std::unique_ptr<Transport> transport;
    RespReader reader;
    std::deque<Pending> queue;
    QTimer deadlineTimer;
    QTimer connectTimer;
    QTimer retryTimer;
    int failures = 0;
    QElapsedTimer readySince;
    QElapsedTimer goneSince; // invalid while it is ready
    std::unique_ptr<ConnectionOnDemand> writer;
    SshTunnel::Hold ssh; // also between two tries
};

Connection::Private::Private(Connection *connection, ServerAddress serverAddress, Options connectionOptions)
    : QObject(connection),
      q(connection),
      address(std::move(serverAddress)),
      password(this),
      options(std::move(connectionOptions)),
      deadlineTimer(this),
      connectTimer(this),
      retryTimer(this)
{
    deadlineTimer.setSingleShot(true);
    connectTimer.setSingleShot(true);
    retryTimer.setSingleShot(true);
    connect(&password, &LoginPassword::obtained, this, &Private::passwordObtained);
    connect(&password, &LoginPassword::failed, this, [this](const Error &why) {
        if (state == State::Connecting)
            fail(why);
    });
    connect(&password, &LoginPassword::ending, this, &Private::passwordEnding);
    connect(&deadlineTimer, &QTimer::timeout, this, &Private::deadlinePassed);
    connect(&connectTimer, &QTimer::timeout, this, &Private::connectTimedOut);
    connect(&retryTimer, &QTimer::timeout, this, &Private::connectNow);
}

void Connection::Private::connectNow()
{
    retryTimer.stop();
    if (address.isBySentinels()) // they have not named it: what else stands in the address is nobody's
        return fail(Error(ErrorKind::SentinelNotReached));
    state = State::Connecting;
    password.obtain(address);
}

void Connection::Private::passwordObtained()
{
    if (state == State::Connecting)
        return dial();
    CommandBatch batch;
    addLogin(batch, password.login());
    whenDone(this, enqueue(batch), [this](const Result<Replies> &replies) {
        if (replies && replies->front().isError())
            password.refused();
    });
}

void Connection::Private::passwordEnding()
{
    if (options.acceptsPush && !options.speaksResp3)
        emit q->loginEnding();
    else if (state == State::Ready)
        password.obtain(address);
}

void Connection::Private::dial()
{
    RespLimits limits;
    if (options.usesMonitor) // which shows what others write in one line
        limits.lineBytes = limits.bulkBytes;
    reader = RespReader(limits, version());
    transport = std::make_unique<Transport>(address);
    connect(transport.get(), &Transport::dialing, this,
            [this] { connectTimer.start(options.connectDeadline); });
    connect(transport.get(), &Transport::opened, this, &Private::logIn);
    connect(transport.get(), &Transport::readable, this, &Private::read);
    connect(transport.get(), &Transport::failed, this, &Private::transportFailed);
    ssh = SshTunnel::Hold(address);
    transport->open();
}

void Connection::Private::connectTimedOut()
{
    // A plain Redis waits for the end of what it takes for a command. One that spoke TLS before is only slow.
    if (!readySince.isValid() && transport->isHandshaking())
        fail({ErrorKind::TlsFailed,
              Phrase(QT_TRANSLATE_NOOP("phrases", "no answer to TLS: the port may not use it"))});
    else
        fail({ErrorKind::ConnectTimeout, Phrase(QT_TRANSLATE_NOOP("phrases", "no answer in time"))});
}

void Connection::Private::transportFailed(const Error &why)
{
    // So ends a plain greeting on a port that speaks TLS.
    if (state == State::Connecting && !queue.empty() && why.kind == ErrorKind::NetworkFailed)
        fail({why.kind,
              Phrase(QT_TRANSLATE_NOOP("phrases", "the server closed the connection without answering: it "
                                                  "may expect TLS, or be an unfit proxy"))});
    else
        fail(why);
}

void Connection::Private::logIn()
{
    whenDone(this, enqueue(loginBatch(password.login(), options.clientName, version())),
             [this](const Result<Replies> &replies) {
                 if (replies) // else fail() has been here already
                     loggedIn(*replies);
             });
}

void Connection::Private::loggedIn(const Replies &replies)
{
    Result<ServerInfo> info =
        parseLoginReplies(password.login(), replies, options.expectsSentinel, version());
    if (!info && info.error().kind == ErrorKind::WrongPassword)
        password.refused();
    if (!info)
        return fail(info.error());
    server = std::move(*info);
    connectTimer.stop();
    state = State::Ready;
    readySince.start();
    goneSince.invalidate();
    emit q->ready();
}

QFuture<Result<Replies>> Connection::Private::enqueue(const CommandBatch &batch)
{
    Pending &pending = queue.emplace_back(
        Pending{batch.size(), QDeadlineTimer(options.commandDeadline), QPromise<Result<Replies>>(), {}});
    pending.promise.start();
    pending.replies.reserve(static_cast<size_t>(batch.size()));
    QFuture<Result<Replies>> future = pending.promise.future();
    if (queue.size() == 1)
        armDeadline();
    transport->write(batch.wire());
    return future;
}

void Connection::Private::read()
{
    const QPointer<Private> alive(this);
    const Transport *const current = transport.get();
    for (;;) {
        const QByteArray bytes = transport->read(readBytes);
        if (bytes.isEmpty())
            return;
        reader.feed(bytes);
        for (;;) {
            Result<std::optional<Reply>> next = reader.next();
            if (!next)
                return fail(next.error());
            if (!*next)
                break;
            take(std::move(**next));
            // Whoever got the reply may have closed or even deleted us.
            if (!alive || transport.get() != current)
                return;
        }
    }
}

void Connection::Private::take(Reply reply)
{
    // "-ERR max number of clients reached" is the one thing that a server says unasked.
    if (state == State::Connecting && reply.isError()) {
        if (const Error error = serverError(reply.text); error.kind == ErrorKind::TooManyClients)
            return fail(error);
    }
    // In RESP3 a message is a push, and an array that looks like one is an answer.
    const bool isUnasked = options.speaksResp3 ? reply.isPush() && !isSubscription(reply)
                                               : (options.acceptsPush && isMessage(reply)) ||
                                                     (options.usesMonitor && isObservation(reply));
    if (isUnasked) {
        emit q->pushReceived(reply);
        return;
    }
    if (reply.isPush())
        reply.type = Reply::Type::Array;
    if (queue.empty())
        return fail({ErrorKind::ProtocolError, Phrase(QT_TRANSLATE_NOOP("phrases", "an unsolicited reply"))});
    Pending &head = queue.front();
    head.replies.push_back(std::move(reply));
    if (head.replies.size() < static_cast<size_t>(head.expected))
        return;
    Pending done = std::move(head);
    queue.pop_front();
    armDeadline();
    done.finish(std::move(done.replies));
}

void Connection::Private::armDeadline()
{
    if (queue.empty())
        deadlineTimer.stop();
    else
        deadlineTimer.start(queue.front().deadline.remainingTimeAsDuration() > 0ns
                                ? std::chrono::ceil<std::chrono::milliseconds>(
                                      queue.front().deadline.remainingTimeAsDuration())
                                : 0ms);
}

void Connection::Private::deadlinePassed()
{
    fail({state == State::Connecting ? ErrorKind::ConnectTimeout : ErrorKind::NetworkFailed,
          Phrase(QT_TRANSLATE_NOOP("phrases", "no complete reply within %1 ms"),
                 options.commandDeadline.count())});
}

void Connection::Private::fail(const Error &why)
{
    const bool wasReady = state == State::Ready;
    Error error = why;
    error.detail.truncate(1024);
    dropTransport();
    connectTimer.stop();
    deadlineTimer.stop();
    lastError = error;
    if (wasReady && std::chrono::milliseconds(readySince.elapsed()) > steadyAfter)
        failures = 0;
    // A peer that is no Redis, or a login that is refused, stays so until the user changes something.
    const bool mayChange = error.kind == ErrorKind::WrongPassword && !address.passwordCommand.isEmpty();
    const bool hopeless = (requiresUserAction(error.kind) && !mayChange) ||
                          (error.kind == ErrorKind::ProtocolError && !wasReady);
    const bool again = options.reconnect && !hopeless;
    state = again ? State::Backoff : hopeless ? State::Refused : State::Closed;
    if (!goneSince.isValid())
        goneSince.start();
    const auto longest =
        goneSince.hasExpired(std::chrono::milliseconds(atFirst).count()) ? longestRetry : longestRetryAtFirst;
    auto delay = retryDelay(failures++, longest);
    if (error.kind == ErrorKind::TooManyClients) // each try takes from it what it has too little of
        delay = std::max<std::chrono::milliseconds>(delay, longest);
    if (again)
        retryTimer.start(delay);
    else
        ssh = {};
    const State settled = state;

    const QPointer<Private> alive(this);
    finishAll(error);
    if (!alive || state != settled) // a continuation deleted us, or opened anew
        return;
    if (again)
        emit q->connectionLost(error, delay);
    else
        emit q->connectionRefused(error);
}

/// Closes the connection, and reconnects at once.
void Connection::Private::restart(const Error &why)
{
    dropTransport();
    connectTimer.stop();
    deadlineTimer.stop();
    retryTimer.stop();
    lastError = why;
    state = State::Backoff;
    readySince.invalidate(); // of this server nothing is known
    const QPointer<Private> alive(this);
    finishAll(why);
    if (alive && state == State::Backoff)
        emit q->connectionLost(why, 0ms);
    if (alive && state == State::Backoff)
        connectNow();
}

void Connection::Private::dropTransport()
{
    password.stop();
    if (!transport)
        return;
    transport->disconnect(this);
    Transport *dropped = transport.release();
    dropped->setParent(this); // a thread that ends may not come to deleting it later
    dropped->deleteLater();   // not now: this may be its own signal
}

void Connection::Private::finishAll(const Error &why)
{
    // Continuations may send anew or delete us: they see an empty queue, and we touch nothing of ours after
    // the first.
    std::deque<Pending> pending = std::exchange(queue, {});
    for (Pending &entry : pending)
        entry.finish(tl::unexpected(Error{ErrorKind::OutcomeUnknown, why}));
}

Connection::Connection(ServerAddress address) : Connection(std::move(address), Options{}) {}

Connection::Connection(ServerAddress address, Options options, QObject *parent)
    : Link(parent), d(std::make_unique<Private>(this, std::move(address), std::move(options)))
{
}

Connection::~Connection()
{
    d->writer.reset();
    d->finishAll({ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "closed"))});
}

void Connection::open()
{
    if (d->state == State::Closed || d->state == State::Refused)
        d->connectNow();
}

void Connection::close()
{
    d->state = State::Closed;
    d->lastError = {ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "closed"))};
    d->retryTimer.stop();
    d->connectTimer.stop();
    d->deadlineTimer.stop();
    d->dropTransport();
    d->ssh = {};
    const QPointer<Connection> alive(this);
    if (d->writer)
        d->writer->close();
    if (alive)
        d->finishAll(d->lastError);
    if (alive)
        emit closed();
}

void Connection::distrust(const Phrase &why)
{
    fail({ErrorKind::NetworkFailed, why});
}

void Connection::fail(const Error &why)
{
    if (d->state == State::Ready)
        d->fail(why);
}

void Connection::retryNow()
{
    if (d->state == State::Backoff)
        d->connectNow();
}

void Connection::moveTo(const ServerAddress &address)
{
    if (d->address == address)
        return;
    d->address = address;
    const QPointer<Connection> alive(this);
    if (d->writer)
        d->writer->close();
    if (!alive)
        return;
    if (d->state == State::Ready || d->state == State::Connecting || d->state == State::Backoff)
        d->restart({ErrorKind::NetworkFailed,
                    Phrase(QT_TRANSLATE_NOOP("phrases", "another server has taken over"))});
}

Link::State Connection::state() const
{
    return d->state;
}

bool Connection::isReadOnly() const
{
    return d->options.readOnly || (d->options.gate && !d->options.gate->isOpen());
}

const ServerAddress &Connection::address() const
{
    return d->address;
}

const ServerInfo &Connection::server() const
{
    return d->server;
}

const Error &Connection::lastError() const
{
    return d->lastError;
}

QFuture<Result<Replies>> Connection::send(const CommandBatch &batch)
{
    const auto refuse = [](const Error &why) { return readyFuture(Result<Replies>(tl::unexpected(why))); };
    if (!batch.isReadOnly() && isReadOnly())
        return refuse({ErrorKind::ReadOnlyMode, Phrase(QT_TRANSLATE_NOOP("phrases", "read-only mode"))});
    if (d->state != State::Ready)
        return refuse({ErrorKind::NotConnected, d->lastError});
    if (batch.isEmpty())
        return readyFuture(Result<Replies>(Replies{}));
    if (!d->options.writesApart || batch.isReadOnly())
        return d->enqueue(batch);
    if (!d->writer) {
        Options options = d->options;
        options.clientName += ":actions";
        options.writesApart = options.reconnect = false;
        d->writer = std::make_unique<ConnectionOnDemand>(options, this);
    }
    return d->writer->send(d->address, d->server.runId, batch);
}

} // namespace lockscope
