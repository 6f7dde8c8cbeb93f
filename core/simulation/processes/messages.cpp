// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/messages.h"

#include "core/simulation/model/planfields.h"

#include <QDataStream>
#include <QIODevice>
#include <QtEndian>

#include <type_traits>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype headerSize = sizeof(quint32);
constexpr quint32 maxBytes = 64U << 20U; // far more than any status: a stream that says so is none of ours

template <typename Value, typename Type>
concept Is = std::same_as<std::remove_const_t<Value>, Type>;

template <typename Value>
concept Plain = std::integral<Value> || std::floating_point<Value> || std::same_as<Value, QByteArray> ||
    std::same_as<Value, QString> || std::same_as<Value, QHash<QString, QString>>;

template <typename Value>
concept Duration = Is<Value, milliseconds> || Is<Value, microseconds>;

/// Writes or reads values: one definition for both.
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
    requires Plain<std::remove_const_t<Value>> || std::is_enum_v<Value>
    void pass(Value &value)
    {
        using Type = std::remove_const_t<Value>;
        if constexpr (Plain<Type> && reads)
            m_stream >> value;
        else if constexpr (Plain<Type>)
            m_stream << value;
        else
            passAs(quint8(value), [&](auto number) { value = Type(number); });
    }

    // The fields of each value.
    void pass(Is<NodeAddress> auto &node) { (*this)(node.host, node.port); }
    void pass(Is<ServerAddress> auto &server)
    {
        (*this)(server.transport, server.host, server.port, server.socketPath, server.database, server.user,
                server.password, server.caFile, server.certificateFile, server.keyFile, server.keyPassphrase,
                server.serverName, server.nodeAddresses, server.pins, server.insecure, server.sentinels,
                server.primaryName, server.sentinelUser, server.sentinelPassword, server.readsReplica,
                server.sshHost, server.sshControl, server.proxy, server.proxyPassword,
                server.passwordCommand);
    }
    void pass(Is<Algorithm> auto &algorithm) { visitFields<Algorithm>(algorithm, *this); }
    void pass(Is<HoldTime> auto &hold) { (*this)(hold.shape, hold.low, hold.high); }
    void pass(Is<Iteration> auto &visit)
    {
        (*this)(visit.startAt, visit.locks, visit.algorithm, visit.owner, visit.mode, visit.timeout,
                visit.lease, visit.levels, visit.step, visit.hold, visit.renew, visit.fault, visit.pause,
                visit.rest);
    }
    void pass(Is<Plan> auto &plan)
    {
        (*this)(plan.algorithm);
        visitFields<Plan>(plan, *this);
    }
    void pass(Is<WorkerBackend::Run> auto &run)
    {
        (*this)(run.server, run.plan, run.keys, run.start, run.isTraced);
    }
    void pass(Is<ChildConfig> auto &config) { (*this)(config.run, config.first, config.count); }
    void pass(Is<ChildOrder> auto &order) { (*this)(order.kind, order.worker, order.at); }
    void pass(Is<RefereeEvent> auto &event)
    {
        (*this)(event.kind, event.lock, event.worker, event.at, event.fence, event.asked, event.leaseEnds,
                event.granted, event.waited, event.byTimer);
    }
    void pass(Is<EventMark> auto &mark) { (*this)(mark.at); }
    void pass(Is<Round> auto &round)
    {
        (*this)(round.number, round.tried, round.winners, round.firstTry, round.lastTry, round.voided);
    }
    void pass(Is<KillResult> auto &result) { (*this)(result.worker); }
    void pass(Is<WorkerView> auto &view)
    {
        (*this)(view.state, view.lock, view.holds, view.since, view.acquired);
    }
    void pass(Is<Histogram::Bucket> auto &bucket) { (*this)(bucket.low, bucket.count); }
    void pass(Is<WorkerStats> auto &stats)
    {
        for (const auto &[name, count] : workerCounts)
            (*this)(stats.*count);
        (*this)(stats.wait, stats.hold);
    }
    void pass(Is<LogLine> auto &line) { (*this)(line.what, line.worker, line.lock, line.at, line.wallMs); }
    void pass(Is<TraceEntry> auto &entry)
    {
        (*this)(entry.kind, entry.worker, entry.lock, entry.other, entry.at, entry.since, entry.until);
    }
    void pass(Is<WorkersStatus> auto &status)
    {
        (*this)(status.views, status.total, status.log, status.trace, status.error, status.hasEnded);
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
    /// Values of a bucket are not distinguished; the exact maximum represents the last bucket.
    void pass(Is<Histogram> auto &histogram)
    {
        if constexpr (reads) {
            QList<Histogram::Bucket> buckets;
            microseconds max{0};
            (*this)(buckets, max);
            histogram = {};
            for (const Histogram::Bucket &bucket : std::as_const(buckets)) {
                if (bucket.count < 1)
                    m_stream.setStatus(QDataStream::ReadCorruptData);
                histogram.record(&bucket == &buckets.constLast() ? max : bucket.low, bucket.count);
            }
        } else {
            const QList<Histogram::Bucket> buckets = histogram.buckets();
            (*this)(buckets, histogram.max());
        }
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
    /// Qt's own reading allocates as many elements as the bytes claim, before it reads them.
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

/// The alternative with the number in the bytes.
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
    if (size > maxBytes) {
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
