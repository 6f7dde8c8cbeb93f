// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/glob.h"

#include "tests/support/redisserver.h"

#include "tests/support/machineclock.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;

class TestGlob : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void matches_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char *pattern, const char *text, bool expected) {
            QTest::addRow("%s on %s", pattern, text) << QByteArray(pattern) << QByteArray(text) << expected;
        };
        row("lock:*", "lock:1", true);
        row("lock:*", "lock:", true);
        row("lock:*", "block:1", false);
        row("*:lock", "a:lock", true);
        row("*:lock", "a:lock:b", false);
        row("*a*b*", "xxaxxbxx", true);
        row("*a*b", "abab", true);
        row("?", "", false);
        row("l?ck", "lock", true);
        row("[lm]ock", "mock", true);
        row("[^lm]ock", "mock", false);
        row("[a-m]ock", "lock", true);
        row("lock\\[1\\]:*", "lock[1]:x", true);
        row("lock[1]:*", "lock[1]:x", false);
        row("a\\*", "a*", true);
        row("a\\*", "ab", false);
        row("", "", true);
        row("*", "", true);
    }

    void matches()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        QCOMPARE(globMatches(pattern, text), expected);
    }

    /// The server's own matcher is the judge.
    void agreesWithRedis()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const auto word = [&random](QByteArrayView alphabet, int most) {
            QByteArray bytes;
            for (int i = random.bounded(most + 1); i > 0; --i)
                bytes += alphabet[random.bounded(int(alphabet.size()))];
            return bytes;
        };
        RedisServer server;
        QList<QByteArray> keys;
        QList<QByteArray> set{"MSET"};
        for (int i = 0; i < 300; ++i) {
            const QByteArray key = word("ab:-]", 6);
            if (keys.contains(key) || key.isEmpty())
                continue;
            keys.append(key);
            set += {key, "1"};
        }
        server.cli(set);
        for (int i = 0; i < 150; ++i) {
            const QByteArray pattern = word("ab:*?[]^-\\", 7);
            if (pattern.isEmpty())
                continue;
            QList<QByteArray> expected = server.cli({"--raw", "KEYS", pattern}).split('\n');
            expected.removeAll(QByteArray());
            QList<QByteArray> got;
            for (const QByteArray &key : keys) {
                if (globMatches(pattern, key))
                    got.append(key);
            }
            std::ranges::sort(expected);
            std::ranges::sort(got);
            QVERIFY2(got == expected,
                     (pattern + ": " + got.join(' ') + " | " + expected.join(' ')).constData());
        }
    }

    void hostilePatternsEnd()
    {
        const QByteArray pattern = QByteArray("a*").repeated(50) + 'b';
        QVERIFY(!globMatches(pattern, QByteArray(5000, 'a')));
    }

    /// A name may have 512 MB: what is left for a last star is not walked over, nor what can't go on.
    void megabytesAreNotWalkedOver()
    {
        const QByteArray name = "lock:" + QByteArray(64 * 1024 * 1024, 'x');
        const auto matching = workTime([&] {
            QVERIFY(globMatches("*", name));
            QVERIFY(globMatches("lock:*", name));
            QVERIFY(globMatches("l?ck*", name));
            QVERIFY(!globMatches("*:lock", name));
            QVERIFY(!globMatches("*lock_*", name));
        });
        // But where a word may stand anywhere: that name alone is searched, by the library.
        QVERIFY2(matching < 2 * walkTime(name), qPrintable(QString::number(matching.count())));
    }

    void covers_data()
    {
        QTest::addColumn<QByteArrayList>("patterns");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("the defaults") << QByteArrayList{"lock:*", "lock_*", "*:lock"} << QByteArray("*lock*");
        QTest::newRow("one") << QByteArrayList{"lock[ab]:*"} << QByteArray("lock[ab]:*");
        QTest::newRow("everything") << QByteArrayList{"*"} << QByteArray();
        QTest::newRow("nothing in common") << QByteArrayList{"a*", "b*"} << QByteArray();
        QTest::newRow("one matches everything") << QByteArrayList{"lock:*", "*"} << QByteArray();
        QTest::newRow("special bytes") << QByteArrayList{"a\\[1\\]*", "b\\[1\\]*"} << QByteArray("*\\[1\\]*");
        QTest::newRow("none") << QByteArrayList{} << QByteArray();
    }

    void covers()
    {
        QFETCH(QByteArrayList, patterns);
        QFETCH(QByteArray, expected);
        QCOMPARE(coveringGlob(patterns), expected);
    }
};

QTEST_GUILESS_MAIN(TestGlob)
#include "tst_glob.moc"
