// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/holdlogfile.h"

#include <QDir>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray subject = "redis://orders:6379 lock:*";
constexpr qint64 start = 1'700'000'000'000;
constexpr qint64 minute = 60'000;

Lock lockOf(const QByteArray &key, const QByteArrayList &owners)
{
    Lock lock;
    lock.address.key = LockKey(key);
    for (const QByteArray &owner : owners)
        lock.owners.append({OwnerId(owner), "1", 1});
    return lock;
}

HoldLog::Hold holdOf(const HoldLog &memory, const Lock &lock)
{
    const auto longest = memory.longestOf(lock);
    return longest ? longest->hold : HoldLog::Hold();
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) < 0)
        qFatal("can't write %s", qPrintable(path));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

} // namespace

class TestHoldLog : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void countsFromTheFirstCheck();
    void anotherOwnerBeginsAnew();
    void whatWasNotReadIsKept();
    void theLongestOwnerCounts();
    void aClockSetBackAddsNothing();
    void comesBackAsItWas();
    void damageIsNoMemory_data();
    void damageIsNoMemory();
    void whatIsNotOursIsLeftAlone_data();
    void whatIsNotOursIsLeftAlone();
    void serversHaveFilesOfTheirOwn();
    void theFileIsPrivateAndWhole();
    void checksTakeTurns();
};

void TestHoldLog::countsFromTheFirstCheck()
{
    HoldLog memory(subject);
    QVERIFY(memory.isEmpty());
    const Lock lock = lockOf("lock:a", {"me"});
    QVERIFY(!memory.longestOf(lock));
    memory.record({lock}, start, true);
    QVERIFY(!memory.isEmpty());
    memory.record({lock}, start + minute, true);
    QCOMPARE(holdOf(memory, lock), (HoldLog::Hold{start, 2}));
    Lock reentered = lock;
    reentered.owners[0].holdCount = 2;
    memory.record({reentered}, start + 2 * minute, true);
    QCOMPARE(holdOf(memory, reentered), (HoldLog::Hold{start, 3}));
}

void TestHoldLog::anotherOwnerBeginsAnew()
{
    HoldLog memory(subject);
    memory.record({lockOf("lock:a", {"me"})}, start, true);
    memory.record({lockOf("lock:a", {"you"})}, start + minute, true);
    QCOMPARE(holdOf(memory, lockOf("lock:a", {"you"})), (HoldLog::Hold{start + minute, 1}));
    memory.record({lockOf("lock:a", {"me"})}, start + 2 * minute, true);
    QCOMPARE(holdOf(memory, lockOf("lock:a", {"me"})), (HoldLog::Hold{start + 2 * minute, 1}));
    // Where the key ends is part of it.
    QVERIFY(!memory.longestOf(lockOf("lock:am", {"e"})));
}

void TestHoldLog::whatWasNotReadIsKept()
{
    HoldLog memory(subject);
    const Lock lock = lockOf("lock:a", {"me"});
    memory.record({lock}, start, true);
    memory.record({}, start + minute, false);
    QCOMPARE(holdOf(memory, lock), (HoldLog::Hold{start, 1}));
    memory.record({}, start + 2 * minute, true);
    QVERIFY(!memory.longestOf(lock));
}

void TestHoldLog::theLongestOwnerCounts()
{
    HoldLog memory(subject);
    memory.record({lockOf("lock:rw", {"b"})}, start, true);
    const Lock readers = lockOf("lock:rw", {"a", "b", "c"});
    memory.record({readers}, start + minute, true);
    const auto longest = memory.longestOf(readers);
    QVERIFY(longest);
    QCOMPARE(longest->owner.owner, OwnerId("b"));
    QCOMPARE(longest->hold, (HoldLog::Hold{start, 2}));
}

/// What was known to have passed has passed; how much since then is not known.
void TestHoldLog::aClockSetBackAddsNothing()
{
    HoldLog memory(subject);
    const Lock lock = lockOf("lock:a", {"me"});
    memory.record({lock}, start, true);
    memory.record({lock}, start + 5 * minute, true);
    const qint64 now = start - 60 * minute;
    memory.record({lock}, now, true);
    QCOMPARE(now - holdOf(memory, lock).sinceMs, 5 * minute);
    memory.record({lock}, now + minute, true);
    QCOMPARE(now + minute - holdOf(memory, lock).sinceMs, 6 * minute);
}

void TestHoldLog::comesBackAsItWas()
{
    HoldLog memory(subject);
    const Lock lock = lockOf(QByteArray("lock:\0\xff\x1b", 8), {QByteArray("\xfe\n\"", 3)});
    memory.record({lock, lockOf("lock:b", {"canary-7f3d"})}, start, true);
    const QByteArray text = memory.toJson();
    QVERIFY(!text.contains("canary"));
    QVERIFY(!text.contains("lock:b"));
    const auto parsed = HoldLog::parse(text, subject);
    QVERIFY(parsed && *parsed);
    QCOMPARE(holdOf(**parsed, lock), (HoldLog::Hold{start, 1}));
    QCOMPARE((*parsed)->toJson(), text);

    // Any part of it, and any change, is read or is not, without harm.
    const quint32 seed = QRandomGenerator::global()->generate();
    qInfo("seed %u", seed);
    QRandomGenerator random(seed);
    for (int i = 0; i < 2000; ++i) {
        QByteArray changed = text.first(random.bounded(int(text.size()) + 1));
        for (int n = random.bounded(3); n > 0 && !changed.isEmpty(); --n)
            changed[random.bounded(int(changed.size()))] = char(random.bounded(256));
        const auto outcome = HoldLog::parse(changed, subject);
        if (outcome && *outcome)
            QVERIFY(holdOf(**outcome, lock).sinceMs <= start);
    }
}

void TestHoldLog::damageIsNoMemory_data()
{
    QTest::addColumn<QByteArray>("content");
    const QByteArray head = R"({"at":5,"holds":)";
    const QByteArray tail = R"(,"of":"redis://orders:6379 lock:*","version":1})";
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("torn") << head + R"({"Fx5gRuLc)";
    QTest::newRow("torn at once") << QByteArray("{");
    QTest::newRow("torn in the moment") << QByteArray(R"({"at":17)");
    QTest::newRow("no moment") << R"({"at":0,"holds":{})" + tail;
    QTest::newRow("a name") << head + R"({"short":[1,1]})" + tail;
    QTest::newRow("no count") << head + R"({"Fx5gRuLcDbfXOVE+hdo1uQ":[1]})" + tail;
    QTest::newRow("text") << head + R"({"Fx5gRuLcDbfXOVE+hdo1uQ":["1","1"]})" + tail;
    QTest::newRow("negative") << head + R"({"Fx5gRuLcDbfXOVE+hdo1uQ":[-1,1]})" + tail;
}

void TestHoldLog::damageIsNoMemory()
{
    QFETCH(const QByteArray, content);
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("state.json"));
    writeFile(path, content);
    HoldLogFile file(path, subject);
    const auto memory = file.open();
    QVERIFY2(memory, memory ? "" : qPrintable(memory.error().inEnglish()));
    QVERIFY(memory->isEmpty());
    QVERIFY(file.wasDamaged());
}

void TestHoldLog::whatIsNotOursIsLeftAlone_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("reason");
    QTest::newRow("later version") << QByteArray(R"({"version":2,"of":"redis://orders:6379 lock:*"})")
                                   << QStringLiteral("newer Lockscope");
    QTest::newRow("unknown word") << QByteArray(R"({"at":5,"holds":{},"version":"2b"})")
                                  << QStringLiteral("newer Lockscope");
    QTest::newRow("another server")
        << QByteArray(R"({"version":1,"of":"redis://h\u001b[31m:1 lock:*","at":1,"holds":{}})")
        << QStringLiteral("checks of redis://h\\x1b[31m:1 lock:*");
    const QString foreign = QStringLiteral("not a file of checks");
    QTest::newRow("no object") << QByteArray("[1]") << foreign;
    QTest::newRow("notes") << QByteArray("to do: all\n") << foreign;
    QTest::newRow("other JSON") << QByteArray(R"({"at":5,"name":"orders"})") << foreign;
    QTest::newRow("bytes") << QByteArray("\0\xff\x7f", 3) << foreign;
}

void TestHoldLog::whatIsNotOursIsLeftAlone()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QString, reason);
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("state.json"));
    writeFile(path, content);
    const auto refusal = [&](const QString &which) {
        HoldLogFile file(which, subject);
        const auto memory = file.open();
        return memory ? QStringLiteral("accepted") : memory.error().inEnglish();
    };
    QVERIFY2(refusal(path).contains(reason), qPrintable(refusal(path)));
    QCOMPARE(contentOf(path), content);

    const QString link = directory.filePath(QStringLiteral("link.json"));
    QVERIFY(QFile::link(path, link));
    QVERIFY(refusal(link).contains(QStringLiteral("not a regular file")));
    QVERIFY(refusal(directory.path()).contains(QStringLiteral("not a regular file")));
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::WriteOther);
    QVERIFY(refusal(path).contains(QStringLiteral("others may write")));
}

void TestHoldLog::serversHaveFilesOfTheirOwn()
{
    ServerAddress server;
    server.host = QStringLiteral("orders");
    server.user = "monitor";
    server.password = "canary-7f3d";
    const QList<QByteArray> patterns{"lock:*"};
    const QByteArray own = HoldLog::subject(server, patterns);
    QVERIFY(!own.contains("canary"));
    QSet<QString> paths{HoldLogFile({}, own).path()};
    ServerAddress other = server;
    other.database = 1;
    paths.insert(HoldLogFile({}, HoldLog::subject(other, patterns)).path());
    other.port = 6380;
    paths.insert(HoldLogFile({}, HoldLog::subject(other, patterns)).path());
    paths.insert(HoldLogFile({}, HoldLog::subject(server, {"job:*"})).path());
    QCOMPARE(paths.size(), 4);
    server.password = "another";
    QCOMPARE(HoldLog::subject(server, patterns), own);

    ServerAddress local;
    local.transport = ServerAddress::Transport::Unix;
    local.socketPath = QStringLiteral("redis.sock");
    ServerAddress absolute = local;
    absolute.socketPath = QDir::current().absoluteFilePath(local.socketPath);
    QCOMPARE(HoldLog::subject(local, patterns), HoldLog::subject(absolute, patterns));
}

void TestHoldLog::theFileIsPrivateAndWhole()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("deep/er/state.json"));
    const Lock lock = lockOf("lock:a", {"me"});
    for (int check = 1; check <= 2; ++check) {
        HoldLogFile file(path, subject);
        auto memory = file.open();
        QVERIFY(memory && !file.wasDamaged());
        memory->record({lock}, start + check, true);
        QVERIFY(file.save(*memory));
        QCOMPARE(holdOf(*memory, lock), (HoldLog::Hold{start + 1, check}));
    }
    const QFile::Permissions others =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOwner;
    QVERIFY(!(QFile::permissions(path) & others));
    QVERIFY(!(QFile::permissions(directory.filePath(QStringLiteral("deep"))) & QFile::ReadOther));
    QCOMPARE(QDir(directory.filePath(QStringLiteral("deep/er"))).entryList(QDir::Files | QDir::Hidden),
             QStringList{QStringLiteral("state.json")});
}

void TestHoldLog::checksTakeTurns()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("state.json"));
    std::optional<HoldLogFile> first(std::in_place, path, subject);
    QVERIFY(first->open());
    HoldLogFile second(path, subject);
    const auto busy = second.open();
    QVERIFY(!busy);
    QVERIFY(busy.error().inEnglish().contains(QStringLiteral("another check")));
    first.reset();
    QVERIFY(second.open());
}

QTEST_GUILESS_MAIN(TestHoldLog)
#include "tst_holdlog.moc"
