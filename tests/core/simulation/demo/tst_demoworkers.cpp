// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/demo/demoworkers.h"

#include "core/base/time.h"
#include "tests/support/machineclock.h"
#include "tests/support/redisserver.h"

#include <QElapsedTimer>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// Each key in one line: name, type, PTTL, then owner and count of each holder, parted by tabs.
constexpr char everyKey[] = R"lua(
local lines = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
    local kind = redis.call('TYPE', key).ok
    local line = {key, kind, redis.call('PTTL', key)}
    if kind == 'string' then
        line[4], line[5] = redis.call('GET', key), ''
    elseif kind == 'hash' then
        for _, part in ipairs(redis.call('HGETALL', key)) do line[#line + 1] = part end
    end
    lines[#lines + 1] = table.concat(line, '\t')
end
return lines)lua";

struct Seen
{
    QByteArray type;
    int pttl = 0;
    QByteArrayList owners;

    bool sameOwner(const Seen &other) const { return owners.value(0) == other.owners.value(0); }
    int count() const { return owners.value(1).toInt(); }
};

/// Looks at the server through redis-cli and remembers which states it met.
class Observer
{
public:
    explicit Observer(const RedisServer &server) : m_server(server) {}

    bool hasSeen(const QSet<QByteArray> &states)
    {
        look();
        return m_states.contains(states);
    }
    QSet<QByteArray> states() const { return m_states; }

private:
    void look();
    void judge(const QByteArray &key, const Seen &now);
    void judgeChange(const QByteArray &key, const Seen &before, const Seen &now);

    const RedisServer &m_server;
    QHash<QByteArray, Seen> m_keys;
    QHash<QByteArray, QByteArray> m_owners; // the last one of each key, also of one that is free now
    QSet<QByteArray> m_states;
};

void Observer::look()
{
    QHash<QByteArray, Seen> keys;
    for (const QByteArray &line : m_server.cli({"--raw", "EVAL", everyKey, "0"}).split('\n')) {
        const QByteArrayList parts = line.split('\t');
        keys.insert(parts.value(0), {parts.value(1), parts.value(2).toInt(), parts.mid(3)});
    }
    for (auto key = keys.cbegin(); key != keys.cend(); ++key) {
        judge(key.key(), key.value());
        if (m_keys.contains(key.key()))
            judgeChange(key.key(), m_keys[key.key()], key.value());
    }
    for (auto key = m_keys.cbegin(); key != m_keys.cend(); ++key) {
        if (!keys.contains(key.key()))
            m_states.insert(key->pttl < 500 ? "expired" : "released");
    }
    m_keys = keys;
}

void Observer::judge(const QByteArray &key, const Seen &now)
{
    static const QRegularExpression uuidAndThread(
        QStringLiteral("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:\\d+$"));
    const QByteArray owner = now.owners.value(0);
    const bool isHash = now.type == "hash";
    if (now.type == "string" && now.pttl > 0)
        m_states.insert("token");
    if (now.type == "string" && now.pttl == -1)
        m_states.insert("token without expiry");
    if (isHash && now.count() == 1 && now.pttl > 0)
        m_states.insert("reentrant");
    if (isHash && now.count() == 3)
        m_states.insert("three levels");
    if (isHash && now.owners.size() == 4)
        m_states.insert("two owners");
    if (isHash && now.owners.value(1) == "abc")
        m_states.insert("bad count");
    if (isHash && owner.contains("\xF0\x9F\x9A\x9A"))
        m_states.insert("emoji owner");
    if (isHash && uuidAndThread.match(QString::fromUtf8(owner)).hasMatch())
        m_states.insert("uuid and thread");
    if (key == "lock:queue" && now.type == "list")
        m_states.insert("list");
    if (key.contains("\xFF") && key.contains("\xE2\x80\xAE") && key.contains("<img"))
        m_states.insert("hostile key");
    if (key == "lock:checkout:handoff:queue")
        m_states.insert("queue");
    if (key == "redisson_lock_queue:{lock:transfer:nightly}")
        m_states.insert("dead waiter");
    if (m_owners.contains(key) && m_owners[key] != owner)
        m_states.insert("next owner");
    m_owners.insert(key, owner);
    // It was renewed every 1.3 s while its owner lived.
    if (key == "lock:payment:refunds" && now.pttl < 2000)
        m_states.insert("dead holder");
}

void Observer::judgeChange(const QByteArray &key, const Seen &before, const Seen &now)
{
    if (before.sameOwner(now) && now.count() > before.count())
        m_states.insert("reentered");
    if (before.sameOwner(now) && now.count() < before.count())
        m_states.insert("unwound");
    if (before.sameOwner(now) && now.count() == before.count() && now.pttl > before.pttl &&
        key.endsWith(":lock"))
        m_states.insert("renewed");
}

} // namespace

class TestDemoWorkers : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyStateIsSeenWithinTenSeconds();
    void endsAtOnce_data();
    void endsAtOnce();
    void aLostServerIsComeBackToQuietly();
};

void TestDemoWorkers::everyStateIsSeenWithinTenSeconds()
{
    const QSet<QByteArray> wanted{"token",
                                  "reentrant",
                                  "three levels",
                                  "reentered",
                                  "unwound",
                                  "renewed",
                                  "released",
                                  "expired",
                                  "dead holder",
                                  "two owners",
                                  "bad count",
                                  "list",
                                  "hostile key",
                                  "emoji owner",
                                  "next owner",
                                  "uuid and thread",
                                  "token without expiry",
                                  "queue",
                                  "dead waiter"};
    const RedisServer server;
    Observer observer(server);
    const DemoWorkers workers(server.socketAddress());
    const auto missing = [&] {
        const QByteArrayList names = (QSet<QByteArray>(wanted) - observer.states()).values();
        return QByteArray("never seen: ") + names.join(", ");
    };
    QElapsedTimer clock;
    clock.start();
    while (!observer.hasSeen(wanted))
        QVERIFY2(clock.elapsed() < 10'000, missing().constData());
}

void TestDemoWorkers::endsAtOnce_data()
{
    QTest::addColumn<bool>("working");
    QTest::addColumn<bool>("paused");
    QTest::newRow("before the first command") << false << false;
    QTest::newRow("at work") << true << false;
    QTest::newRow("while the server hangs") << true << true;
}

void TestDemoWorkers::endsAtOnce()
{
    QFETCH(bool, working);
    QFETCH(bool, paused);
    RedisServer server;
    const MachineClock clock;
    std::chrono::milliseconds begun{0};
    {
        const DemoWorkers workers(server.socketAddress());
        if (working)
            QTRY_VERIFY(server.cli({"EXISTS", "payments:lock"}) == "1");
        if (paused)
            server.pause();
        begun = clock.now();
    }
    const std::chrono::milliseconds took = clock.now() - begun;
    QVERIFY2(took < 1000ms, QByteArray::number(qint64(took.count())).constData());
    server.resume();
    QTRY_COMPARE(server.cli({"CLIENT", "LIST"}).count("name=lockscope-demo"), 0);
}

void TestDemoWorkers::aLostServerIsComeBackToQuietly()
{
    RedisServer server;
    const DemoWorkers workers(server.socketAddress());
    QTRY_VERIFY(server.cli({"EXISTS", "payments:lock"}) == "1");
    server.kill();
    server.start();
    QTRY_VERIFY(server.cli({"EXISTS", "payments:lock"}) == "1");
}

QTEST_GUILESS_MAIN(TestDemoWorkers)
#include "tst_demoworkers.moc"
