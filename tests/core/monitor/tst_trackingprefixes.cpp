// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/glob.h"
#include "core/monitor/trackingprefixes.h"

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>

using namespace lockscope;

class TestTrackingPrefixes : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void heads_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("a star") << QByteArray("lock:*") << QByteArray("lock:");
        QTest::newRow("a question mark") << QByteArray("lock?a") << QByteArray("lock");
        QTest::newRow("a set") << QByteArray("lock[1]:*") << QByteArray("lock");
        QTest::newRow("none") << QByteArray("*:lock") << QByteArray();
        QTest::newRow("a literal") << QByteArray("lock") << QByteArray("lock");
        QTest::newRow("escaped") << QByteArray("a\\*b\\[\\?:*") << QByteArray("a*b[?:");
        QTest::newRow("a backslash at the end") << QByteArray("a\\") << QByteArray("a\\");
        QTest::newRow("no text") << QByteArray("\0\xff\r\n*", 5) << QByteArray("\0\xff\r\n", 4);
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }

    void heads()
    {
        QFETCH(QByteArray, pattern);
        QTEST(literalPrefix(pattern), "head");
    }

    void ofPatterns_data()
    {
        QTest::addColumn<QByteArrayList>("patterns");
        QTest::addColumn<QByteArrayList>("prefixes");
        QTest::addColumn<QByteArrayList>("rest");
        const QByteArrayList eight{"1*", "2*", "3*", "4*", "5*", "6*", "7*", "8*"};
        const QByteArrayList eightHeads{"1", "2", "3", "4", "5", "6", "7", "8"};
        QTest::newRow("the defaults") << QByteArrayList{"lock:*", "lock_*", "*:lock"}
                                      << QByteArrayList{"lock:", "lock_"} << QByteArrayList{"*:lock"};
        QTest::newRow("nothing") << QByteArrayList{} << QByteArrayList{} << QByteArrayList{};
        QTest::newRow("nested, long first")
            << QByteArrayList{"a:b:*", "a:*"} << QByteArrayList{"a:"} << QByteArrayList{};
        QTest::newRow("nested, short first")
            << QByteArrayList{"a:*", "a:b:*"} << QByteArrayList{"a:"} << QByteArrayList{};
        QTest::newRow("the ninth") << eight + QByteArrayList{"9*"} << eightHeads << QByteArrayList{"9*"};
        QTest::newRow("the ninth is covered")
            << eight + QByteArrayList{"8x*"} << eightHeads << QByteArrayList{};
        QTest::newRow("the ninth covers one")
            << QByteArrayList{"1x*", "2*", "3*", "4*", "5*", "6*", "7*", "8*", "1*"}
            << QByteArrayList{"2", "3", "4", "5", "6", "7", "8", "1"} << QByteArrayList{};
        QTest::newRow("no room, covered later")
            << QByteArrayList{"a1*", "a2*", "3*", "4*", "5*", "6*", "7*", "8*", "a3*", "a*"}
            << QByteArrayList{"3", "4", "5", "6", "7", "8", "a"} << QByteArrayList{};
    }

    void ofPatterns()
    {
        QFETCH(QByteArrayList, patterns);
        QTEST(trackingPrefixes(patterns).prefixes, "prefixes");
        QTEST(trackingPrefixes(patterns).rest, "rest");
    }

    /// Whatever is asked: few prefixes, none within another, and each pattern is covered or named.
    void always()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        for (int round = 0; round < 2000; ++round) {
            QList<QByteArray> patterns;
            for (int i = random.bounded(14); i > 0; --i) {
                QByteArray pattern;
                for (int length = random.bounded(5); length > 0; --length)
                    pattern += "abcd*"[random.bounded(5)];
                patterns << pattern;
            }
            const TrackingPrefixes found = trackingPrefixes(patterns);
            QVERIFY(found.prefixes.size() <= maxTrackingPrefixes);
            for (const QByteArray &one : found.prefixes) {
                QVERIFY(!one.isEmpty());
                QCOMPARE(std::ranges::count_if(
                             found.prefixes, [&](const QByteArray &other) { return one.startsWith(other); }),
                         1);
            }
            for (const QByteArray &pattern : patterns) {
                const bool covered = std::ranges::any_of(found.prefixes, [&](const QByteArray &prefix) {
                    return literalPrefix(pattern).startsWith(prefix);
                });
                QCOMPARE(found.rest.contains(pattern), !covered);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestTrackingPrefixes)
#include "tst_trackingprefixes.moc"
