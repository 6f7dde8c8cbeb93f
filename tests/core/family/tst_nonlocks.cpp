// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands of keys that are no locks: none is certain, none is an alarm, and what is plainly a document is hidden. And
// home-made locks, of which none is.
#include "core/family/registry.h"
#include "tests/support/nonlocks.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/state/lockstate.h"

#include <QtTest>

using namespace lockscope;

namespace {

constexpr qint64 now = 1'795'300'000'123;
constexpr int fewestKeys = 2000;
constexpr int fewestKinds = 40;
constexpr int rounds = 50;

/// LOCKSCOPE_SEED draws others.
quint32 seed()
{
    bool isSet = false;
    const int asked = qEnvironmentVariableIntValue("LOCKSCOPE_SEED", &isSet);
    return isSet ? static_cast<quint32>(asked) : std::random_device()();
}

QByteArray picture(const SampleKey &sample, const Lock &lock)
{
    const QByteArray value = std::holds_alternative<StringContent>(sample.content)
                                 ? std::get<StringContent>(sample.content).value.left(80)
                                 : QByteArray("(no string)");
    return sample.kind + ": " + sample.key.bytes + " = " + value + " is " + certaintyName(certaintyOf(lock)) +
           ' ' + specOf(lock.family).name + ", problems " + QByteArray::number(int(lock.problems)) +
           (sample.ttl ? ", leased" : ", endless");
}

SampleKey sampleOf(const QByteArray &key, const KeyContent &content, CompactOptional<milliseconds> ttl)
{
    return {{}, LockKey(key), content, ttl, false, {}};
}

} // namespace

class TestNonLocks : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void noneIsCertainNorAnAlarm()
    {
        const quint32 drawn = seed();
        qInfo("seed %u", drawn);
        NonLocks source(drawn, now);
        const int keys = NonLocks::kinds() * rounds;
        QVERIFY(keys >= fewestKeys && NonLocks::kinds() >= fewestKinds);

        for (int i = 0; i < keys; ++i) {
            const SampleKey sample = source.next();
            const Lock lock = lockFrom(sample, now);
            const QByteArray what = picture(sample, lock);
            QVERIFY2(certaintyOf(lock) != Certainty::Certain, what.constData());
            QVERIFY2(!isHidden(lock) || !(lock.problems & ~Problems(Problem::WrongType)), what.constData());
            QVERIFY2(isHidden(lock) || !lock.problems, what.constData());
            QVERIFY2(!sample.isDocument || isNoLock(lock) || mayBeRandomBytes(sample), what.constData());
            QVERIFY2(isHidden(lock) || !isPossible(lock) || namesALock(sample.key.bytes) || sample.ttl,
                     what.constData());
        }
    }

    void homeMadeLocksAreShown()
    {
        const QList<SampleKey> locks = homeMadeLocks(now);
        QVERIFY(locks.size() >= 15);
        for (const SampleKey &sample : locks) {
            const Lock lock = lockFrom(sample, now);
            const QByteArray what = picture(sample, lock);
            QVERIFY2(!isHidden(lock), what.constData());
            QVERIFY2(certaintyOf(lock) == Certainty::Ambiguous, what.constData());
        }
    }

    /// What a crashed SETNX leaves behind, whatever its token looks like. A checksum looks the same: it is no problem.
    void aTokenWithoutAnEndIsOpen_data()
    {
        QTest::addColumn<QByteArray>("token");
        for (const char *token :
             {"id-1", "abcdef", "host1:4242", "order-service-3", "10.0.0.5:8080", "pool-1-thread-3", "true",
              "1", "locked", "1763900000", "worker-7", "550e8400-e29b-41d4-a716-446655440000", "42", "me",
              "deadbeefdeadbeefdeadbeefdeadbeef", "{\"owner\":\"a\"}", "{\"uid\":1}",
              "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "CY9rzUYh03PK3k6DJie09g=="})
            QTest::newRow(token) << QByteArray(token);
    }
    void aTokenWithoutAnEndIsOpen()
    {
        QFETCH(const QByteArray, token);
        const Lock lock = lockFrom(sampleOf("lock:a", StringContent{token, true}, {}), now);
        QVERIFY(!isHidden(lock));
        QVERIFY(noExpiryOf(lock) == NoExpiry::Open);
        QVERIFY(!lock.problems);
    }

    void aHashWithoutAnEnd()
    {
        const QByteArray redissons = "550e8400-e29b-41d4-a716-446655440000:42";
        const auto lockOf = [](const QByteArray &field, const QByteArray &value) {
            return lockFrom(sampleOf("lock:a", HashContent{{{field, value}}, true}, {}), now);
        };
        QVERIFY(noExpiryOf(lockOf(redissons, "1")) == NoExpiry::Open); // it may be a count of visits
        QVERIFY(noExpiryOf(lockOf("alice", "1")) == NoExpiry::Open);
        QVERIFY(isPossible(lockOf("index", "42"))); // which numbers something, and counts no holds
        QVERIFY(noExpiryOf(lockOf("index", "42")) == NoExpiry::Open);
    }

    /// Who says when it was acquired, and that was long ago, has left it behind.
    void aRecordThatIsOldIsAProblem()
    {
        const auto problem = [](const QByteArray &since) {
            const HashContent hash{{{"owner", "web-1"}, {"locked_at", since}}, true};
            const QByteArray json = "{\"owner\":\"web-1\",\"acquired_at\":\"" + since + "\"}";
            const bool isOne = noExpiryOf(lockFrom(sampleOf("lock:a", hash, {}), now)) == NoExpiry::Problem;
            return isOne == (noExpiryOf(lockFrom(sampleOf("lock:a", StringContent{json, true}, {}), now)) ==
                             NoExpiry::Problem) &&
                   isOne;
        };
        QVERIFY(problem("1763900000") && problem("1763900000000") && problem("2025-11-21T20:13:35Z"));
        QVERIFY(!problem(QByteArray::number(now - 60'000)) && !problem("yesterday"));
    }

    void unknownContentUnderALocksNameIsPossible()
    {
        const auto possible = [](const QByteArray &key, const KeyContent &content, int ttlMs) {
            const auto ttl = ttlMs > 0 ? CompactOptional<milliseconds>(milliseconds(ttlMs))
                                       : CompactOptional<milliseconds>();
            return isPossible(lockFrom(sampleOf(key, content, ttl), now));
        };
        const HashContent record{{{"xid", "10.0.0.1:8091:7"}, {"branchId", "7"}}, true};
        QVERIFY(possible("lock:a", record, 0) && possible("lock:a", record, 1000));
        QVERIFY(possible("cache:lock", StringContent{{}, true}, 0));
        QVERIFY(possible("lock:a", StringContent{"{\"uid\":1}", true}, 0));
        QVERIFY(possible("lock:a", StringContent{"0", true}, 1000) &&
                !possible("lock:a", StringContent{"0", true}, 0)); // which says that it is free
        QVERIFY(!possible("user:a", record, 0));
        QVERIFY(!possible("package-lock.json", record, 0));
    }

    /// The published recipe of a lock stores 20 of them.
    void randomBytesAreAToken()
    {
        const QByteArray bytes = QByteArray::fromHex("8f0c17e2a4b95d31f6c8027be1933a5d44f0ce19");
        const auto lockOf = [&](const QByteArray &value) {
            return lockFrom(sampleOf("lock:a", StringContent{value, true}, milliseconds(1000)), now);
        };
        QVERIFY(lockOf(bytes).family == plainToken());
        QCOMPARE(ownerIdText(lockOf(bytes).owners.first().owner.bytes), QString::fromLatin1(bytes.toHex()));
        QVERIFY(isPossible(lockOf("\x1f\x8b" + bytes)));   // what was compressed
        QVERIFY(isPossible(lockOf(QByteArray(20, '\0')))); // a bitmap
    }
};

QTEST_GUILESS_MAIN(TestNonLocks)
#include "tst_nonlocks.moc"
