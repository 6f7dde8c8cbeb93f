// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/messages.h"

#include "core/simulation/model/planfields.h"

#include <QDataStream>
#include <QIODevice>
#include <QJsonArray>
#include <QtEndian>

#include <type_traits>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype headerSize = sizeof(quint32);
constexpr quint32 mostBytes = 64U << 20U; // far more than any status: a stream that says so is none of ours

template <typename Value, typename Type>
concept Is = std::same_as<std::remove_const_t<Value>, Type>;

// The fields of each value, once for both directions.
void fields(auto &stream, Is<NodeAddress> auto &node)
{
    stream(node.host, node.port);
}
void fields(auto &stream, Is<ServerAddress> auto &server)
{
    stream(server.transport, server.host, server.port, server.socketPath, server.database, server.user,
           server.password, server.caFile, server.certificateFile, server.keyFile, server.keyPassphrase,
           server.serverName, server.nodeAddresses, server.pins, server.insecure, server.sentinels,
           server.primaryName, server.sentinelUser, server.sentinelPassword, server.readsReplica,
           server.sshHost, server.sshControl);
}
void fields(auto &stream, Is<Algorithm> auto &algorithm)
{
    visitFields<Algorithm>(algorithm, stream);
}
void fields(auto &stream, Is<HoldTime> auto &hold)
{
    stream(hold.shape, hold.low, hold.high);
}
void fields(auto &stream, Is<Iteration> auto &visit)
{
    stream(visit.startAt, visit.locks, visit.algorithm, visit.owner, visit.mode, visit.timeout, visit.lease,
           visit.levels, visit.step, visit.hold, visit.renew, visit.fault, visit.pause, visit.rest);
}
void fields(auto &stream, Is<Plan> auto &plan)
{
    stream(plan.algorithm);
    visitFields<Plan>(plan, stream);
}
void fields(auto &stream, Is<WorkerBackend::Run> auto &run)
{
    stream(run.server, run.plan, run.keys, run.start, run.isTraced);
}
void fields(auto &stream, Is<ChildConfig> auto &config)
{
    stream(config.run, config.first, config.count);
}
void fields(auto &stream, Is<ChildOrder> auto &order)
{
    stream(order.kind, order.worker, order.at);
}
void fields(auto &stream, Is<RefereeEvent> auto &event)
{
    stream(event.kind, event.lock, event.worker, event.at, event.fence, event.asked, event.leaseEnds,
           event.granted, event.waited, event.byTimer);
}
void fields(auto &stream, Is<EventMark> auto &mark)
{
    stream(mark.at);
}
void fields(auto &stream, Is<Round> auto &round)
{
    stream(round.number, round.tried, round.winners, round.firstTry, round.lastTry, round.voided);
}
void fields(auto &stream, Is<KillResult> auto &result)
{
    stream(result.worker);
}
void fields(auto &stream, Is<WorkerView> auto &view)
{
    stream(view.state, view.lock, view.holds, view.since, view.acquired);
}
void fields(auto &stream, Is<WorkerStats> auto &stats)
{
    for (const auto &[name, count] : workerCounts)
        stream(stats.*count);
    stream(stats.wait, stats.hold);
}
void fields(auto &stream, Is<LogLine> auto &line)
{
    stream(line.what, line.worker, line.lock, line.at, line.wallMs);
}
void fields(auto &stream, Is<TraceEntry> auto &entry)
{
    stream(entry.kind, entry.worker, entry.lock, entry.other, entry.at, entry.since, entry.until);
}
void fields(auto &stream, Is<ChildStatus> auto &status)
{
    stream(status.views, status.total, status.log, status.trace, status.error, status.hasEnded);
}

template <typename Value>
concept Plain = std::integral<Value> || std::floating_point<Value> || std::same_as<Value, QByteArray> ||
    std::same_as<Value, QString> || std::same_as<Value, QHash<QString, QString>> ||
    std::same_as<Value, QJsonArray>;

template <typename Value>
concept Duration = Is<Value, milliseconds> || Is<Value, microseconds>;

/// Values into bytes, or out of them: how each is written is said once.
template <bool reads>
class Codec
{
public:
    explicit Codec(QByteArray &bytes) : m_stream(&bytes, reads ? QIODevice::ReadOnly : QIODevice::Append) {}

    template <typename... Values>
    void operator()(Values &&...values)
    {
        (pass(values), ...);
    }
    bool hasReadAll() const { return m_stream.status() == QDataStream::Ok && m_stream.atEnd(); }

private:
    template <typename Value>
    void pass(Value &value)
    {
        using Type = std::remove_const_t<Value>;
        if constexpr (Plain<Type> && reads)
            m_stream >> value;
        else if constexpr (Plain<Type>)
            m_stream << value;
        else if constexpr (std::is_enum_v<Type>)
            passAs(quint8(value), [&](auto number) { value = Type(number); });
        else
            fields(*this, value);
    }
    void pass(Duration auto &time)
    {
        passAs(qint64(time.count()), [&](auto count) { time = std::remove_cvref_t<decltype(time)>(count); });
    }
    void pass(Is<TimePoint> auto &time)
    {
        passAs(qint64(time.time_since_epoch().count()),
               [&](auto count) { time = TimePoint(Clock::duration(count)); });
    }
    void pass(Is<Histogram> auto &histogram)
    {
        passAs(histogram.toJson(), [&](const auto &json) {
            if (auto known = Histogram::fromJson(json))
                histogram = *std::move(known);
            else
                m_stream.setStatus(QDataStream::ReadCorruptData);
        });
    }
    void pass(Is<RunTrace> auto &trace)
    {
        if constexpr (reads) {
            QList<TraceEntry> entries;
            qint64 leftOut = 0;
            std::optional<microseconds> fullAt;
            (*this)(entries, leftOut, fullAt);
            trace = RunTrace(entries, leftOut, fullAt);
        } else {
            (*this)(trace.entries(), trace.leftOut(), trace.fullAt());
        }
    }
    void pass(Is<Error> auto &error)
    {
        pass(error.kind);
        passAs(error.text(), [&](const auto &text) { error.detail = text; });
    }
    template <typename Value>
    void pass(const std::optional<Value> &value)
    {
        m_stream << value.has_value();
        if (value)
            pass(*value);
    }
    template <typename Value>
    void pass(std::optional<Value> &value)
    {
        bool isThere = false;
        pass(isThere);
        value.reset();
        if (isThere)
            pass(value.emplace());
    }
    template <typename Value>
    void pass(const QList<Value> &list)
    {
        m_stream << quint32(list.size());
        for (const Value &value : list)
            pass(value);
    }
    /// Qt's own reading makes room for as many as the bytes claim, before it looks for them.
    template <typename Value>
    void pass(QList<Value> &list)
    {
        quint32 count = 0;
        pass(count);
        if (count > m_stream.device()->bytesAvailable())
            m_stream.setStatus(QDataStream::ReadCorruptData);
        list.clear();
        for (quint32 i = 0; i < count && m_stream.status() == QDataStream::Ok; ++i)
            pass(list.emplace_back());
    }
    template <typename Wire>
    void passAs(Wire wire, auto take)
    {
        pass(wire);
        if constexpr (reads)
            take(wire);
    }

    QDataStream m_stream;
};

template <typename Message>
QByteArray encoded(const Message &message)
{
    QByteArray bytes(headerSize, '\0');
    Codec<false> write(bytes);
    write(quint8(message.index()));
    std::visit(write, message);
    qToBigEndian(quint32(bytes.size() - headerSize), bytes.data());
    return bytes;
}

/// The alternative of that number, as the bytes have it.
template <typename Message>
std::optional<Message> decoded(QByteArray bytes)
{
    Codec<true> read(bytes);
    quint8 index = 0;
    read(index);
    Message message;
    const auto readAs = [&]<size_t number>(std::integral_constant<size_t, number>) {
        if (index == number)
            read(message.template emplace<number>());
    };
    [&]<size_t... numbers>(std::index_sequence<numbers...>)
    {
        (readAs(std::integral_constant<size_t, numbers>{}), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Message>>{});
    return index < std::variant_size_v<Message> && read.hasReadAll() ? std::optional(std::move(message))
                                                                     : std::nullopt;
}

} // namespace

QByteArray encode(const MessageToChild &message)
{
    return encoded(message);
}

QByteArray encode(const MessageToParent &message)
{
    return encoded(message);
}

template <typename Message>
std::optional<Message> MessageReader<Message>::next()
{
    const qsizetype begin = m_position + headerSize;
    if (m_isBroken || begin > m_bytes.size()) {
        m_bytes.remove(0, std::exchange(m_position, 0));
        return std::nullopt;
    }
    const auto size = qFromBigEndian<quint32>(m_bytes.constData() + m_position);
    if (size > mostBytes) {
        m_isBroken = true;
        return std::nullopt;
    }
    if (begin + size > m_bytes.size()) {
        m_bytes.remove(0, std::exchange(m_position, 0));
        return std::nullopt;
    }
    std::optional<Message> message = decoded<Message>(m_bytes.mid(begin, size));
    m_isBroken = !message;
    m_position = begin + size;
    return message;
}

template class MessageReader<MessageToChild>;
template class MessageReader<MessageToParent>;

} // namespace lockscope
