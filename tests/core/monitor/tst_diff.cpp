// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/diff.h"

#include "core/family/recognize.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(1000h);

/// A reading "owner:count … ttl@time" (ms; ttl "-" for none) of a lock, asked 5 ms before it was heard; empty: absent.
std::optional<Lock> reading(const QByteArray &text)
{
    if (text.isEmpty())
        return std::nullopt;
    Lock lock;
    lock.family = "reentrant"_family;
    for (const QByteArray &word : text.split(' ')) {
        const qsizetype at = word.indexOf('@');
        if (at < 0) {
            const QByteArray count = word.split(':').last();
            lock.owners.append({OwnerId(word.split(':').first()), count, parseCount(count)});
            continue;
        }
        lock.readAt = start + milliseconds(word.sliced(at + 1).toInt());
        if (word.startsWith('-'))
            continue;
        lock.ttl = milliseconds(word.first(at).toLongLong());
        lock.deadline = Deadline::fromPttl(*lock.ttl, lock.readAt - 5ms, lock.readAt);
    }
    return lock;
}

QByteArray picture(const QList<LockChange> &changes)
{
    static const char *const names[] = {"found",         "acquired",    "reentered", "unwound",
                                        "renewed",       "shortened",   "released",  "expired",
                                        "owner-changed", "expiry-lost", "vanished"};
    QByteArrayList words;
    for (const auto &[kind, holder] : changes)
        words += names[int(kind)] + (holder ? ':' + holder->owner.bytes : QByteArray());
    return words.join(' ');
}

} // namespace

class TestDiff : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void tellsWhatHappened_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<bool>("watching");
        QTest::addColumn<int>("now");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *before, const char *after, const char *expected,
                            bool watching = true, int now = 100) {
            QTest::newRow(name) << QByteArray(before) << QByteArray(after) << watching << now
                                << QByteArray(expected);
        };
        row("nothing there", "", "", "");
        row("new while watching", "", "a:1 1000@0", "acquired");
        row("new at first look", "", "a:1 1000@0", "found", false);
        row("time passes", "a:1 1000@0", "a:1 900@100", "");
        row("time passes, slow reply", "a:1 1000@0", "a:1 904@100", "");
        row("renewed", "a:1 1000@0", "a:1 1000@100", "renewed");
        row("renewed by little", "a:1 1000@0", "a:1 915@100", "renewed");
        row("shortened", "a:1 1000@0", "a:1 500@100", "shortened");
        row("given an expiry", "a:1 -@0", "a:1 500@100", "shortened");
        row("expiry lost", "a:1 1000@0", "a:1 -@100", "expiry-lost");
        row("no expiry, no change", "a:1 -@0", "a:1 -@100", "");
        row("reentered", "a:1 1000@0", "a:2 900@100", "reentered:a");
        row("reentered, lease anew", "a:1 1000@0", "a:2 1000@100", "reentered:a renewed");
        row("unwound", "a:3 1000@0", "a:1 900@100", "unwound:a");
        row("a count that is none any more", "a:2 1000@0", "a:abc 900@100", "");
        row("a count that is one again", "a:abc 1000@0", "a:2 900@100", "");
        row("no count, renewed", "a:2 1000@0", "a:abc 1000@100", "renewed");
        row("another owner", "a:1 1000@0", "b:1 1000@100", "owner-changed");
        row("one owner more", "a:1 1000@0", "a:1 b:1 900@100", "acquired:b");
        row("one owner less", "a:1 b:1 1000@0", "a:1 900@100", "released:b");
        row("one for another, and one stays", "a:1 b:1 1000@0", "b:1 c:1 900@100", "released:a acquired:c");
        row("one of several reentered", "a:1 b:1 1000@0", "a:1 b:2 900@100", "reentered:b");
        row("both at once", "a:1 b:2 1000@0", "a:2 b:1 900@100", "reentered:a unwound:b");
        row("in another order", "a:1 b:1 1000@0", "b:1 a:1 900@100", "");
        row("nobody stays", "a:1 b:1 1000@0", "c:1 d:1 900@100", "owner-changed");
        row("released", "a:1 1000@0", "", "released", true, 500);
        row("expired", "a:1 1000@0", "", "expired", true, 1000);
        row("expired, heard just before the latest end", "a:1 1000@0", "", "expired", true, 996);
        row("gone without expiry", "a:1 -@0", "", "released");
        row("gone across a gap", "a:1 1000@0", "", "vanished", false);
        row("a clock slewed for a minute is no renewal", "a:1 600000@0", "a:1 540029@60000", "", true, 60000);
    }

    void tellsWhatHappened()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(bool, watching);
        QFETCH(int, now);
        QFETCH(QByteArray, expected);
        QCOMPARE(picture(diffEvents(reading(before), reading(after), watching, start + milliseconds(now))),
                 expected);
    }

    /// Of a lease that is longer than a clock of nanoseconds can tell, next to nothing was left.
    void aRenewalByThousandsOfYears()
    {
        const WatchedLock before = watch(nullptr, *reading("a:1 1000@0"), {EventKind::Acquired});
        const WatchedLock after = watch(&before, *reading("a:1 900000000000000@100"), {EventKind::Renewed});
        QCOMPARE(after.renewals, 1);
        QCOMPARE(int(after.minRenewalShare), 1);
    }

    void carriesOnWhatWasLearned()
    {
        const WatchedLock first = watch(nullptr, *reading("a:1 1000@0"), {EventKind::Acquired});
        QVERIFY(first.hasSeenAcquisition);
        QCOMPARE(first.maxObservedTtl, 1000ms);
        const WatchedLock second = watch(&first, *reading("a:1 3000@500"), {EventKind::Renewed});
        QCOMPARE(second.heldSince, start);
        QCOMPARE(second.renewals, 1);
        QCOMPARE(second.lastRenewal, start + 500ms);
        QCOMPARE(second.maxObservedTtl, 3000ms);
        const WatchedLock deeper =
            watch(&second, *reading("a:2 3000@600"), {EventKind::Reentered, EventKind::Renewed});
        QCOMPARE(deeper.renewals, 1); // a re-entry sets the lease anew, and nobody renews
        QCOMPARE(deeper.minRenewalShare, second.minRenewalShare);
        const WatchedLock third = watch(&second, *reading("b:1 700@900"), {EventKind::OwnerChanged});
        QCOMPARE(third.heldSince, start + 900ms);
        QCOMPARE(third.renewals, 0);
        QCOMPARE(third.maxObservedTtl, 700ms);
        QVERIFY(!watch(nullptr, *reading("a:1 1000@0"), {EventKind::Found}).hasSeenAcquisition);
        // Who stayed has held it for longer than since the other came.
        const auto joined = *reading("a:1 b:1 900@500");
        const WatchedLock both = watch(&first, joined, {{EventKind::Acquired, joined.owners[1]}});
        QCOMPARE(both.heldSince, start + 500ms);
        QVERIFY(!both.hasSeenAcquisition);
    }
};

QTEST_GUILESS_MAIN(TestDiff)
#include "tst_diff.moc"
