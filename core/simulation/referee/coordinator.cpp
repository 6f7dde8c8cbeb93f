// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/coordinator.h"

#include "core/redis/script.h"

#include <QDataStream>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int clockLooks = 9;
constexpr auto clientDeadline = 10s; // nothing stands still here but the whole machine
constexpr char logKey[] = "log";
constexpr char countsKey[] = "inside";

} // namespace

// Only read by children of the same build. Not in the namespace above, where QList would not find them.
static QDataStream &operator<<(QDataStream &out, microseconds time)
{
    return out << qint64(time.count());
}
static QDataStream &operator>>(QDataStream &in, microseconds &time)
{
    qint64 count = 0;
    in >> count;
    time = microseconds(count);
    return in;
}

static QDataStream &operator<<(QDataStream &out, const ServerAddress &server)
{
    return out << quint8(server.transport) << server.host << server.port << server.socketPath
               << server.database << server.user << server.password << server.caFile << server.certificateFile
               << server.keyFile << server.serverName << server.insecure;
}
static QDataStream &operator>>(QDataStream &in, ServerAddress &server)
{
    quint8 transport = 0;
    in >> transport >> server.host >> server.port >> server.socketPath >> server.database >> server.user >>
        server.password >> server.caFile >> server.certificateFile >> server.keyFile >> server.serverName >>
        server.insecure;
    server.transport = static_cast<ServerAddress::Transport>(transport);
    return in;
}

static QDataStream &operator<<(QDataStream &out, const WorkerView &view)
{
    return out << quint8(view.state) << view.lock << view.holds << view.since << view.acquired;
}
static QDataStream &operator>>(QDataStream &in, WorkerView &view)
{
    quint8 state = 0;
    in >> state >> view.lock >> view.holds >> view.since >> view.acquired;
    view.state = static_cast<WorkerState>(state);
    return in;
}

static QDataStream &operator<<(QDataStream &out, const WorkerStats &stats)
{
    return out << stats.attempts << stats.acquired << stats.refused << stats.timedOut << stats.lost
               << stats.errors << stats.crashes << stats.pauses << stats.execsRefused << stats.commands
               << stats.wait.toJson() << stats.hold.toJson();
}
static QDataStream &operator>>(QDataStream &in, WorkerStats &stats)
{
    QJsonArray wait;
    QJsonArray hold;
    in >> stats.attempts >> stats.acquired >> stats.refused >> stats.timedOut >> stats.lost >> stats.errors >>
        stats.crashes >> stats.pauses >> stats.execsRefused >> stats.commands >> wait >> hold;
    stats.wait = Histogram::fromJson(wait).value_or(Histogram());
    stats.hold = Histogram::fromJson(hold).value_or(Histogram());
    return in;
}

static QDataStream &operator<<(QDataStream &out, const LogLine &line)
{
    return out << quint8(line.what) << line.worker << line.lock << line.at << line.wallMs;
}
static QDataStream &operator>>(QDataStream &in, LogLine &line)
{
    quint8 what = 0;
    in >> what >> line.worker >> line.lock >> line.at >> line.wallMs;
    line.what = static_cast<LogLine::What>(what);
    return in;
}

namespace {

template <typename Write>
QByteArray bytesOf(Write write)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    write(out);
    return bytes;
}

/// As Qt writes a list; Qt's own reading makes room for as many as the bytes claim, before it looks for them.
template <typename Value>
void readList(QDataStream &in, QList<Value> &list)
{
    quint32 count = 0;
    in >> count;
    if (count > in.device()->bytesAvailable())
        in.setStatus(QDataStream::ReadCorruptData);
    for (quint32 i = 0; i < count && in.status() == QDataStream::Ok; ++i)
        in >> list.emplace_back();
}

template <typename Value, typename Read>
std::optional<Value> valueIn(const QByteArray &bytes, Read read)
{
    Value value;
    QDataStream in(bytes);
    read(in, value);
    return in.status() == QDataStream::Ok && in.atEnd() && !bytes.isEmpty() ? std::optional(value)
                                                                            : std::nullopt;
}

/// A worker's own connection to the board.
class BoardRefereeClient : public RefereeClient
{
public:
    /// `incomplete` becomes true when an event is lost.
    BoardRefereeClient(const ServerAddress &board, std::atomic<bool> &incomplete)
        : m_connection(board, {.clientName = "lockscope-witness", .commandDeadline = clientDeadline}),
          m_incomplete(incomplete)
    {
    }

    void take(RefereeEvent event) override
    {
        if (!(m_connection.isOpen() || m_connection.open()) || !record(event))
            m_incomplete = true;
    }

private:
    bool record(const RefereeEvent &event)
    {
        using Kind = RefereeEvent::Kind;
        static const Script script("referee/record.lua");
        const QByteArray lock = QByteArray::number(event.lock);
        QByteArray rest;
        for (const qint64 part :
             {qint64(event.kind), qint64(event.lock), qint64(event.worker), event.fence,
              qint64(event.leaseEnds.count()), qint64(event.granted.count()), qint64(event.waited.count()),
              qint64(event.byTimer), qint64(event.asked.count())})
            rest += QByteArray::number(part) + ' ';
        const QByteArrayView step = event.kind == Kind::Enter                                ? "in"
                                    : event.kind == Kind::Leave || event.kind == Kind::Crash ? "out"
                                                                                             : "note";
        const std::array<QByteArrayView, 2> keys{logKey, countsKey};
        const std::array<QByteArrayView, 3> arguments{step, lock, rest};
        return script.run(m_connection, keys, arguments).has_value();
    }

    BlockingConnection m_connection;
    std::atomic<bool> &m_incomplete;
};

/// "seconds microseconds before kind lock worker fence leaseEnds granted waited byTimer asked"
std::optional<RefereeEvent> eventIn(const QByteArray &entry)
{
    const QList<QByteArray> parts = entry.simplified().split(' ');
    if (parts.size() != 12)
        return std::nullopt;
    const auto number = [&parts](qsizetype i) { return parts[i].toLongLong(); };
    RefereeEvent event;
    event.at = microseconds(number(0) * 1'000'000 + number(1));
    event.insideBefore = static_cast<int>(number(2));
    event.kind = static_cast<RefereeEvent::Kind>(number(3));
    event.lock = static_cast<int>(number(4));
    event.worker = static_cast<int>(number(5));
    event.fence = number(6);
    event.leaseEnds = microseconds(number(7));
    event.granted = microseconds(number(8));
    event.waited = microseconds(number(9));
    event.byTimer = number(10) != 0;
    event.asked = microseconds(number(11));
    return event;
}

} // namespace

namespace board {

QByteArray written(const ChildConfig &config)
{
    const QByteArray bytes = bytesOf([&config](QDataStream &out) {
        out << config.server << config.board << QJsonDocument(config.plan.toJson()).toJson() << config.keys
            << config.process << config.first << config.count
            << qint64(config.start.time_since_epoch().count());
    });
    return bytes.toBase64() + '\n';
}

std::optional<ChildConfig> readConfig(const QByteArray &line)
{
    QByteArray plan;
    auto config = valueIn<ChildConfig>(QByteArray::fromBase64(line.trimmed()),
                                       [&plan](QDataStream &in, ChildConfig &value) {
                                           qint64 start = 0;
                                           in >> value.server >> value.board >> plan;
                                           readList(in, value.keys);
                                           in >> value.process >> value.first >> value.count >> start;
                                           value.start = TimePoint(Clock::duration(start));
                                       });
    const std::optional<Plan> read = Plan::fromJson(QJsonDocument::fromJson(plan).object());
    if (!config || !read)
        return std::nullopt;
    config->plan = *read;
    return config;
}

QByteArray written(const Status &status)
{
    return bytesOf([&status](QDataStream &out) {
        out << status.views << status.workerStats << status.log << status.error.has_value()
            << quint8(status.error ? status.error->kind : ErrorKind::NetworkFailed)
            << (status.error ? status.error->detail : QByteArray()) << status.commandsByNobody
            << status.hasEnded << status.isIncomplete;
    });
}

std::optional<Status> readStatus(const QByteArray &bytes)
{
    return valueIn<Status>(bytes, [](QDataStream &in, Status &status) {
        bool failed = false;
        quint8 kind = 0;
        QByteArray detail;
        readList(in, status.views);
        readList(in, status.workerStats);
        readList(in, status.log);
        in >> failed >> kind >> detail >> status.commandsByNobody >> status.hasEnded >> status.isIncomplete;
        if (failed)
            status.error = Error{static_cast<ErrorKind>(kind), detail};
    });
}

QByteArray written(const Round &round)
{
    return bytesOf([&round](QDataStream &out) {
        out << round.number << round.tried << round.winners << round.firstTry << round.lastTry;
    });
}

std::optional<Round> readRound(const QByteArray &bytes)
{
    return valueIn<Round>(bytes, [](QDataStream &in, Round &round) {
        in >> round.number >> round.tried >> round.winners >> round.firstTry >> round.lastTry;
    });
}

QByteArray statusKey(int process)
{
    return "status:" + QByteArray::number(process);
}
QByteArray ordersKey(int process)
{
    return "orders:" + QByteArray::number(process);
}
QByteArray warrantKey()
{
    return "warrant";
}

QByteArray killedKey()
{
    return "killed";
}

QByteArray arrivalsKey(int process)
{
    return "arrivals:" + QByteArray::number(process);
}

} // namespace board

BoardReferee::BoardReferee(const ServerAddress &board)
    : m_board(board), m_connection(board, {.clientName = "lockscope-referee"})
{
}

BoardReferee::~BoardReferee() = default;

Result<std::unique_ptr<BoardReferee>> BoardReferee::open(const ServerAddress &board)
{
    std::unique_ptr<BoardReferee> referee(new BoardReferee(board));
    if (const Result<void> compared = referee->compareClocks(); !compared)
        return tl::unexpected(compared.error());
    return referee;
}

/// The answer came after the board had looked at its clock, so that each look gives a bound: a lease that is turned
/// into the board's time must not seem to last longer than it does. The highest bound is the closest.
Result<void> BoardReferee::compareClocks()
{
    if (const Result<void> opened = m_connection.open(); !opened)
        return opened;
    m_offset = std::chrono::nanoseconds::min();
    for (int i = 0; i < clockLooks; ++i) {
        const Result<Reply> time = m_connection.send({"TIME"});
        const TimePoint after = Clock::now();
        if (!time)
            return tl::unexpected(time.error());
        if (time->elements.size() != 2)
            return tl::unexpected(Error{ErrorKind::UnexpectedReply, "TIME"});
        const std::chrono::seconds seconds(time->elements[0].text.toLongLong());
        const microseconds rest(time->elements[1].text.toLongLong());
        m_offset = std::max<std::chrono::nanoseconds>(m_offset, seconds + rest - after.time_since_epoch());
    }
    return {};
}

std::unique_ptr<RefereeClient> BoardReferee::admit()
{
    return std::make_unique<BoardRefereeClient>(m_board, m_incomplete);
}

microseconds BoardReferee::onClock(TimePoint moment) const
{
    return std::chrono::duration_cast<microseconds>(moment.time_since_epoch() + m_offset);
}

Result<QList<RefereeEvent>> BoardReferee::read()
{
    // Taken away at once: what a long run leaves would fill the board's memory.
    CommandBatch batch{"MULTI"};
    batch.add({"LRANGE", logKey, "0", "-1"});
    batch.add({"DEL", logKey});
    batch.add({"EXEC"});
    const Result<std::vector<Reply>> replies = m_connection.send(batch);
    if (!replies)
        return tl::unexpected(replies.error());
    const Reply &taken = replies->back();
    if (taken.isError())
        return tl::unexpected(serverError(taken.text));
    QList<RefereeEvent> events;
    for (const Reply &entry : taken.elements.empty() ? std::vector<Reply>() : taken.elements[0].elements) {
        if (const auto event = eventIn(entry.text))
            events.append(*event);
    }
    return events;
}

} // namespace lockscope
