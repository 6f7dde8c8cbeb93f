// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of holds as unusual, of locks that come and go in their usual way, and of ones that stall.
#include "tests/core/alerts/watchedlocks.h"

#include <QRandomGenerator>
#include <QtTest>

#include <cmath>
#include <map>

using namespace lockscope;

namespace {

enum class Lengths { Exponential, LogNormal, Bimodal };

/// Of locks that are held again and again; by a clock of its own.
class Churn
{
public:
    Churn(Lengths lengths, milliseconds median, quint32 seed)
        : m_lengths(lengths), m_median(double(median.count())), m_random(seed)
    {
    }
    milliseconds length()
    {
        switch (m_lengths) {
        case Lengths::Exponential:
            return of(m_median * exponential() / std::log(2.0));
        case Lengths::LogNormal:
            return of(m_median * std::exp(normal()));
        case Lengths::Bimodal: // one in ten takes ten times as long
            return of(m_median * (m_random.bounded(10) == 0 ? 10 : 1) * std::exp(normal() / 4));
        }
        return {};
    }
    milliseconds gap() { return of(m_median * exponential()); }
    milliseconds longest{0};

private:
    static milliseconds of(double ms) { return milliseconds(1 + qint64(ms)); }
    double exponential() { return -std::log(1 - m_random.generateDouble()); }
    double normal() { return std::sqrt(2 * exponential()) * std::cos(2 * M_PI * m_random.generateDouble()); }

    Lengths m_lengths;
    double m_median;
    QRandomGenerator m_random;
};

} // namespace

class UnusualHoldsTest : public QObject
{
    Q_OBJECT

private slots:
    void isSaidOfStallsAndHardlyOfChurn()
    {
        FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldUnusuallyLong] = 10; }));
        std::map<QByteArray, Churn> locks;
        for (int i = 0; i < 30; ++i)
            locks.emplace("lock:" + QByteArray::number(i),
                          Churn(Lengths(i % 3), milliseconds(15 * (1 + i / 3)), quint32(i + 1)));
        // When each is acquired or released next.
        std::multimap<TimePoint, std::pair<QByteArray, milliseconds>> next;
        for (auto &[key, lock] : locks)
            next.emplace(start + lock.gap(), std::pair(key, 0ms));
        int holds = 0;
        const auto runUntil = [&](TimePoint end) {
            while (next.begin()->first < end) {
                const auto [at, what] = *next.begin();
                const auto [key, held] = what;
                next.erase(next.begin());
                Churn &lock = locks.at(key);
                watch.advance(at);
                if (held == 0ms) {
                    const milliseconds length = lock.length();
                    watch.take(changed({lockOf(key, at)}), at);
                    next.emplace(at + length, std::pair(key, length));
                } else {
                    watch.take(LockDiff{{}, {LockKey(key)}, {endOf(key, held)}}, at);
                    lock.longest = std::max(lock.longest, held);
                    ++holds;
                    next.emplace(at + lock.gap(), std::pair(key, 0ms));
                }
            }
            watch.advance(end);
        };
        TimePoint now = start + 16min;
        runUntil(now);
        const auto raised = [&] {
            return std::ranges::count_if(watch.takeChanges(), [](const AlertWatch::Change &change) {
                return change.what != AlertWatch::Change::What::Ended;
            });
        };
        const auto falseAlarms = raised();
        qInfo("%d holds, %lld alerts", holds, qint64(falseAlarms));
        QVERIFY(falseAlarms <= 3);

        // Five times as long as any before.
        milliseconds latest{0};
        for (int i = 0; i < 20; ++i) {
            const QByteArray key = "lock:" + QByteArray::number(i);
            std::erase_if(next, [&](const auto &each) { return each.second.first == key; });
            watch.take(removed(key), now);
            watch.take(changed({lockOf(key, now)}), now);
            watch.takeChanges();
            const milliseconds stall = 5 * locks.at(key).longest;
            milliseconds until{0};
            bool isTold = false;
            for (; !isTold && until < stall; until += 100ms) {
                watch.advance(now + until);
                isTold = raised() > 0;
            }
            QVERIFY2(isTold, key.constData());
            latest = std::max(latest, until);
            now += until;
            watch.take(removed(key), now);
        }
        qInfo("told after %lld ms at most", qint64(latest.count()));
        QVERIFY(latest <= 10s);
    }

private:
    static LockEvent endOf(const QByteArray &key, milliseconds held)
    {
        LockEvent event;
        event.kind = EventKind::Released;
        event.address.key = LockKey(key);
        event.held = held;
        return event;
    }
};

QTEST_APPLESS_MAIN(UnusualHoldsTest)
#include "tst_unusualholds.moc"
