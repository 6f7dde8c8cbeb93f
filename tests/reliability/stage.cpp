// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/stage.h"
#include "tests/support/told.h"

#include <QFile>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tolerance = 250ms; // of what is shown as the remaining time
constexpr auto leaseMs = "3600000";
constexpr int names = 40;

std::unique_ptr<RedisServer> serverIn(const QTemporaryDir &directory)
{
    const QString clock = directory.filePath(QStringLiteral("clock"));
    QFile file(clock);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray(8, '\0')) != 8)
        qFatal("no file for the clock");
    file.close();
    return std::make_unique<RedisServer>(
        QStringList{QStringLiteral("--enable-debug-command"), QStringLiteral("yes"), QStringLiteral("--user"),
                    QStringLiteral("watcher"), QStringLiteral("on"), QStringLiteral(">w"),
                    QStringLiteral("~*"), QStringLiteral("&*"), QStringLiteral("+@all")},
        QStringList{QStringLiteral("LD_PRELOAD=" LOCKSCOPE_CLOCK_SHIM),
                    QStringLiteral("CLOCK_SHIM=") + clock});
}

QByteArray ownerOf(const Lock &lock)
{
    QByteArrayList owners;
    for (const LockOwner &holder : lock.owners)
        owners << holder.owner.bytes;
    return owners.join(',');
}

} // namespace

Stage::Stage(bool byProxy) : m_server(serverIn(m_directory)), m_proxy(m_server->socketAddress())
{
    ServerAddress address = byProxy ? m_proxy.address() : m_server->socketAddress();
    address.user = "watcher";
    address.password = "w";
    Session::Options options;
    options.monitor.patterns = {"lock:*"};
    options.auditPath = m_directory.filePath(QStringLiteral("audit.jsonl"));
    m_session = std::make_unique<Session>(address, options);
    onTold<LockDiff>(*m_session, m_session.get(), [this](const LockDiff &diff) {
        for (const LockKey &key : diff.removed)
            m_table.remove(key.bytes);
        for (const WatchedLock &lock : diff.changed)
            m_table.insert(lock.key().bytes, lock.lock);
    });
    onTold<DataConfirmed>(*m_session, m_session.get(), [this](TimePoint at) { m_confirmedAt = at; });
}

BlockingConnection &Stage::eye()
{
    if (!m_eye)
        m_eye = std::make_unique<BlockingConnection>(m_server->socketAddress(),
                                                     BlockingConnection::Options{.clientName = "eye",
                                                                                 .connectDeadline = 500ms,
                                                                                 .commandDeadline = 10s});
    if (!m_eye->isOpen())
        std::ignore = m_eye->open();
    return *m_eye;
}

std::unique_ptr<BlockingConnection> Stage::another() const
{
    auto connection = std::make_unique<BlockingConnection>(
        m_server->socketAddress(),
        BlockingConnection::Options{.clientName = "other", .commandDeadline = 20s});
    std::ignore = connection->open();
    return connection;
}

Result<Reply> Stage::ask(std::initializer_list<QByteArrayView> command)
{
    return eye().send(command);
}

bool Stage::writeLocks()
{
    ++m_generation;
    CommandBatch batch;
    const QByteArray owner = "owner-" + QByteArray::number(m_generation);
    for (int i = 0; i < names; ++i) {
        const QByteArray key = "lock:" + QByteArray::number(i);
        const int kind = (i + m_generation) % 4;
        batch.add({"DEL", key});
        if (kind == 0)
            continue;
        if (kind == 1)
            batch.add({"SET", key, owner, "PX", leaseMs});
        else if (kind == 2)
            batch.add({"SET", key, "always", "PX", leaseMs});
        else {
            batch.add({"HSET", key, owner, "1"});
            batch.add({"PEXPIRE", key, leaseMs});
        }
    }
    const auto replies = eye().send(batch);
    return replies && std::ranges::none_of(*replies, [](const Reply &reply) { return reply.isError(); });
}

std::optional<Truth> Stage::truth()
{
    Truth truth;
    CommandBatch batch;
    for (int i = 0; i < names; ++i) {
        const QByteArray key = "lock:" + QByteArray::number(i);
        batch.add({"TYPE", key});
        batch.add({"GET", key});
        batch.add({"HKEYS", key});
        batch.add({"PTTL", key});
    }
    const TimePoint asked = Clock::now();
    const auto replies = eye().send(batch);
    const TimePoint heard = Clock::now();
    if (!replies)
        return std::nullopt;
    for (size_t i = 0; i < names; ++i) {
        const Reply &type = (*replies)[i * 4];
        const Reply &ttl = (*replies)[i * 4 + 3];
        if (!type.isStatus() || !ttl.isInteger())
            return std::nullopt;
        if (ttl.integer == -2)
            continue;
        Truth::Entry entry;
        entry.owner =
            type.text == "string" ? (*replies)[i * 4 + 1].text : (*replies)[i * 4 + 2].elements.at(0).text;
        if (ttl.integer >= 0)
            entry.deadline = Deadline::fromPttl(milliseconds(ttl.integer), asked, heard);
        truth.locks.insert("lock:" + QByteArray::number(i), entry);
    }
    return truth;
}

QByteArray Stage::difference(const Truth &truth, TimePoint since) const
{
    if (m_confirmedAt < since)
        return "the picture is not said to be of after the fault";
    for (auto at = m_table.begin(); at != m_table.end(); ++at) {
        if (!truth.locks.contains(at.key()))
            return at.key() + " is shown and is not there";
    }
    for (auto at = truth.locks.begin(); at != truth.locks.end(); ++at) {
        const auto shown = m_table.constFind(at.key());
        if (shown == m_table.cend())
            return at.key() + " is missing";
        if (ownerOf(*shown) != at->owner)
            return at.key() + " is shown with the owner " + ownerOf(*shown) + ", has " + at->owner;
        if (shown->deadline.has_value() != at->deadline.has_value())
            return at.key() + ": a deadline that is none, or none";
        if (at->deadline && (shown->deadline->earliest > at->deadline->latest + tolerance ||
                             shown->deadline->latest + tolerance < at->deadline->earliest))
            return at.key() + ": its end is " +
                   QByteArray::number(std::chrono::duration_cast<milliseconds>(shown->deadline->latest -
                                                                               at->deadline->latest)
                                          .count()) +
                   " ms off";
    }
    return {};
}

bool Stage::shows(const Truth &truth, TimePoint since) const
{
    return difference(truth, since).isEmpty();
}

void Stage::setClock(std::chrono::microseconds offset)
{
    QFile file(m_directory.filePath(QStringLiteral("clock")));
    const qint64 value = offset.count();
    // In place: the server has mapped it.
    if (!file.open(QIODevice::ReadWrite) ||
        file.write(reinterpret_cast<const char *>(&value), sizeof value) != sizeof value) // NOLINT: its bytes
        qFatal("the clock can't be set");
}

} // namespace lockscope
