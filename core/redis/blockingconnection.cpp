// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blockingconnection.h"

#include "core/redis/credential.h"
#include "core/redis/resp.h"
#include "core/redis/transport.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using Replies = std::vector<Reply>;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr qint64 bytesAtOnce = 64 * 1024;
constexpr auto renewalRetry = 5s;
constexpr auto stopLook = 40ms; // how often a wait looks whether it is to stop

std::chrono::milliseconds until(BlockingConnection::TimePoint deadline)
{
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()), 0ms);
}

tl::unexpected<Error> isClosed()
{
    return failedWith(ErrorKind::NotConnected, QT_TRANSLATE_NOOP("phrases", "the connection is closed"));
}

bool isChannelMessage(const Reply &reply)
{
    return reply.elements.size() == 3 && reply.elements[0].text == "message";
}

/// True for an answer that proves that nothing was executed.
bool isNoScript(const Reply &reply)
{
    return reply.isError() && reply.text.startsWith("NOSCRIPT");
}

} // namespace

/// The open socket with its decoder.
class BlockingConnection::Stream
{
public:
    explicit Stream(const ServerAddress &address) : m_transport(address)
    {
        QObject::connect(&m_transport, &Transport::failed, &m_transport,
                         [this](const Error &why) { m_failure = why; });
        QObject::connect(&m_transport, &Transport::opened, &m_transport, [this] { m_opened = true; });
    }

    Transport &transport() { return m_transport; }
    const std::optional<Error> &failure() const { return m_failure; }
    bool isSettled() const { return m_opened || m_failure; }

    /// The next reply that is available; absent: more bytes are needed.
    Result<std::optional<Reply>> next()
    {
        for (;;) {
            Result<std::optional<Reply>> reply = m_reader.next();
            if (!reply || *reply)
                return reply;
            const QByteArray bytes = m_transport.read(bytesAtOnce);
            if (bytes.isEmpty())
                return std::nullopt;
            m_reader.feed(bytes);
        }
    }

private:
    Transport m_transport;
    RespReader m_reader;
    std::optional<Error> m_failure;
    bool m_opened = false;
};

BlockingConnection::BlockingConnection(ServerAddress address, Options options, std::stop_token stop)
    : m_address(std::move(address)), m_options(std::move(options)), m_stop(std::move(stop))
{
}

BlockingConnection::~BlockingConnection() = default;

bool BlockingConnection::isOpen() const
{
    return m_stream != nullptr;
}

void BlockingConnection::close()
{
    m_stream.reset();
    m_messages.clear();
}

bool BlockingConnection::stopIsDue()
{
    if (!m_stop.stop_requested())
        return false;
    if (!m_stopDeadline)
        m_stopDeadline = SteadyClock::now() + stopGrace;
    return SteadyClock::now() >= *m_stopDeadline;
}

/// By value: the reason may be in the destroyed stream.
Error BlockingConnection::broken(Error why)
{
    close();
    why.detail.truncate(1024);
    return why;
}

/// Waits for connection, failure, stop or deadline. Qt's own wait aborts a connect at its end and cannot be
/// sliced; an event loop can, if created before the socket. The deadline includes the login.
BlockingConnection::TimePoint BlockingConnection::connect()
{
    QEventLoop loop;
    TimePoint deadline = TimePoint::max();
    QObject::connect(&m_stream->transport(), &Transport::dialing, &loop,
                     [&] { deadline = SteadyClock::now() + m_options.connectDeadline; });
    m_stream->transport().open();
    if (m_stream->isSettled())
        return deadline;
    QTimer look;
    QObject::connect(&m_stream->transport(), &Transport::opened, &loop, &QEventLoop::quit);
    QObject::connect(&m_stream->transport(), &Transport::failed, &loop, &QEventLoop::quit);
    QObject::connect(&look, &QTimer::timeout, &loop, [this, &loop, &deadline] {
        if (stopIsDue() || SteadyClock::now() >= deadline)
            loop.quit();
    });
    look.start(stopLook);
    loop.exec();
    return deadline;
}

Result<ServerAddress> BlockingConnection::login()
{
    ServerAddress address = m_address;
    m_renewAt.reset();
    if (address.passwordCommand.isEmpty())
        return address;
    const QFuture<Result<Credential>> obtained = credentialBy(address.passwordCommand);
    while (!obtained.isFinished()) {
        if (stopIsDue())
            return failedWith(ErrorKind::Canceled, QT_TRANSLATE_NOOP("phrases", "stopped"));
        std::this_thread::sleep_for(stopLook);
    }
    const Result<Credential> credential = obtained.result();
    if (!credential)
        return tl::unexpected(credential.error());
    address.password = credential->password;
    m_renewAt = credential->renewAt;
    return address;
}

/// False if the connection was lost. What it logged in with is still good for a while if there is nothing newer.
bool BlockingConnection::renewLogin()
{
    if (!m_renewAt || SteadyClock::now() < *m_renewAt)
        return true;
    const Result<ServerAddress> address = login();
    if (!address) {
        m_renewAt = SteadyClock::now() + renewalRetry;
        return true;
    }
    CommandBatch batch;
    addLogin(batch, *address);
    return exchange(batch.wire(), batch.size(), SteadyClock::now() + m_options.commandDeadline).has_value();
}

Result<void> BlockingConnection::open()
{
    close();
    m_loseNext = false;
    m_lostBy.reset();
    const Result<ServerAddress> address = login();
    if (!address)
        return tl::unexpected(address.error());
    m_ssh = SshTunnel::Hold(m_address);
    m_stream = std::make_unique<Stream>(m_address);
    const TimePoint deadline = connect();
    if (stopIsDue())
        return tl::unexpected(broken({ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "stopped"))}));
    if (!m_stream->isSettled())
        return tl::unexpected(
            broken({ErrorKind::ConnectTimeout, Phrase(QT_TRANSLATE_NOOP("phrases", "no answer in time"))}));
    if (m_stream->failure())
        return tl::unexpected(broken(*m_stream->failure()));
    m_stream->transport().block();
    const CommandBatch batch = loginBatch(*address, m_options.clientName);
    const Result<Replies> replies = exchange(batch.wire(), batch.size(), deadline);
    if (!replies)
        return tl::unexpected(Error{m_lostBy.value_or(ErrorKind::NetworkFailed), replies.error()});
    Result<ServerInfo> info = parseLoginReplies(*address, *replies, m_options.expectsSentinel);
    if (!info && info.error().kind == ErrorKind::WrongPassword)
        forgetCredential(m_address.passwordCommand, address->password);
    if (!info)
        return tl::unexpected(broken(info.error()));
    m_server = std::move(*info);
    return {};
}

Result<Reply> BlockingConnection::send(std::initializer_list<QByteArrayView> command)
{
    return send(std::span(command.begin(), command.size()));
}

Result<Reply> BlockingConnection::send(std::span<const QByteArrayView> command)
{
    CommandBatch batch;
    batch.add(command);
    return singleReply(send(batch));
}

Result<Replies> BlockingConnection::send(const CommandBatch &batch)
{
    if (!m_stream || !renewLogin())
        return isClosed();
    m_commands += batch.size();
    return exchange(batch.wire(), batch.size(), SteadyClock::now() + m_options.commandDeadline);
}

/// An early end closes the connection: later replies would answer the wrong commands.
Result<Replies> BlockingConnection::exchange(const QByteArray &wire, int expected, TimePoint deadline)
{
    const auto unknown = [this](const Error &why) {
        return tl::unexpected(broken({ErrorKind::OutcomeUnknown, why}));
    };
    m_stream->transport().write(wire);
    Replies replies;
    replies.reserve(static_cast<size_t>(expected));
    for (;;) {
        Result<std::optional<Reply>> reply = m_stream->next();
        if (!reply)
            return unknown(reply.error());
        if (*reply) {
            if (m_loseNext && !isNoScript(**reply)) {
                m_loseNext = false;
                return unknown(
                    {ErrorKind::OutcomeUnknown, Phrase(QT_TRANSLATE_NOOP("phrases", "the reply was lost"))});
            }
            replies.push_back(std::move(**reply));
            if (replies.size() == static_cast<size_t>(expected))
                return replies;
            continue;
        }
        if (m_stream->failure()) {
            m_lostBy = m_stream->failure()->kind;
            return unknown(*m_stream->failure());
        }
        if (stopIsDue())
            return unknown({ErrorKind::OutcomeUnknown, Phrase(QT_TRANSLATE_NOOP("phrases", "stopped"))});
        if (SteadyClock::now() >= deadline)
            return unknown(
                {ErrorKind::OutcomeUnknown, Phrase(QT_TRANSLATE_NOOP("phrases", "no answer in time"))});
        m_stream->transport().waitForReadable(std::min(stopLook, until(deadline)));
    }
}

Result<void> BlockingConnection::subscription(QByteArrayView verb, const QByteArray &channel)
{
    if (!m_stream)
        return isClosed();
    QByteArray wire = CommandBatch{verb, channel}.wire();
    ++m_commands;
    const TimePoint deadline = SteadyClock::now() + m_options.commandDeadline;
    for (;;) {
        // Messages of earlier subscriptions may come before the answer.
        const Result<Reply> reply = singleReply(exchange(std::exchange(wire, {}), 1, deadline));
        if (!reply)
            return tl::unexpected(reply.error());
        if (!isChannelMessage(*reply))
            return {};
        m_messages.push_back({reply->elements[1].text, reply->elements[2].text});
    }
}

Result<void> BlockingConnection::subscribe(const QByteArray &channel)
{
    return subscription("SUBSCRIBE", channel);
}

Result<void> BlockingConnection::unsubscribe(const QByteArray &channel)
{
    return subscription("UNSUBSCRIBE", channel);
}

std::optional<BlockingConnection::Message> BlockingConnection::takeMessage()
{
    if (m_messages.empty())
        return std::nullopt;
    Message first = std::move(m_messages.front());
    m_messages.erase(m_messages.begin());
    return first;
}

Result<std::optional<BlockingConnection::Message>> BlockingConnection::nextMessage(TimePoint patience)
{
    if (std::optional<Message> waiting = takeMessage())
        return waiting;
    if (!m_stream)
        return isClosed();
    for (;;) {
        Result<std::optional<Reply>> reply = m_stream->next();
        if (!reply)
            return tl::unexpected(broken(reply.error()));
        if (*reply && isChannelMessage(**reply))
            return Message{(*reply)->elements[1].text, (*reply)->elements[2].text};
        if (*reply) // an error, or an answer that nothing asked for
            return tl::unexpected(broken({ErrorKind::UnexpectedReply, (*reply)->text}));
        if (m_stream->failure())
            return tl::unexpected(broken(*m_stream->failure()));
        const bool isLast = m_stop.stop_requested() || SteadyClock::now() >= patience;
        const auto wait = isLast ? 0ms : std::min(stopLook, until(patience));
        if (!m_stream->transport().waitForReadable(wait) && isLast)
            return std::nullopt;
    }
}

} // namespace lockscope
