// SPDX-License-Identifier: GPL-3.0-or-later
// Renewals as they are learned, and those that do not come.
#include "core/family/renewalhealth.h"

#include "core/monitor/diff.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);

/// One lock as it is read time and again.
class Story
{
public:
    explicit Story(Family family) : m_family(family) {}

    /// A reading: at that time, so much is left.
    void read(milliseconds at, milliseconds left, const char *owner = "anna")
    {
        Lock lock;
        lock.family = m_family;
        lock.type = m_family == "token"_family ? KeyType::String : KeyType::Hash;
        lock.owners = {{OwnerId(owner), "1", 1}};
        lock.ttl = left;
        lock.readAt = start + at;
        lock.deadline = Deadline::fromPttl(left, start + at - 1ms, start + at);
        const std::optional<Lock> before = m_watched ? std::optional(m_watched->lock) : std::nullopt;
        const auto events = diffEvents(before, lock, true, lock.readAt);
        m_watched = watch(m_watched ? &*m_watched : nullptr, lock, events);
    }
    bool isOverdueAt(milliseconds at) const { return isRenewalOverdue(*m_watched, start + at); }
    const WatchedLock &watched() const { return *m_watched; }

private:
    Family m_family;
    std::optional<WatchedLock> m_watched;
};

} // namespace

class TestOverdue : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Redisson's watchdog: 30 s, renewed when 20 s are left.
    void watchdog()
    {
        Story story("redisson"_family);
        story.read(0s, 30s);
        QCOMPARE(story.watched().minRenewalShare, 0);
        QVERIFY(!story.isOverdueAt(10s));
        story.read(10s, 30s);
        QVERIFY(story.watched().minRenewalShare >= 168 && story.watched().minRenewalShare <= 170);
        QVERIFY(!story.isOverdueAt(20s));
        QVERIFY(!story.isOverdueAt(21s)); // a little late
        QVERIFY(story.isOverdueAt(22s));
        story.read(22s, 30s); // it has come after all: it may be as late again
        QVERIFY(story.watched().minRenewalShare < 155);
        QVERIFY(!story.isOverdueAt(33s));
    }
    /// A dead holder, or a fixed lease of the watchdog's own length: its shape says so, without a renewal seen.
    void neverRenewed()
    {
        Story story("redisson-fair"_family);
        story.read(0s, 29'990ms);
        QVERIFY(!story.isOverdueAt(11s));
        QVERIFY(story.isOverdueAt(12s));
    }
    /// One holder after the other writes the same word: new leases, and nobody who renews.
    void aWordThatAllWriteHasNoRhythm()
    {
        for (const char *word : {"1", "processing", "4711", "\"locked\""}) {
            Story story("token"_family);
            for (int turn = 0; turn < 5; ++turn)
                story.read(turn * 10s, 30s, word);
            QCOMPARE(story.watched().renewals, 4);
            QCOMPARE(story.watched().minRenewalShare, 0);
            QVERIFY(!story.watched().lock.evidence.has(Evidence::Renewals));
            QVERIFY(!story.isOverdueAt(69s));
            QCOMPARE(overdueAfter(story.watched()), TimePoint::max());
        }
        Story drawn("token"_family);
        for (int turn = 0; turn < 5; ++turn)
            drawn.read(turn * 10s, 30s, "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b");
        QVERIFY(drawn.watched().lock.evidence.has(Evidence::Renewals));
        QVERIFY(drawn.isOverdueAt(69s));
    }

    void neverAccusedWithoutReason()
    {
        Story fixed("redisson"_family); // a lease of its own
        fixed.read(0s, 10s);
        QVERIFY(!fixed.isOverdueAt(9s));
        Story late("redisson"_family); // who comes late does not know the lease
        late.read(0s, 15s);
        QVERIFY(!late.isOverdueAt(14s));
        Story token("redis-py"_family);
        token.read(0s, 30s);
        QVERIFY(!token.isOverdueAt(29s));
        Story endless("redisson"_family);
        endless.read(0s, 30s);
        WatchedLock without = endless.watched();
        without.lock.deadline = {};
        QVERIFY(!isRenewalOverdue(without, start + 60s));
    }
    /// Bull renews at half.
    void ofOtherFamilies()
    {
        Story story("bullmq"_family);
        story.read(0s, 30s);
        QVERIFY(!story.isOverdueAt(29s));
        story.read(15s, 30s);
        QVERIFY(!story.isOverdueAt(31s));
        QVERIFY(story.isOverdueAt(32s));
    }
    /// Once may be chance where nothing renews by itself.
    void extendedByHand()
    {
        Story story("redis-py"_family);
        story.read(0s, 30s);
        story.read(10s, 30s);
        story.read(20s, 30s);
        QVERIFY(!story.isOverdueAt(45s));
        story.read(30s, 30s);
        QVERIFY(!story.isOverdueAt(41s));
        QVERIFY(story.isOverdueAt(42s));
    }
    /// What was learned of a key is kept for its next owner, who has to renew once before it counts.
    void nextOwner()
    {
        Story story("bullmq"_family);
        story.read(0s, 30s);
        story.read(15s, 30s);
        const quint8 learned = story.watched().minRenewalShare;
        story.read(20s, 30s, "bert");
        QCOMPARE(story.watched().renewals, 0);
        QCOMPARE(story.watched().minRenewalShare, learned);
        QVERIFY(!story.isOverdueAt(49s));
        story.read(30s, 30s, "bert"); // sooner than it needs to
        QCOMPARE(story.watched().minRenewalShare, learned);
        QVERIFY(!story.isOverdueAt(46s));
        QVERIFY(story.isOverdueAt(47s));
    }
    /// Readings that lie far apart may have missed some: what can't be told is not learned.
    void missedRenewals()
    {
        Story story("redisson"_family);
        story.read(0s, 30s);
        story.read(40s, 30s);
        QCOMPARE(story.watched().renewals, 1);
        QCOMPARE(story.watched().minRenewalShare, 0);
    }
};

QTEST_APPLESS_MAIN(TestOverdue)
#include "tst_renewalhealth.moc"
