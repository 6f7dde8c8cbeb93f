// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/messages.h"

#include <QDataStream>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
void fields(auto &stream, Is<ChildConfig> auto &config)
{
    stream(config.server, config.plan, config.keys, config.first, config.count, config.isTraced,
           config.start);
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
    stream(stats.attempts, stats.acquired, stats.refused, stats.timedOut, stats.lost, stats.errors,
           stats.crashes, stats.pauses, stats.execsRefused, stats.commands, stats.wait, stats.hold);
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
    stream(status.views, status.attempts, status.total, status.log, status.trace, status.error,
           status.hasEnded);
}

template <typename Value>
concept Plain = std::same_as<Value, bool> || std::integral<Value> || std::same_as<Value, QByteArray> ||
    std::same_as<Value, QString> || std::same_as<Value, QHash<QString, QString>>;

template <typename Value>
concept Enum = std::is_enum_v<Value>;

class Writer
{
public:
    explicit Writer(QByteArray &bytes) : m_out(&bytes, QIODevice::Append) {}

    template <typename... Values>
    void operator()(const Values &...values)
    {
        (write(values), ...);
    }

private:
    template <Plain Value>
    void write(const Value &value)
    {
        m_out << value;
    }
    template <Enum Value>
    void write(const Value &value)
    {
        m_out << quint8(value);
    }
    void write(microseconds time) { m_out << qint64(time.count()); }
    void write(TimePoint time) { m_out << qint64(time.time_since_epoch().count()); }
    void write(const Plan &plan) { m_out << QJsonDocument(plan.toJson()).toJson(QJsonDocument::Compact); }
    void write(const Histogram &histogram) { m_out << histogram.toJson(); }
    void write(const RunTrace &trace) { (*this)(trace.entries(), trace.leftOut(), trace.fullAt()); }
    void write(const Error &error) { (*this)(quint8(error.kind), error.text()); }
    template <typename Value>
    void write(const std::optional<Value> &value)
    {
        m_out << value.has_value();
        if (value)
            write(*value);
    }
    template <typename Value>
    void write(const QList<Value> &list)
    {
        m_out << quint32(list.size());
        for (const Value &value : list)
            write(value);
    }
    template <typename Value>
    void write(const Value &value)
    {
        fields(*this, value);
    }

    QDataStream m_out;
};

class Reader
{
public:
    explicit Reader(const QByteArray &bytes) : m_in(bytes) {}

    template <typename... Values>
    void operator()(Values &...values)
    {
        (read(values), ...);
    }
    bool hasReadAll() const { return m_in.status() == QDataStream::Ok && m_in.atEnd(); }

private:
    template <Plain Value>
    void read(Value &value)
    {
        m_in >> value;
    }
    template <Enum Value>
    void read(Value &value)
    {
        value = static_cast<Value>(number<quint8>());
    }
    void read(microseconds &time) { time = microseconds(number<qint64>()); }
    void read(TimePoint &time) { time = TimePoint(Clock::duration(number<qint64>())); }
    void read(Plan &plan)
    {
        QByteArray json;
        m_in >> json;
        if (const std::optional<Plan> known = Plan::fromJson(QJsonDocument::fromJson(json).object()))
            plan = *known;
        else
            m_in.setStatus(QDataStream::ReadCorruptData);
    }
    void read(Histogram &histogram)
    {
        QJsonArray json;
        m_in >> json;
        if (std::optional<Histogram> known = Histogram::fromJson(json))
            histogram = *std::move(known);
        else
            m_in.setStatus(QDataStream::ReadCorruptData);
    }
    void read(RunTrace &trace)
    {
        QList<TraceEntry> entries;
        qint64 leftOut = 0;
        std::optional<microseconds> fullAt;
        (*this)(entries, leftOut, fullAt);
        trace = RunTrace(entries, leftOut, fullAt);
    }
    void read(Error &error)
    {
        error.kind = static_cast<ErrorKind>(number<quint8>());
        m_in >> error.detail;
    }
    template <typename Value>
    void read(std::optional<Value> &value)
    {
        if (number<bool>())
            read(value.emplace());
    }
    /// Qt's own reading makes room for as many as the bytes claim, before it looks for them.
    template <typename Value>
    void read(QList<Value> &list)
    {
        const auto count = number<quint32>();
        if (count > m_in.device()->bytesAvailable())
            m_in.setStatus(QDataStream::ReadCorruptData);
        for (quint32 i = 0; i < count && m_in.status() == QDataStream::Ok; ++i)
            read(list.emplace_back());
    }
    template <typename Value>
    void read(Value &value)
    {
        fields(*this, value);
    }
    template <typename Number>
    Number number()
    {
        Number value{};
        m_in >> value;
        return value;
    }

    QDataStream m_in;
};

template <typename Message>
QByteArray encoded(const Message &message)
{
    QByteArray bytes(headerSize, '\0');
    Writer write(bytes);
    write(quint8(message.index()));
    std::visit(write, message);
    qToBigEndian(quint32(bytes.size() - headerSize), bytes.data());
    return bytes;
}

/// The alternative of that number, as the bytes have it.
template <typename Message>
std::optional<Message> decoded(const QByteArray &bytes)
{
    Reader read(bytes);
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
