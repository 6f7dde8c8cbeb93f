// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/statusbar.h"

#include "ui/widgets/elidedlabel.h"

#include "core/table/feedtext.h"

#include <QHelpEvent>
#include <QLabel>
#include <QTextDocument>
#include <QToolTip>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint now = TimePoint(24h);

QStringList linesOf(const FeedStatus &status)
{
    QTextDocument document;
    document.setHtml(feedToolTip(status, QStringLiteral("prod"), now));
    return document.toPlainText().split(u'\n');
}

ScanStats scan(qint64 scanned, qint64 keyspace, std::chrono::microseconds wall)
{
    ScanStats stats;
    stats.keysScanned = scanned;
    stats.keyspace = keyspace;
    stats.wallTime = wall;
    return stats;
}

} // namespace

class StatusLineTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        // The offscreen platform says of each window what it can't do with it.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        QLocale::setDefault(QLocale::c());
        m_line = std::make_unique<StatusBar>(QStringLiteral("prod:6379"));
        m_line->resize(900, 30);
    }

    /// What has no room ends in an ellipsis, never in half a letter; the age and the number of locks are always whole.
    void aSmallWindowElides()
    {
        m_line->take(FeedStatus());
        m_line->showLocks(100'000, 12'345, 250);
        ScanStats stats = scan(1'000'000, 1'000'000, 2s);
        stats.complete = true;
        m_line->showScan(stats);
        m_line->showAge(90s);
        m_line->show();
        QVERIFY(m_line->minimumSizeHint().width() <= 784);
        m_line->resize(784, 30);
        for (const QLabel *label : m_line->findChildren<QLabel *>()) {
            if (label->isVisible() && label->width() < label->sizeHint().width())
                QVERIFY2(qobject_cast<const ElidedLabel *>(label), qPrintable(label->text()));
        }
        for (const char *name : {"Scan", "Scan cost"})
            QVERIFY(part(name)->toolTip().contains(part(name)->text().toHtmlEscaped()));
    }

    void howFarACertificateIsCheckedIsShown()
    {
        ServerAddress address;
        address.transport = ServerAddress::Transport::Tls;
        m_line->showTrust(address);
        QVERIFY(!part("Server")->text().contains(QStringLiteral("certificate")));
        address.insecure = true;
        m_line->showTrust(address);
        QVERIFY(part("Server")->text().contains(QStringLiteral("certificate not checked")));
        QVERIFY(address.addPin(QByteArray(64, 'c')));
        m_line->showTrust(address);
        QVERIFY(part("Server")->text().contains(QStringLiteral("certificate pinned")));
    }

    void theWorstRouteIsShown_data()
    {
        QTest::addColumn<QList<FeedMode>>("feeds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing known") << QList<FeedMode>() << QStringLiteral("change feed: polling");
        QTest::newRow("tracking") << QList<FeedMode>{FeedMode::Tracking}
                                  << QStringLiteral("change feed: tracking");
        QTest::newRow("one by key") << QList<FeedMode>{FeedMode::Tracking, FeedMode::KeyedTracking}
                                    << QStringLiteral("change feed: tracking by key");
        QTest::newRow("notifications") << QList<FeedMode>{FeedMode::Notifications, FeedMode::Tracking}
                                       << QStringLiteral("change feed: notifications");
        QTest::newRow("one is polled") << QList<FeedMode>{FeedMode::Polling, FeedMode::Tracking}
                                       << QStringLiteral("change feed: polling");
    }
    void theWorstRouteIsShown()
    {
        QFETCH(QList<FeedMode>, feeds);
        QFETCH(QString, text);
        FeedStatus status;
        for (const FeedMode feed : feeds)
            status.routes.append({"lock:*", feed});
        m_line->take(status);
        QCOMPARE(part("Change feed")->text(), text);
    }

    void aLineForEachPattern()
    {
        FeedStatus status;
        status.routes = {{"lock:*", FeedMode::Tracking},
                         {"*:lock", FeedMode::KeyedTracking},
                         {"job<b>:\x1b*", FeedMode::Notifications},
                         {"x:*", FeedMode::Polling}};
        const QStringList lines = linesOf(status);
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines[0].startsWith(QStringLiteral("lock:*: the server pushes every change")));
        QVERIFY(lines[1].startsWith(QStringLiteral("*:lock: ")) &&
                lines[1].contains(QStringLiteral("scans find new ones")));
        QVERIFY2(lines[2].startsWith(QStringLiteral("job<b>:\\x1b*: ")), qPrintable(lines[2]));
        QVERIFY(lines[3].contains(QStringLiteral("nown locks are polled")));
        QVERIFY(lines[4].contains(QStringLiteral("literal prefix")));
        // A pattern with a beginning may be tracked by key for another reason.
        status.routes = {{"lock:*", FeedMode::KeyedTracking}};
        QCOMPARE(linesOf(status).size(), 1);
    }

    void whyNoBetterWayIsOpen()
    {
        FeedStatus status;
        status.routes = {{"lock:*", FeedMode::Polling}};
        status.fallbackReason = Error{ErrorKind::NoPermission, "NOPERM no right to <i>client|tracking</i>"};
        const QStringList lines = linesOf(status);
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[1].startsWith(QStringLiteral("A better mode is not available: ")),
                 qPrintable(lines[1]));
    }

    void theLastIncidentWithItsAge()
    {
        FeedStatus status;
        status.routes = {{"lock:*", FeedMode::Tracking}};
        QSet<QString> sentences;
        for (const FeedGap what : {FeedGap::Flushed, FeedGap::ForeignPublish, FeedGap::Lost,
                                   FeedGap::HeartbeatTimeout, FeedGap::RedirectBroken}) {
            status.incident = {what, now - 12s};
            const QString line = linesOf(status).value(1);
            QVERIFY2(line.endsWith(QStringLiteral(" (12 s ago)")), qPrintable(line));
            QVERIFY(line.contains(QStringLiteral("All locks are read again.")));
            sentences.insert(line);
        }
        QCOMPARE(sentences.size(), 5);
        status.incident->at = now + 5s; // told a moment ahead by another thread
        QVERIFY(linesOf(status).value(1).endsWith(QStringLiteral("(0.0 s ago)")));
    }

    void theToolTipIsWrittenWhenItIsWanted()
    {
        FeedStatus status;
        status.routes = {{"lock:*", FeedMode::Tracking}};
        status.incident = {FeedGap::Lost, Clock::now() - 2h};
        m_line->take(status);
        m_line->show();
        QHelpEvent asked(QEvent::ToolTip, QPoint(2, 2), part("Change feed")->mapToGlobal(QPoint(2, 2)));
        QCoreApplication::sendEvent(part("Change feed"), &asked);
        QVERIFY(part("Change feed")->toolTip().contains(QStringLiteral("2 h")));
        QToolTip::hideText();
    }

    void progressOfASweep_data()
    {
        QTest::addColumn<ScanStats>("stats");
        QTest::addColumn<QString>("text");
        QTest::newRow("size not known") << scan(500, 0, 9s) << QStringLiteral("scanning: 500 keys");
        QTest::newRow("soon over") << scan(500, 1000, 10ms) << QStringLiteral("scanning: 500 of 1000 keys");
        QTest::newRow("long") << scan(250'000, 1'000'000, 4s)
                              << QStringLiteral("scanning: 25%, about 12 s left");
        QTest::newRow("nearly through") << scan(999'000, 1'000'000, 40s) << QStringLiteral("scanning: 99%");
        QTest::newRow("at its beginning")
            << scan(0, 1'000'000, 4s) << QStringLiteral("scanning: 0 of 1000000 keys");
    }
    void progressOfASweep()
    {
        QFETCH(ScanStats, stats);
        QFETCH(QString, text);
        QLocale plain = QLocale::c();
        plain.setNumberOptions(QLocale::OmitGroupSeparator);
        QLocale::setDefault(plain);
        m_line->showScan(stats);
        QCOMPARE(part("Scan")->text(), text);
        QCOMPARE(part("Scan")->toolTip().contains(QStringLiteral(" of ")), stats.keyspace > 0);
    }

    void whatTheLastSweepCost()
    {
        ScanStats stats = scan(1000, 1000, 2s);
        stats.complete = true;
        stats.serverTime = 1500us;
        m_line->showScan(stats);
        QVERIFY(part("Scan")->text().startsWith(QStringLiteral("keys scanned: ")));
        QVERIFY(part("Scan cost")->text().contains(QStringLiteral("1.5 ms")));
        m_line->showScan(scan(1, 1000, 200ms)); // over before anybody could read it
        QVERIFY(part("Scan")->text().startsWith(QStringLiteral("keys scanned: ")));
        m_line->showScan(scan(1, 1000, 2s));
        QVERIFY(!part("Scan")->text().startsWith(QStringLiteral("keys scanned: ")));
        QVERIFY(part("Scan cost")->text().contains(QStringLiteral("1.5 ms")));
    }

    void whatIsNotWholeSaysSo()
    {
        ScanStats stats = scan(1000, 1000, 2s);
        stats.complete = true;
        m_line->showScan(stats);
        const QString whole = part("Scan")->text();
        stats.slotsMissing = 2;
        m_line->showScan(stats);
        QCOMPARE(part("Scan")->text(), whole + QStringLiteral(", incomplete"));
        QVERIFY(part("Scan")->toolTip().contains(QStringLiteral("2 slot(s) have no node")));
        stats.slotsMissing = 0;
        m_line->showScan(stats);
        QCOMPARE(part("Scan")->text(), whole);
    }

    void noFeedWithoutAConnection()
    {
        ConnectionStatus status;
        status.state = Connection::State::Ready;
        m_line->take(status);
        QVERIFY(!part("Change feed")->isHidden());
        status.state = Connection::State::Backoff;
        m_line->take(status);
        QVERIFY(part("Change feed")->isHidden());
    }

    void theServerIsNamed()
    {
        ConnectionStatus status;
        status.state = Connection::State::Ready;
        const auto said = [&](const char *name, const char *version, const char *mode) {
            status.server.name = name;
            status.server.version = version;
            status.server.mode = mode;
            m_line->take(status);
            QStringList texts;
            for (const QLabel *label : m_line->findChildren<QLabel *>())
                texts << label->text();
            return texts.join(u'|');
        };
        QVERIFY(said("redis", "8.0.2", "standalone").contains(QStringLiteral("Redis 8.0.2")));
        QVERIFY(!said("redis", "8.0.2", "standalone").contains(QStringLiteral("standalone")));
        const QString valkey = said("valkey", "8.1.1", "cluster");
        QVERIFY2(valkey.contains(QStringLiteral("Valkey 8.1.1 cluster")) &&
                     !valkey.contains(QStringLiteral("Redis")),
                 qPrintable(valkey));
        QVERIFY(said("", "", "").contains(QStringLiteral("connected")));
    }

    void ageOfTheData()
    {
        const QLabel *age = part("Age of the data");
        m_line->showAge(300ms);
        const QString fresh = age->text();
        m_line->showAge(1900ms);
        QCOMPARE(age->text(), fresh);
        m_line->showAge(2100ms);
        QVERIFY(age->text().contains(QStringLiteral("2.1 s")));
        m_line->showAge(std::nullopt);
        QVERIFY(!age->text().contains(QStringLiteral("2.1 s")));
    }

private:
    QLabel *part(const char *name) const
    {
        for (QLabel *label : m_line->findChildren<QLabel *>()) {
            if (label->accessibleName() == QLatin1String(name))
                return label;
        }
        return nullptr;
    }

    std::unique_ptr<StatusBar> m_line;
};

QTEST_MAIN(StatusLineTest)
#include "tst_statusbar.moc"
