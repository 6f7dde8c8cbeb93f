// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/lockstatustext.h"
#include "ui/widgets/plaintext.h"

#include "core/table/locktext.h"
#include "tests/ui/samplelocks.h"

#include <QDateTime>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class ExplanationTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void liveness_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<QString>("says");
        QTest::newRow("renewed") << renewed(reentrant("a"))
                                 << QStringLiteral("while watched: a process keeps the lock alive");
        QTest::newRow("falls") << reentrant("a") << QStringLiteral("No renewal seen");
        WatchedLock twice = reentrant("a");
        twice.lock.owners.first().holdCount = 2;
        twice.lock.owners.first().rawHoldCount = "2";
        QTest::newRow("re-entered") << twice
                                    << QStringLiteral("Re-entered while watched: the owner was alive");
        QTest::newRow("renewals stopped")
            << renewed(reentrant("a", 5s)) << QStringLiteral("while watched, but not lately");
        QTest::newRow("no expiry") << endless(token("a")) << QStringLiteral("never expires by itself");
        QTest::newRow("run out") << reentrant("a", 0s) << QStringLiteral("has run out");
        // Who writes a word that all write may be the next holder as well as the same one.
        const WatchedLock word = token("a", 20s, "processing");
        QTest::newRow("a word, renewed") << renewed(word) << QStringLiteral("Renewed or acquired again");
        QTest::newRow("a word, not renewed") << word << QStringLiteral("No renewal seen");
        WatchedLock regular = renewed(word, 5);
        regular.minRenewalShare = 250;
        QTest::newRow("a word, regularly") << regular << QStringLiteral("acquired again");
        WatchedLock nobody = endless(reentrant("a"));
        nobody.lock.family = Family();
        QTest::newRow("no lock") << nobody << QStringLiteral("owner unknown");
    }
    void liveness()
    {
        QFETCH(WatchedLock, lock);
        QFETCH(QString, says);
        const StatusMessage statement = lockscope::liveness(lock, now);
        QVERIFY2(statement.text.contains(says), qPrintable(statement.text));
    }

    void heldForIsNotKnownOfAWord()
    {
        WatchedLock word = token("a", 20s, "processing");
        QCOMPARE(heldText(word, now), QStringLiteral("≤ 5.0 s"));
        word.hasSeenAcquisition = false;
        QCOMPARE(heldText(word, now), QStringLiteral("unknown"));
        QCOMPARE(heldText(token("a"), now), QStringLiteral("5.0 s"));
    }

    void clockTimes()
    {
        const qint64 noon = QDateTime(QDate(2026, 3, 1), QTime(12, 0)).toMSecsSinceEpoch();
        QCOMPARE(clockTime(now + 64s, now, noon), QStringLiteral("12:01:04"));
        QVERIFY(clockTime(now + 13h, now, noon).endsWith(QStringLiteral("01:00:00")));
        QVERIFY(clockTime(now + 13h, now, noon).size() > 8);
        QVERIFY(!clockTime(now + std::chrono::hours(24 * 365 * 95), now, noon).contains(u':'));
    }

    void countdowns_data()
    {
        QTest::addColumn<milliseconds>("left");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << milliseconds(0) << QStringLiteral("0.0 s");
        QTest::newRow("never more than there is") << milliseconds(9'499) << QStringLiteral("9.4 s");
        QTest::newRow("whole seconds") << milliseconds(12'999) << QStringLiteral("12 s");
        QTest::newRow("just below a minute") << milliseconds(59'999) << QStringLiteral("59 s");
        QTest::newRow("a minute") << milliseconds(60'000) << QStringLiteral("1 min 0 s");
    }
    void countdowns()
    {
        QFETCH(milliseconds, left);
        QFETCH(QString, text);
        QCOMPARE(countdown(left), text);
    }

    void shortening()
    {
        const QString uuid = QStringLiteral("0f8e9a52-7d1c-4d0e-9a3b-5c2f6e1d7a90");
        QCOMPARE(shortened(uuid, 64), uuid);
        const QString cut = shortened(uuid, 19);
        QCOMPARE(cut.size(), 19);
        QVERIFY(cut.startsWith(QStringLiteral("0f8e9a52-7d1")) && cut.endsWith(QStringLiteral("1d7a90")));
        QCOMPARE(plainMenuText(QStringLiteral("a&b")), QStringLiteral("a&&b"));
        QVERIFY(!plainToolTip(QStringLiteral("<img src=x>")).contains(QStringLiteral("<img")));
    }
};

QTEST_MAIN(ExplanationTest)
#include "tst_lockstatustext.moc"
