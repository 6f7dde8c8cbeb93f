// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quorummerge.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint now = TimePoint(24h);

/// "a9" is held by a for 9 s more, "a" for ever, "?a9" the same as read before the server was lost, "-" nothing, "?" unknown,
/// "!" a value without an owner.
struct Member
{
    explicit Member(const QByteArray &text)
    {
        QByteArray rest = text;
        isKnown = !rest.startsWith('?');
        if (!isKnown)
            rest.remove(0, 1);
        if (rest.isEmpty() || rest == "-")
            return;
        lock.emplace();
        lock->lock.address.key = LockKey("lock:x");
        if (rest != "!")
            lock->lock.owners = {{OwnerId(rest.left(1)), {}, 1}};
        if (rest.size() > 1) {
            const milliseconds ttl(rest.mid(1).toInt() * 1000);
            lock->lock.ttl = ttl;
            lock->lock.deadline = Deadline::fromPttl(ttl, now, now);
        }
    }
    std::optional<WatchedLock> lock;
    bool isKnown = true;
};

} // namespace

class TestQuorumMerge : public QObject
{
    Q_OBJECT

private slots:
    void oneLockOfSeveral_data();
    void oneLockOfSeveral();
    void whoHadItStaysWhereTheyAreEven();
    void whatMayNotBeReadIsUnknown();
    void driftIsThePublishedOne();
};

void TestQuorumMerge::oneLockOfSeveral_data()
{
    QTest::addColumn<QByteArray>("servers");
    QTest::addColumn<QByteArray>("expected"); // owner, seconds left or "for ever", agreeing/unknown, verdict
    const auto row = [](const char *servers, const char *expected) {
        QTest::newRow(servers) << QByteArray(servers) << QByteArray(expected);
    };
    // The second to end ends the majority of three.
    row("a9 a8 a7", "a 8 3/0 held");
    row("a7 a9 -", "a 7 2/0 held");
    row("a9 a8 ?", "a 8 2/1 held");
    row("a9 - -", "a 9 1/0 lost");
    row("a9 - ?", "a 9 1/1 open");
    row("a9 ? ?", "a 9 1/2 open");
    row("a9 ?a8 ?", "a 9 1/2 open");
    row("a9 a8 b7", "a 8 2/0 held differ");
    row("a5 b9 -", "a 5 1/0 lost differ");
    row("b5 a9 a8", "a 8 2/0 held differ");
    row("a5 b9 c7", "a 5 1/0 lost differ");
    row("?a9 - -", "a 9 0/1 lost");
    row("?a9 ?a8 -", "a 9 0/2 open");
    row("! a9 a8", "a 8 2/0 held");
    row("! ! a9", "a 9 1/0 lost");
    row("! - -", " ever 0/0 lost");
    row("a a9 a8", "a 9 3/0 held");
    row("a a -", "a ever 2/0 held");
    row("a a9 -", "a 9 2/0 held");
    row("a9 a8", "a 8 2/0 held");
    row("a9 -", "a 9 1/0 lost");
    row("a9 a8 a7 a6 a5", "a 7 5/0 held");
    row("a9 a8 - b6 ?", "a 9 2/1 open differ");
    row("a9 a8 - - b5", "a 9 2/0 lost differ");
    row("a9 a8 a7 - -", "a 7 3/0 held");
    row("- - -", "nothing");
    row("? ? -", "nothing");
}

void TestQuorumMerge::oneLockOfSeveral()
{
    QFETCH(const QByteArray, servers);
    QFETCH(const QByteArray, expected);
    std::vector<Member> members;
    for (const QByteArray &text : servers.split(' '))
        members.emplace_back(text);
    std::vector<MemberLock> locks;
    for (const Member &member : members)
        locks.push_back({member.isKnown, member.lock ? &*member.lock : nullptr});
    const std::optional<WatchedLock> merged = mergeMembers(locks);
    if (!merged) {
        QCOMPARE(QByteArray("nothing"), expected);
        return;
    }
    const Quorum &quorum = *merged->lock.quorum;
    const QByteArray owner = merged->lock.owners.isEmpty() ? "" : merged->lock.owners.first().owner.bytes;
    const QByteArray left =
        merged->lock.deadline ? QByteArray::number(merged->lock.deadline->remaining(now) / 1s) : "ever";
    QByteArray text = owner + ' ' + left + ' ' + QByteArray::number(quorum.agreeing) + '/' +
                      QByteArray::number(quorum.unknown) +
                      (quorum.isHeld     ? " held"
                       : quorum.isLost() ? " lost"
                                         : " open");
    if (quorum.areOwnersDifferent)
        text += " differ";
    QCOMPARE(text, expected);
    QVERIFY(!(quorum.isHeld && quorum.isLost()));
    QCOMPARE(quorum.members.size(), qsizetype(members.size()));
}

/// Else a lock that nobody has a majority of would change its owner with every reading.
void TestQuorumMerge::whoHadItStaysWhereTheyAreEven()
{
    const Member a("a5");
    const Member b("b9");
    const std::vector<MemberLock> even{{true, &*a.lock}, {true, &*b.lock}, {true, nullptr}};
    QCOMPARE(mergeMembers(even)->lock.owners, a.lock->lock.owners);
    QCOMPARE(mergeMembers(even, b.lock->lock.owners)->lock.owners, b.lock->lock.owners);
    // But not where another has more.
    const std::vector<MemberLock> uneven{{true, &*a.lock}, {true, &*b.lock}, {true, &*a.lock}};
    QCOMPARE(mergeMembers(uneven, b.lock->lock.owners)->lock.owners, a.lock->lock.owners);
}

void TestQuorumMerge::whatMayNotBeReadIsUnknown()
{
    const Member a("a9");
    Member forbidden("a9");
    forbidden.lock->setProblem(Problem::Unreadable, true);
    const std::vector<MemberLock> members{{true, &*a.lock}, {true, &*forbidden.lock}, {true, nullptr}};
    const auto merged = mergeMembers(members);
    QCOMPARE(merged->lock.quorum->agreeing, 1);
    QCOMPARE(merged->lock.quorum->unknown, 1);
    QVERIFY(!merged->lock.quorum->isHeld);
}

void TestQuorumMerge::driftIsThePublishedOne()
{
    QCOMPARE(Quorum::drift(10s), 102ms);
    QCOMPARE(Quorum::majorityOf(2), 2);
    QCOMPARE(Quorum::majorityOf(3), 2);
    QCOMPARE(Quorum::majorityOf(4), 3);
    QCOMPARE(Quorum::majorityOf(5), 3);
}

QTEST_GUILESS_MAIN(TestQuorumMerge)
#include "tst_quorummerge.moc"
