// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/familyreading.h"

using namespace lockscope;

class TestNodeResque : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isRecognized()
    {
        const QByteArray end = QByteArray::number(readAt / 1000 + 31);
        QCOMPARE(readAs("resque:resque_scheduler_leader_lock", "web-1:4711"), "node-resque-leader certain");
        QCOMPARE(readAs("resque:workerslock:add:math:[1,2]", end), "node-resque likely");
        QCOMPARE(readAs("jobs:workerslock:add:math:[1,2]", end), "node-resque likely");
        QCOMPARE(readAs("resque:lock:add:math:[1,2]", end), "node-resque likely");
        QCOMPARE(readAs("jobs:lock:add:math:[1,2]", end), "token ambiguous: node-resque");
        QCOMPARE(readAs("resque:lock:add:math:[1,2]", end, endless), "token ambiguous: node-resque");
        QCOMPARE(readAs("resque:lock:add:math:[1,2]", "1295319763"), "token ambiguous: node-resque");
        QCOMPARE(readAs("resque:resque_scheduler_leader_lock", "web-1").contains("node-resque-leader"),
                 false);
        const OwnerFacts facts = ownerFacts("node-resque-leader"_family, LockKey("k"), OwnerId("web-1:4711"));
        QCOMPARE(facts.host, "web-1");
        QCOMPARE(facts.process, "4711");
        QCOMPARE(specOf("node-resque"_family).acquire, AcquireSupport::NoScript);
    }
};

QTEST_APPLESS_MAIN(TestNodeResque)
#include "tst_node_resque.moc"
