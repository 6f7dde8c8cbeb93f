// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/roundbarrier.h"

#include <QRegularExpression>
#include <QtTest>

#include <atomic>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// Passes once, on a thread of its own.
class Passer
{
public:
    explicit Passer(RoundBarrier &gate)
        : m_thread([this, &gate](std::stop_token stop) {
              m_passed = gate.pass(std::move(stop)).has_value();
              m_hasEnded = true;
          })
    {
    }

    bool isWaiting() const { return !m_hasEnded; }
    bool hasPassed() const { return m_hasEnded && m_passed; }
    void stop()
    {
        m_thread.request_stop();
        m_thread.join();
    }

private:
    std::atomic<bool> m_passed = false;
    std::atomic<bool> m_hasEnded = false;
    std::jthread m_thread;
};

} // namespace

class TestGate : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void opensWhenAllHaveCome();
    void oneThatIsKilledMayComeBack_data();
    void oneThatIsKilledMayComeBack();
    void endsForAll();
};

void TestGate::opensWhenAllHaveCome()
{
    std::atomic<int> arrivals = 0;
    Round past;
    RoundBarrier gate(2, [&](const Round &round) {
        past = round;
        ++arrivals;
    });
    Passer first(gate);
    Passer second(gate);
    QTRY_COMPARE(arrivals.load(), 1);
    QCOMPARE(past.number, 0);
    QVERIFY(first.isWaiting() && second.isWaiting());
    gate.open(Clock::now());
    QTRY_VERIFY(first.hasPassed() && second.hasPassed());
    gate.tried(1ms, 2ms, true);
    gate.tried(3ms, 5ms, false);
    Passer third(gate);
    Passer fourth(gate);
    QTRY_COMPARE(arrivals.load(), 2);
    QCOMPARE(past.number, 1);
    QCOMPARE(past.tried, 2);
    QCOMPARE(past.winners, 1);
    QCOMPARE(past.firstTry, microseconds(1ms));
    QCOMPARE(past.lastTry, microseconds(5ms));
    gate.end();
    QTRY_VERIFY(!third.isWaiting() && !fourth.isWaiting());
}

void TestGate::oneThatIsKilledMayComeBack_data()
{
    QTest::addColumn<bool>("allHadCome");
    QTest::addColumn<bool>("backInTime");
    QTest::newRow("before all had come") << false << true;
    QTest::newRow("after all had come") << true << true;
    QTest::newRow("after all had come, back when the round is open") << true << false;
}

/// Whoever dies waiting is neither missed by the round nor counted twice.
void TestGate::oneThatIsKilledMayComeBack()
{
    QFETCH(bool, allHadCome);
    QFETCH(bool, backInTime);
    std::atomic<int> arrivals = 0;
    RoundBarrier gate(2, [&](const Round &) { ++arrivals; });
    auto dead = std::make_unique<Passer>(gate);
    QTRY_COMPARE(gate.waiting(), 1);
    std::unique_ptr<Passer> other;
    if (allHadCome) {
        other = std::make_unique<Passer>(gate);
        QTRY_COMPARE(arrivals.load(), 1);
    }
    dead->stop();
    QVERIFY(!dead->hasPassed());
    if (!allHadCome) {
        QCOMPARE(gate.waiting(), 0);
        other = std::make_unique<Passer>(gate);
        QTRY_COMPARE(gate.waiting(), 1);
        QCOMPARE(arrivals.load(), 0); // the dead one is not there
    }
    std::unique_ptr<Passer> returned;
    if (backInTime) {
        returned = std::make_unique<Passer>(gate);
        QTRY_COMPARE(gate.waiting(), 2);
        QTRY_COMPARE(arrivals.load(), 1);
    }
    QCOMPARE(arrivals.load(), 1);
    gate.open(Clock::now());
    QTRY_VERIFY(other->hasPassed());
    if (returned)
        QTRY_VERIFY(returned->hasPassed());
    // The next round begins when both are there, wherever they come from.
    Passer third(gate);
    Passer fourth(gate);
    QTRY_COMPARE(arrivals.load(), 2);
    gate.end();
    third.stop();
    fourth.stop();
    QCOMPARE(arrivals.load(), 2); // each round was announced once
}

void TestGate::endsForAll()
{
    RoundBarrier gate(3, [](const Round &) {});
    Passer first(gate);
    Passer second(gate);
    QTRY_COMPARE(gate.waiting(), 2);
    gate.end();
    QTRY_VERIFY(!first.isWaiting() && !second.isWaiting());
    QVERIFY(!first.hasPassed() && !second.hasPassed());
}

QTEST_GUILESS_MAIN(TestGate)
#include "tst_roundbarrier.moc"
