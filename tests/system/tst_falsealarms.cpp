// SPDX-License-Identifier: GPL-3.0-or-later
// A thousand keys that are no locks, under names that sound as if they were: none is told to be the lock of a library that it
// is not.
#include "tests/system/interop/listing.h"

#include <array>
#include <random>

using namespace lockscope;

namespace {

constexpr int keyCount = 1000;

/// What applications keep under such names: bytes of a seeded source made to look like it.
class Records
{
public:
    explicit Records(std::mt19937 &random) : m_random(random) {}

    /// A command that writes one of them.
    QByteArrayList next(const QByteArray &key)
    {
        switch (below(16)) {
        case 0:
            return {"SET", key, number(1'000'000)};
        case 1:
            return {"SET", key,
                    R"({"user":)" + number(90'000) + R"(,"roles":["admin"],"at":")" + date() + R"("})"};
        case 2:
            return {"SET", key, uuid(), "EX", number(86'400)}; // a session, an idempotency key
        case 3:
            return {"SET", key, hex(16), "EX", number(86'400)}; // an ETag
        case 4:
            return {"SET", key, hex(32)}; // a SHA-256
        case 5:
            return {"SET", key, date() + "@worker-" + number(20)}; // the time and place of a last run
        case 6:
            return {"SET", key, "https://example.org/clock/" + hex(4) + "?t=" + number(1'000'000)};
        case 7:
            return {"SET", key, "eyJhbGciOiJIUzI1NiJ9." + hex(40).toBase64() + '.' + hex(16)};
        case 8:
            return {"HSET", key, "name", "Block " + number(99), "opened", date(), "count", number(500)};
        case 9:
            return {"HSET", key, "read", number(900), "write", number(900), "mode", "fast"};
        case 10:
            return {"HSET", key, "mode", "read", "device", uuid(), "firmware", "4.1"}; // a door's settings
        case 11:
            return {"HSET", key, date().first(10), number(5000), "total", number(90'000)};
        case 12:
            return {"RPUSH", key, uuid(), uuid(), number(99)};
        case 13:
            return {"SADD", key, "192.0.2." + number(255),
                    "198.51.100." + number(255)}; // addresses that are blocked
        case 14:                                  // users by score, by when they came, by turns
            return {"ZADD", key, number(9000), "user:" + number(900), number(9000), uuid()};
        default:
            return {"XADD", key, "*", "event", "unlocked", "door", number(40)};
        }
    }

    quint32 below(quint32 limit) { return quint32(m_random() % limit); }

private:
    QByteArray number(quint32 limit) { return QByteArray::number(1 + below(limit)); }
    QByteArray hex(int bytes)
    {
        QByteArray raw;
        for (int i = 0; i < bytes; ++i)
            raw += char(below(256));
        return raw.toHex();
    }
    QByteArray uuid()
    {
        QByteArray text = hex(16);
        text[12] = '4';
        text[16] = 'a';
        for (const int at : {20, 16, 12, 8})
            text.insert(at, '-');
        return text;
    }
    QByteArray date()
    {
        return QDateTime::fromSecsSinceEpoch(1'700'000'000 + below(90'000'000), QTimeZone::utc())
            .toString(Qt::ISODate)
            .toLatin1();
    }

    std::mt19937 &m_random;
};

} // namespace

class TestFalseAlarms : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsTakenForALibrarysLock();
};

void TestFalseAlarms::nothingIsTakenForALibrarysLock()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    static constexpr std::array names{"lock",        "locker",       "block",           "blocklist",
                                      "clock",       "unlock:codes", "app:cache:clock", "door:locks",
                                      "chain:block", "flock"};
    const quint32 seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    Records records(random);
    const CliProgram cli;
    const RedisServer server;
    QByteArrayList lines;
    for (int i = 0; i < keyCount; ++i) {
        const QByteArray key = names[records.below(names.size())] + (':' + QByteArray::number(i));
        QByteArray line;
        for (const QByteArray &word : records.next(key))
            line += "\"\\x" + word.toHex('/').replace("/", "\\x") + "\" ";
        lines << line;
    }
    server.cli({}, lines.join('\n') + '\n');
    QCOMPARE(server.cli({"DBSIZE"}), QByteArray::number(keyCount));

    static const QStringList honest{QStringLiteral("token"), QStringLiteral("reentrant"),
                                    QStringLiteral("unknown")};
    const QJsonArray locks = locksUnder(server, "*");
    QVERIFY(!locks.isEmpty());
    QJsonArray falseAlarms;
    for (const QJsonValue &lock : locks) {
        if (!honest.contains(lock[QLatin1String("family")].toString()))
            falseAlarms.append(lock);
    }
    QVERIFY2(falseAlarms.isEmpty(), compact(falseAlarms).constData());
}

QTEST_GUILESS_MAIN(TestFalseAlarms)
#include "tst_falsealarms.moc"
