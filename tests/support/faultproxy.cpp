// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultproxy.h"

#include "tests/support/framing.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

/// An open socket, closed when this is gone.
class Socket
{
public:
    explicit Socket(int fd = -1) : m_fd(fd) {}
    Socket(Socket &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Socket &operator=(Socket &&other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~Socket()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    operator int() const { return m_fd; }

    /// Its closing will be a reset.
    void resetAtClose() const
    {
        const linger atOnce{1, 0};
        ::setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    }
    void doNotWait() const
    {
        ::fcntl(m_fd, F_SETFL, ::fcntl(m_fd, F_GETFL) | O_NONBLOCK);
        const int on = 1;
        ::setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // no matter where it is none of TCP
    }

private:
    int m_fd;
};

const sockaddr *plain(const auto &address)
{
    return reinterpret_cast<const sockaddr *>(&address); // NOLINT: as the system's calls want it
}

sockaddr_in loopback(quint16 port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

Socket listenAt(quint16 port)
{
    Socket listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const sockaddr_in address = loopback(port);
    if (::bind(listener, plain(address), sizeof address) != 0 || ::listen(listener, 64) != 0)
        qFatal("no loopback port %d: %s", port, std::strerror(errno));
    listener.doNotWait();
    return listener;
}

Socket connectTo(const ServerAddress &server)
{
    if (server.transport == ServerAddress::Transport::Unix) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray path = server.socketPath.toLocal8Bit();
        std::memcpy(address.sun_path, path.constData(),
                    std::min<size_t>(static_cast<size_t>(path.size()), sizeof address.sun_path - 1));
        Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        return ::connect(socket, plain(address), sizeof address) == 0 ? std::move(socket) : Socket();
    }
    const sockaddr_in address = loopback(server.port);
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    return ::connect(socket, plain(address), sizeof address) == 0 ? std::move(socket) : Socket();
}

/// What has arrived; nullopt at the end.
std::optional<QByteArray> readFrom(int fd)
{
    QByteArray bytes(64 * 1024, Qt::Uninitialized);
    const ssize_t got = ::read(fd, bytes.data(), static_cast<size_t>(bytes.size()));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        return std::nullopt;
    bytes.resize(std::max<ssize_t>(got, 0));
    return bytes;
}

/// What is on its way to one side.
struct Parcel
{
    enum Kind { Bytes, End, Cut, Reset } kind = Bytes;
    QByteArray bytes;
    TimePoint due;
};

/// One way of one connection.
struct Way
{
    std::deque<Parcel> parcels;
    TimePoint next; // with a limited bandwidth: when the next byte may go
    bool closed = false;
};

/// A command that waits for its reply.
struct Asked
{
    std::optional<FaultProxy::Strike> strike;
};

struct Pair
{
    Socket client;
    Socket server;
    Way toServer;
    Way toClient;
    QByteArray fromClient; // not yet a whole command
    QByteArray fromServer; // not yet a whole reply
    bool rawRequests = false;
    bool rawReplies = false;
    std::deque<Asked> asked;
    char corrupts = 0;
    bool duplicates = false;
    bool gone = false;

    /// It is to be closed behind what is still on its way: nothing more is read.
    bool ends() const { return !toServer.parcels.empty() && toServer.parcels.back().kind != Parcel::Bytes; }
};

} // namespace

class FaultProxy::Private
{
public:
    explicit Private(ServerAddress server)
        : upstream(std::move(server)), listener(listenAt(0)), wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))
    {
        sockaddr_in bound{};
        socklen_t size = sizeof bound;
        ::getsockname(listener, reinterpret_cast<sockaddr *>(&bound), &size); // NOLINT: as the call wants it
        port = ntohs(bound.sin_port);
        thread = std::jthread([this](const std::stop_token &stop) { run(stop); });
    }
    ~Private()
    {
        thread.request_stop();
        nudge();
    }

    void nudge() const
    {
        const quint64 one = 1;
        [[maybe_unused]] const auto written = ::write(wake, &one, sizeof one);
    }

    void run(const std::stop_token &stop);
    void accept();
    void readRequests(Pair &pair);
    void readReplies(Pair &pair);
    void takeRequest(Pair &pair, QByteArray command);
    void takeReply(Pair &pair, QByteArray reply);
    void send(Way &way, QByteArray bytes);
    void end(Pair &pair, Parcel::Kind how);
    void flush(Pair &pair, Way &way, const Socket &to);

    const ServerAddress upstream;
    quint16 port = 0;

    mutable std::mutex mutex; // over all below but the sockets' waiting
    Socket listener;
    Socket wake;
    Weather weather;
    std::list<std::pair<QByteArray, Strike>> strikes;
    Struck struck;
    std::list<Pair> pairs;
    int accepted = 0;
    std::jthread thread; // last: it ends before the rest goes
};

void FaultProxy::Private::send(Way &way, QByteArray bytes)
{
    TimePoint due = Clock::now() + weather.delay;
    if (weather.jitter > 0ms)
        due += std::chrono::milliseconds(
            QRandomGenerator::global()->bounded(static_cast<int>(weather.jitter.count()) + 1));
    if (!way.parcels.empty())
        due = std::max(due, way.parcels.back().due);
    way.parcels.push_back({Parcel::Bytes, std::move(bytes), due});
}

void FaultProxy::Private::end(Pair &pair, Parcel::Kind how)
{
    for (Way *way : {&pair.toServer, &pair.toClient})
        way->parcels.push_back({how, {}, way->parcels.empty() ? Clock::now() : way->parcels.back().due});
}

void FaultProxy::Private::takeRequest(Pair &pair, QByteArray command)
{
    const QByteArray word = firstWord(command);
    const auto found =
        std::ranges::find_if(strikes, [&](const auto &strike) { return strike.first == word; });
    Asked asked;
    if (found != strikes.end()) {
        asked.strike = found->second;
        strikes.erase(found);
        struck = {command.size(), 0};
        const Strike &strike = *asked.strike;
        if (strike.kind == Strike::CorruptRequest && strike.at < command.size())
            command[strike.at] = static_cast<char>(command[strike.at] ^ strike.mask);
        if (strike.kind == Strike::CutRequest) {
            if (strike.at > 0)
                send(pair.toServer, command.first(std::min(strike.at, command.size())));
            return end(pair, strike.reset ? Parcel::Reset : Parcel::Cut);
        }
    }
    pair.asked.push_back(std::move(asked));
    send(pair.toServer, std::move(command));
}

void FaultProxy::Private::takeReply(Pair &pair, QByteArray reply)
{
    std::optional<Strike> strike;
    if (!isPushed(reply) && !pair.asked.empty()) {
        strike = std::move(pair.asked.front().strike);
        pair.asked.pop_front();
    }
    if (std::exchange(pair.duplicates, false))
        reply += reply;
    if (const char mask = std::exchange(pair.corrupts, 0); mask != 0)
        reply[reply.size() / 2] = static_cast<char>(reply[reply.size() / 2] ^ mask);
    if (!strike)
        return send(pair.toClient, std::move(reply));
    struck.replyBytes = reply.size();
    switch (strike->kind) {
    case Strike::CutReply:
        if (strike->at > 0)
            send(pair.toClient, reply.first(std::min(strike->at, reply.size())));
        return end(pair, strike->reset ? Parcel::Reset : Parcel::Cut);
    case Strike::CorruptReply:
        if (strike->at < reply.size())
            reply[strike->at] = static_cast<char>(reply[strike->at] ^ strike->mask);
        break;
    case Strike::Forge:
        reply = strike->bytes;
        break;
    case Strike::Duplicate:
        reply += reply;
        break;
    case Strike::Watch:
    case Strike::CutRequest:
    case Strike::CorruptRequest:
        break;
    }
    send(pair.toClient, std::move(reply));
}

void FaultProxy::Private::readRequests(Pair &pair)
{
    const auto bytes = readFrom(pair.client);
    if (!bytes)
        return end(pair, Parcel::Cut);
    pair.fromClient += *bytes;
    while (!pair.rawRequests && !pair.fromClient.isEmpty()) {
        const auto length = frameLength(pair.fromClient);
        if (!length)
            return;
        pair.rawRequests = *length == 0;
        if (*length > 0) {
            takeRequest(pair, pair.fromClient.first(*length));
            pair.fromClient.remove(0, *length);
        }
    }
    if (!pair.fromClient.isEmpty())
        send(pair.toServer, std::exchange(pair.fromClient, {}));
}

void FaultProxy::Private::readReplies(Pair &pair)
{
    const auto bytes = readFrom(pair.server);
    if (!bytes) {
        if (!pair.fromServer.isEmpty()) // what came of a reply before the end
            send(pair.toClient, std::exchange(pair.fromServer, {}));
        return end(pair, Parcel::Cut);
    }
    pair.fromServer += *bytes;
    while (!pair.rawReplies && !pair.fromServer.isEmpty()) {
        const auto length = frameLength(pair.fromServer);
        if (!length)
            return;
        pair.rawReplies = *length == 0;
        if (*length > 0) {
            takeReply(pair, pair.fromServer.first(*length));
            pair.fromServer.remove(0, *length);
        }
    }
    if (!pair.fromServer.isEmpty())
        send(pair.toClient, std::exchange(pair.fromServer, {}));
}

void FaultProxy::Private::flush(Pair &pair, Way &way, const Socket &to)
{
    while (!way.parcels.empty() && !pair.gone) {
        Parcel &parcel = way.parcels.front();
        const TimePoint now = Clock::now();
        if (parcel.due > now || (weather.bytesPerSecond > 0 && way.next > now))
            return;
        if (parcel.kind == Parcel::End) {
            ::shutdown(to, SHUT_WR);
            way.closed = true;
        } else if (parcel.kind != Parcel::Bytes) {
            if (parcel.kind == Parcel::Reset)
                pair.client.resetAtClose();
            pair.gone = true;
        } else if (!way.closed) {
            const qsizetype most =
                weather.bytesPerSecond > 0 ? std::max(1, weather.bytesPerSecond / 100) : parcel.bytes.size();
            const qsizetype size = std::min(parcel.bytes.size(), most);
            const ssize_t sent =
                ::send(to, parcel.bytes.constData(), static_cast<size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && (errno == EAGAIN || errno == EINTR))
                return;
            if (sent < 0)
                pair.gone = true;
            else if (weather.bytesPerSecond > 0)
                way.next = now + std::chrono::microseconds(sent * 1'000'000 / weather.bytesPerSecond);
            parcel.bytes.remove(0, std::max<ssize_t>(sent, 0));
            if (!parcel.bytes.isEmpty())
                continue;
        }
        way.parcels.pop_front();
    }
}

void FaultProxy::Private::accept()
{
    Socket client(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (client < 0)
        return;
    ++accepted;
    Socket server = connectTo(upstream);
    if (server < 0)
        return client.resetAtClose();
    client.doNotWait();
    server.doNotWait();
    Pair &pair = pairs.emplace_back();
    pair.client = std::move(client);
    pair.server = std::move(server);
}

void FaultProxy::Private::run(const std::stop_token &stop)
{
    std::vector<pollfd> waiting;
    while (!stop.stop_requested()) {
        int patience = -1;
        waiting.assign(1, {wake, POLLIN, 0});
        {
            const std::scoped_lock lock(mutex);
            if (!weather.blackHole) {
                waiting.push_back({listener, POLLIN, 0}); // negative where it refuses: poll() leaves it out
                for (const Pair &pair : pairs) {
                    for (const auto &[socket, way] :
                         {std::pair(&pair.client, &pair.toClient), std::pair(&pair.server, &pair.toServer)}) {
                        short events = pair.ends() ? short(0) : short(POLLIN);
                        if (!way->parcels.empty()) {
                            const TimePoint due = std::max(way->parcels.front().due, way->next);
                            const auto left =
                                std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
                            if (left <= 0ms)
                                events |= POLLOUT;
                            else
                                patience = patience < 0 ? static_cast<int>(left.count())
                                                        : std::min(patience, static_cast<int>(left.count()));
                        }
                        waiting.push_back({*socket, events, 0});
                    }
                }
            }
        }
        ::poll(waiting.data(), waiting.size(), patience);
        const std::scoped_lock lock(mutex);
        quint64 nudges = 0;
        [[maybe_unused]] const auto got = ::read(wake, &nudges, sizeof nudges);
        if (weather.blackHole || waiting.size() < 2)
            continue;
        size_t at = 2;
        for (Pair &pair : pairs) { // in the order in which they were written down; new ones come behind
            if (at + 1 < waiting.size() && waiting[at].fd == pair.client) {
                const auto isReadable = [](const pollfd &each) {
                    return (each.revents & (POLLIN | POLLHUP | POLLERR)) != 0;
                };
                if (isReadable(waiting[at]) && !pair.ends())
                    readRequests(pair);
                if (isReadable(waiting[at + 1]) && !pair.ends())
                    readReplies(pair);
                at += 2;
            }
            flush(pair, pair.toServer, pair.server);
            flush(pair, pair.toClient, pair.client);
        }
        if ((waiting[1].revents & POLLIN) != 0)
            accept();
        pairs.remove_if([](const Pair &pair) { return pair.gone; });
    }
}

FaultProxy::FaultProxy(const ServerAddress &server) : d(std::make_unique<Private>(server)) {}
FaultProxy::~FaultProxy() = default;

ServerAddress FaultProxy::address() const
{
    ServerAddress address = d->upstream;
    address.transport = ServerAddress::Transport::Tcp;
    address.socketPath.clear();
    address.host = QStringLiteral("127.0.0.1");
    address.port = d->port;
    return address;
}

void FaultProxy::strike(const QByteArray &word, const Strike &strike)
{
    const std::scoped_lock lock(d->mutex);
    d->strikes.emplace_back(word.toUpper(), strike);
    d->struck = {};
}

FaultProxy::Struck FaultProxy::struck() const
{
    const std::scoped_lock lock(d->mutex);
    return d->struck;
}

void FaultProxy::setWeather(const Weather &weather)
{
    const std::scoped_lock lock(d->mutex);
    if (weather.refuses && d->listener >= 0)
        d->listener = Socket();
    else if (!weather.refuses && d->listener < 0)
        d->listener = listenAt(d->port);
    d->weather = weather;
    d->nudge();
}

void FaultProxy::cutAll(Cut how)
{
    const std::scoped_lock lock(d->mutex);
    for (Pair &pair : d->pairs) {
        if (how == Cut::Half)
            pair.toClient.parcels.push_back({Parcel::End, {}, Clock::now()});
        else
            d->end(pair, how == Cut::Reset ? Parcel::Reset : Parcel::Cut);
    }
    d->nudge();
}

void FaultProxy::corruptNext(char mask)
{
    const std::scoped_lock lock(d->mutex);
    for (Pair &pair : d->pairs)
        pair.corrupts = mask;
}

void FaultProxy::duplicateNext()
{
    const std::scoped_lock lock(d->mutex);
    for (Pair &pair : d->pairs)
        pair.duplicates = true;
}

void FaultProxy::inject(const QByteArray &bytes)
{
    const std::scoped_lock lock(d->mutex);
    for (Pair &pair : d->pairs)
        d->send(pair.toClient, bytes);
    d->nudge();
}

int FaultProxy::open() const
{
    const std::scoped_lock lock(d->mutex);
    return static_cast<int>(d->pairs.size());
}

int FaultProxy::accepted() const
{
    const std::scoped_lock lock(d->mutex);
    return d->accepted;
}

} // namespace lockscope
