// SPDX-License-Identifier: GPL-3.0-or-later
// Servers whose keyspace has no end: what the monitor asks of them, holds of them and says.
#include "core/monitor/contentsearch.h"
#include "tests/support/fakepeer.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray bulk(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

QByteArray page(const QByteArray &cursor, const QByteArrayList &names = {})
{
    QByteArray reply = "*2\r\n" + bulk(cursor) + '*' + QByteArray::number(names.size()) + "\r\n";
    for (const QByteArray &name : names)
        reply += bulk(name);
    return reply;
}

/// Each page has another cursor, and `names` new locks.
class EndlessPeer : public FakePeer
{
public:
    explicit EndlessPeer(int names) : m_names(names)
    {
        on("PTTL", ":-1\r\n");
        on("HSCAN", "-WRONGTYPE x\r\n");
        on("GETRANGE", "$1\r\nt\r\n");
        connect(this, &FakePeer::received, this, [this](const QByteArrayList &command) {
            if (command.first() == "SCAN")
                addPage();
        });
        addPage();
    }

    int scans() const { return m_pages - 1; }

private:
    void addPage()
    {
        QByteArrayList names;
        for (int i = 0; i < m_names; ++i)
            names << "lock:" + QByteArray::number(m_pages) + ':' + QByteArray::number(i);
        once("SCAN", page(QByteArray::number(++m_pages), names));
    }

    int m_names;
    int m_pages = 0;
};

Error trouble(const Watcher &watcher)
{
    return watcher.errorOccurred.isEmpty() ? Error() : watcher.errorOccurred.last();
}

} // namespace

class TestHostileScan : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aCursorThatLeadsNowhere_data()
    {
        QTest::addColumn<QByteArray>("cursor");
        QTest::newRow("the same for ever") << QByteArray("7");
        QTest::newRow("a word") << QByteArray("abc");
        QTest::newRow("a negative number") << QByteArray("-1");
    }
    void aCursorThatLeadsNowhere()
    {
        QFETCH(QByteArray, cursor);
        FakePeer peer;
        peer.on("SCAN", page(cursor, {"lock:a"}));
        peer.on("PTTL", ":-1\r\n");
        peer.on("HSCAN", "-WRONGTYPE x\r\n");
        peer.on("GETRANGE", "$1\r\nt\r\n");
        Watcher watcher(peer.address(), {.rereadInterval = 20ms, .scanInterval = 20ms, .listens = false});
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(trouble(watcher).kind, ErrorKind::EndlessScan);
        QCOMPARE(watcher.scanFinished.size(), 0);
        // It is tried again, and rested from.
        QTRY_COMPARE_WITH_TIMEOUT(watcher.errorOccurred.size(), 3, 30'000);
        QVERIFY(peer.commands("SCAN").size() <= 3 * 3);
        // A user who asks for it does not wait.
        watcher.monitor.scanNow();
        QTRY_COMPARE_WITH_TIMEOUT(watcher.errorOccurred.size(), 4, 1500);
        // And what is mended is found out.
        peer.on("SCAN", page("0", {"lock:a"}));
        watcher.monitor.scanNow();
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        QVERIFY(watcher.locks.contains("lock:a"));
    }

    /// Whatever the server says of its costs, it is not asked more often than pages can be had for the share.
    void theBudgetHolds_data()
    {
        QTest::addColumn<QByteArray>("info");
        QTest::newRow("nothing") << QByteArray("# Commandstats\r\n");
        QTest::newRow("forbidden") << QByteArray();
        QTest::newRow("zeros") << QByteArray("cmdstat_scan:calls=%1,usec=0,usec_per_call=0.00\r\n"
                                             "cmdstat_pttl:calls=%1,usec=0,usec_per_call=0.00\r\n");
    }
    void theBudgetHolds()
    {
        QFETCH(QByteArray, info);
        EndlessPeer peer(0);
        const auto answerInfo = [&] {
            const QByteArray text =
                QByteArray(info).replace("%1", QByteArray::number(1000 + 1000 * peer.scans()));
            for (const char *question : {"INFO server stats", "INFO all"}) // by the version that it tells
                peer.on(question, info.isEmpty() ? QByteArray("-NOPERM x\r\n") : bulk(text));
        };
        answerInfo();
        connect(&peer, &FakePeer::received, this, [&](const QByteArrayList &command) {
            if (command.first() == "INFO")
                answerInfo();
        });
        MonitorOptions options{.firstScanShare = 0.05, .listens = false};
        Watcher watcher(peer.address(), options);
        QTRY_VERIFY_WITH_TIMEOUT(peer.scans() > 0, 30'000);
        const TimePoint begun = Clock::now();
        QTRY_VERIFY_WITH_TIMEOUT(peer.scans() > 1500, 60'000);
        // A page is 100 us at least, at 5 % of a core; 500 of them come at a stretch.
        const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
        QVERIFY2(took >= 1500ms, QByteArray::number(qint64(took.count())).constData());
    }

    void namesWithoutEnd()
    {
        EndlessPeer peer(20);
        MonitorOptions options{.firstScanShare = 1, .listens = false};
        options.maxLocks = 100;
        Watcher watcher(peer.address(), options);
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(trouble(watcher).kind, ErrorKind::TooManyLocks);
        QVERIFY(trouble(watcher).text().contains("100"));
        QCOMPARE(watcher.locks.size(), 100);
        QCOMPARE(watcher.scanFinished.size(), 0);
        const int scans = peer.scans();
        QVERIFY(scans <= 10);
        QTest::qWait(300);
        QCOMPARE(peer.scans(), scans); // it rests
    }

    void longNamesWithoutEnd()
    {
        FakePeer peer;
        QByteArrayList names;
        for (char c = 'a'; c <= 'z'; ++c)
            names << "lock:" + QByteArray(1000, c);
        peer.on("SCAN", page("0", names));
        peer.on("PTTL", ":-1\r\n");
        peer.on("HSCAN", "-WRONGTYPE x\r\n");
        peer.on("GETRANGE", "$1\r\nt\r\n");
        MonitorOptions options{.listens = false};
        options.maxBytes = 10'000;
        Watcher watcher(peer.address(), options);
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(trouble(watcher).kind, ErrorKind::TooManyLocks);
        QCOMPARE(watcher.locks.size(), 10);
    }

    void moreNamesThanKeys()
    {
        EndlessPeer peer(1000);
        peer.on("DBSIZE", ":12\r\n");
        Watcher watcher(peer.address(), {.patterns = {"mutex:*"}, .firstScanShare = 1, .listens = false});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.errorOccurred.size(), 1, 30'000);
        QCOMPARE(trouble(watcher).kind, ErrorKind::EndlessScan);
        QVERIFY(peer.scans() < 20);
    }

    void deepSearchEndsToo()
    {
        FakePeer peer;
        peer.on("SCAN", page("7", {}));
        ContentSearch search(peer.address(), 1);
        QSignalSpy ended(&search, &ContentSearch::ended);
        search.start();
        QTRY_COMPARE(ended.size(), 1);
        const auto end = ended.first().first().value<SearchResult>();
        QVERIFY(!end.isComplete);
        QVERIFY(end.error);
        QCOMPARE(end.error->kind, ErrorKind::EndlessScan);
    }
};

QTEST_GUILESS_MAIN(TestHostileScan)
#include "tst_hostilescan.moc"
