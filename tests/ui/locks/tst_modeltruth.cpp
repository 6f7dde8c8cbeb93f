// SPDX-License-Identifier: GPL-3.0-or-later
// After changes of every kind the window's table holds what another client reads from the server, key by key.
#include "core/table/locktablemodel.h"

#include "core/monitor/lockmonitor.h"
#include "tests/support/lockwriter.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/truth.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestModelTruth : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void holdsWhatTheServerHas()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        const RedisServer server;
        const DisplayClock clock;
        LockTableModel model(clock);
        model.setShowsHidden(true);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Connection connection(server.socketAddress());
        LockMonitor monitor(connection, {.share = 0.2});
        TimePoint sweptSince;
        onTold<LockDiff>(monitor, &model, [&model](const LockDiff &diff) { model.apply(diff); });
        onTold<ScanStats>(monitor, this, [&sweptSince](const ScanStats &stats) {
            sweptSince = stats.finishedAt - stats.wallTime;
        });
        monitor.start();
        connection.open();
        LockWriter writer({.server = server.socketAddress(),
                           .seed = seed,
                           .locks = 300,
                           .perSecond = 2000,
                           .upheaval = 500ms});
        for (int i = 0; i < 4; ++i) {
            QTest::qWait(400);
            model.sort(i % model.columnCount(), i % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        }
        writer.stop();
        QVERIFY2(writer.failure().isEmpty(), writer.failure().constData());
        const TimePoint stopped = Clock::now();
        QTRY_VERIFY_WITH_TIMEOUT(sweptSince >= stopped, 20'000);

        QHash<QByteArray, Lock> held;
        for (int row = 0; row < model.rowCount(); ++row)
            held.insert(model.at(row).key().bytes, model.at(row).lock);
        QCOMPARE(held.size(), model.total()); // each lock in one row
        QVERIFY(!held.isEmpty());
        const QByteArrayList differences =
            differencesFromTruth(server.socketAddress(), MonitorOptions().patterns, held);
        QVERIFY2(differences.isEmpty(), differences.mid(0, 10).join('\n').constData());
    }
};

QTEST_MAIN(TestModelTruth)
#include "tst_modeltruth.moc"
