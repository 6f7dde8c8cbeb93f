// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/commandcosts.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestCommandCosts : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void countsBetweenTwoTexts()
    {
        CommandCosts costs;
        costs.take("cmdstat_scan:calls=10,usec=1000,usec_per_call=100\r\n");
        costs.take("cmdstat_scan:calls=20,usec=3000,usec_per_call=150\r\n");
        QVERIFY(costs.page() && *costs.page() > 200us && *costs.page() < 300us);
        QVERIFY(!costs.read());
    }

    /// Nothing takes less than no time, whatever a peer says: a budget would let it go on and on.
    void nothingIsNegativeOrEndless_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("less than no time") << QByteArray("cmdstat_scan:calls=30,usec=-5\r\n");
        QTest::newRow("fewer than no calls") << QByteArray("cmdstat_scan:calls=-30,usec=5\r\n");
        QTest::newRow("no number") << QByteArray("cmdstat_scan:calls=30,usec=nan\r\n");
        QTest::newRow("without end") << QByteArray("cmdstat_scan:calls=1,usec=1e300\r\n");
        QTest::newRow("beyond doubles") << QByteArray("cmdstat_scan:calls=1,usec=1e400\r\n");
    }

    void nothingIsNegativeOrEndless()
    {
        QFETCH(const QByteArray, text);
        CommandCosts costs;
        costs.take(text);
        QVERIFY(!costs.page() || (*costs.page() >= 0ns && *costs.page() <= 1s));
    }
};

QTEST_GUILESS_MAIN(TestCommandCosts)
#include "tst_commandcosts.moc"
