// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands of keys that are no locks: none is certain, none is an alarm, and what is plainly a document is hidden. And
// home-made locks, of which none is.
#include "core/family/registry.h"
#include "tests/support/nonlocks.h"

#include "core/family/certainty.h"

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
            QVERIFY2(!sample.isDocument || isHidden(lock), what.constData());
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

    /// What a crashed SETNX leaves behind is a fault, though nobody knows whose it is.
    void aTokenWithoutAnEndIsAnAlarm()
    {
        for (const SampleKey &sample : homeMadeLocks(now)) {
            if (sample.kind == "uuid without an end")
                QVERIFY(lockFrom(sample, now).problems & Problem::NoExpiry);
        }
    }
};

QTEST_GUILESS_MAIN(TestNonLocks)
#include "tst_nonlocks.moc"
