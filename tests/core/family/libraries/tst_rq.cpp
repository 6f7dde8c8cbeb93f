// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestRq : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        QCOMPARE(readAs("rq:scheduler-lock:default", "4711"), "rq certain");
        QCOMPARE(readAs("rq:scheduler-lock:default", "0123456789ab4def8123456789abcdef"), "rq certain");
        QCOMPARE(readAs("rq:scheduler-lock:default", "worker").startsWith("rq"), false);
        QCOMPARE(readAs("rq:scheduler:default", "4711"), "unknown ambiguous");
        QCOMPARE(ownerFacts("rq"_family, LockKey("k"), OwnerId("4711")).process, "4711");
        QVERIFY(isCompanion("rq:scheduler:0123456789ab4def8123456789abcdef"));
        QVERIFY(!isCompanion("rq:scheduler:orders")); // anybody's
    }

    /// Since RQ 2.10 a record of the scheduler's says where it runs.
    void asksForItsRecord()
    {
        const Companions &companions = specOf("rq"_family).companions;
        Lock lock;
        lock.family = "rq"_family;
        lock.address.key = LockKey("rq:scheduler-lock:default");
        lock.owners = {{OwnerId("4711"), {}, 1}};
        QVERIFY(!companions.mayHave(lock));
        lock.owners = {{OwnerId("0123456789ab4def8123456789abcdef"), {}, 1}};
        QVERIFY(companions.mayHave(lock));
        const CompanionQueries queries = companions.more(lock);
        QCOMPARE(queries.size(), size_t(1));
        Reply both;
        both.type = Reply::Type::Array;
        for (const char *text : {"web-1", "4711"}) {
            both.elements.emplace_back().type = Reply::Type::Text;
            both.elements.back().text = text;
        }
        PartialCompanionState reading;
        queries[0]->take(lock, reading, {&both, 1}, lock.family);
        QCOMPARE(reading.state.worker, "web-1:4711");
    }
};

QTEST_APPLESS_MAIN(TestRq)
#include "tst_rq.moc"
