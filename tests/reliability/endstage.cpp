// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/endstage.h"

#include "core/redis/deployment/slot.h"
#include "core/redis/info.h"
#include "tests/reliability/await.h"
#include "tests/reliability/besideload.h"
#include "tests/support/othernodes.h"

#include <QJsonDocument>

#include <csignal>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int endPrimaries = 3;
constexpr auto heartbeatOver =
    1200ms; // once a second the program makes sure that it has been told everything

/// What leaves each user one way to hear of changes.
QList<QByteArrayList> rungUsers()
{
    const QByteArrayList all{"on", ">p", "~*", "&*", "+@all"};
    return {QByteArrayList{"tracking"} + all,
            QByteArrayList{"notifications"} + all + QByteArrayList{"-client|tracking"},
            QByteArrayList{"polling"} + all +
                QByteArrayList{"-client|tracking", "-subscribe", "-psubscribe", "-ssubscribe"}};
}

QByteArray rungUser(EndStage::Rung rung)
{
    return rungUsers()[qsizetype(rung)][0];
}

QStringList serverSettings(EndStage::Rung rung)
{
    QStringList settings;
    for (const QByteArrayList &user : rungUsers()) {
        settings << QStringLiteral("--user");
        for (const QByteArray &word : user)
            settings << QString::fromLatin1(word);
    }
    if (rung == EndStage::Rung::Notifications)
        settings << QStringLiteral("--notify-keyspace-events") << QStringLiteral("KA");
    return settings;
}

} // namespace

EndStage::EndStage(Layout layout, Rung rung, bool isBusy, quint32 seed) : m_layout(layout), m_rung(rung)
{
    std::vector<BesideLoad::Node> loaded;
    if (layout == Layout::Cluster) {
        m_cluster = std::make_unique<RedisCluster>(endPrimaries, false);
        for (int i = 0; i < endPrimaries; ++i) {
            RedisServer &node = m_cluster->node(i);
            for (const QByteArrayList &user : rungUsers())
                node.cli(QByteArrayList{"ACL", "SETUSER"} + user);
            if (rung == Rung::Notifications)
                node.cli({"CONFIG", "SET", "notify-keyspace-events", "KA"});
            m_primaries.push_back(&node);
            loaded.push_back({node.socketAddress(), '{' + m_cluster->keyOn(node, "b%1") + '}'});
        }
    } else {
        if (layout == Layout::Sentinels) {
            m_group =
                std::make_unique<SentinelGroup>(SentinelGroup::Settings{.servers = serverSettings(rung)});
            m_primaries.push_back(&m_group->server(0));
        } else {
            m_server = std::make_unique<RedisServer>(serverSettings(rung));
            m_primaries.push_back(m_server.get());
        }
        loaded.push_back({m_primaries[0]->socketAddress(), {}});
    }
    for (const RedisServer *server : m_primaries)
        m_connections.push_back(std::make_unique<BlockingConnection>(
            server->socketAddress(),
            BlockingConnection::Options{.clientName = "ends", .commandDeadline = 10s}));
    if (isBusy)
        m_load = std::make_unique<BesideLoad>(std::move(loaded), seed);
}

EndStage::~EndStage() = default;

QStringList EndStage::options() const
{
    const QString local = QStringLiteral("127.0.0.1");
    QStringList where{QStringLiteral("--user"), QString::fromLatin1(rungUser(m_rung))};
    if (m_group)
        where << QStringLiteral("--sentinel")
              << local + u':' + QString::number(m_group->sentinel(0).port()) + u',' + local + u':' +
                     QString::number(m_group->sentinel(1).port())
              << QStringLiteral("--master") << QStringLiteral("orders");
    else
        where << QStringLiteral("-h") << local << QStringLiteral("-p")
              << QString::number(m_primaries[0]->port());
    // Whole prefixes, so that tracking tells of new names too.
    return where << QStringLiteral("--pattern") << QStringLiteral("lock:*") << QStringLiteral("--pattern")
                 << QStringLiteral("job-lock:*") << QStringLiteral("--json");
}

QStringList EndStage::environment() const
{
    return {QStringLiteral("REDISCLI_AUTH=p"), QStringLiteral("XDG_STATE_HOME=") + m_files.path()};
}

Ran EndStage::cli(const QByteArrayList &words) const
{
    QByteArrayList arguments;
    for (const QString &option : options())
        arguments << option.toUtf8();
    return runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), arguments + words, {},
                      environment());
}

BlockingConnection &EndStage::opened(size_t node)
{
    BlockingConnection &connection = *m_connections[node];
    if (!connection.isOpen())
        std::ignore = connection.open();
    return connection;
}

BlockingConnection &EndStage::nodeOf(const QByteArray &key)
{
    return opened(m_cluster ? size_t(slotOf(key) * endPrimaries / slotCount) : 0);
}

Result<Reply> EndStage::send(const QByteArray &key, const QByteArrayList &command)
{
    const std::vector<QByteArrayView> words(command.begin(), command.end());
    return nodeOf(key).send(words);
}

bool EndStage::write(const QByteArray &key, const QByteArrayList &lines)
{
    CommandBatch batch;
    const bool isMulti = lines.size() > 1;
    if (isMulti)
        batch.add({"MULTI"});
    for (const QByteArray &line : lines) {
        const QByteArrayList command = line.split(' ');
        const std::vector<QByteArrayView> words(command.begin(), command.end());
        batch.add(words);
    }
    if (isMulti)
        batch.add({"EXEC"});
    const auto replies = nodeOf(key).send(batch);
    return replies && !replies->back().isError();
}

bool EndStage::exists(const QByteArray &key)
{
    const auto reply = send(key, {"EXISTS", key});
    return reply && reply->integer == 1;
}

void EndStage::onEach(const QByteArrayList &command)
{
    const std::vector<QByteArrayView> words(command.begin(), command.end());
    for (size_t i = 0; i < m_primaries.size(); ++i)
        std::ignore = opened(i).send(words);
}

void EndStage::evict(const QByteArrayList &keys, const QByteArray &policy)
{
    const auto held = m_load ? m_load->holdMemory() : std::unique_lock<std::mutex>();
    onEach({"CONFIG", "SET", "maxmemory-policy", policy});
    for (const QByteArray &key : keys) {
        for (int step = 0; step < 1000 && exists(key); ++step) {
            std::ignore = send(key, {"CONFIG", "SET", "maxmemory", "1"});
            std::ignore = send(key, {"SET", "other:{" + key + '}', "x"});
        }
    }
    onEach({"CONFIG", "SET", "maxmemory", "0"});
}

void EndStage::restartEmpty()
{
    m_primaries[0]->kill();
    m_primaries[0]->start();
}

void EndStage::stopReplica()
{
    m_group->server(1).kill();
}

void EndStage::failOver()
{
    m_group->server(0).kill();
    m_group->server(1).start();
    std::ignore = m_group->waitUntilPrimary(1);
}

bool EndStage::waitUntilInSwing()
{
    return !m_load || runUntil([this] { return m_load->isInSwing(); }, 30s);
}

void EndStage::waitUntilCounted()
{
    if (m_load)
        return;
    const auto asked = [this](size_t node) -> qint64 {
        const auto info = opened(node).send({"INFO", "commandstats"});
        const QByteArray line = info ? infoField(info->text, "cmdstat_info") : QByteArray();
        return line.mid(line.indexOf('=') + 1).split(',')[0].toLongLong();
    };
    std::vector<qint64> before;
    for (size_t i = 0; i < m_primaries.size(); ++i)
        before.push_back(asked(i));
    std::ignore = runUntil(
        [&] {
            bool areAll = true;
            for (size_t i = 0; i < before.size(); ++i)
                areAll = (asked(i) > ++before[i]) && areAll; // more often than by us
            return areAll;
        },
        5s);
    runFor(heartbeatOver); // nothing outside tells of it
}

QByteArray EndStage::loadInWords() const
{
    return m_load ? m_load->inWords() : QByteArray("quiet");
}

EndFeed::EndFeed(const EndStage &stage, const QStringList &words)
{
    m_process.setEnvironment(QProcess::systemEnvironment() + stage.environment());
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), stage.options() + words);
    m_process.closeWriteChannel();
}

EndFeed::~EndFeed()
{
    end();
}

void EndFeed::take()
{
    while (m_process.canReadLine())
        m_events << QJsonDocument::fromJson(m_process.readLine()).object();
}

QJsonObject EndFeed::waitFor(const QString &event)
{
    const auto found = [&] {
        take();
        return std::ranges::find_if(m_events, [&](const QJsonObject &each) {
            return each[QStringLiteral("event")].toString() == event;
        });
    };
    std::ignore = runUntil([&] { return found() != m_events.end(); }, 30s);
    return found() == m_events.end() ? QJsonObject() : *found();
}

void EndFeed::end()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
    if (!m_process.waitForFinished(10'000)) {
        m_process.kill();
        m_process.waitForFinished();
    }
    take();
}

} // namespace lockscope
