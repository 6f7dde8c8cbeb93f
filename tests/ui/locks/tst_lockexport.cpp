// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockexport.h"

#include "core/act/lockjson.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>
#include <sys/resource.h>

using namespace lockscope;
using namespace lockscope::sample;
using namespace Qt::StringLiterals;

class LockExportTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void jsonHasTheLocksOfTheTerminal()
    {
        const LockExport data =
            exported({reentrant("lock:a"), queued(redisson("lock:b"), {"x:1"}), endless(token("lock:\xff\"")),
                      seenWith(redisson("lock:c"), Problem::Deadlock)});
        const QJsonObject document = QJsonDocument::fromJson(written(data, ExportFormat::Json)).object();
        QCOMPARE(document["server_label"_L1].toString(), u"shop"_s);
        QCOMPARE(document["exported_at"_L1].toInteger(), wallMs);
        QCOMPARE(document["data_age_ms"_L1].toInteger(), 1500);
        QCOMPARE(document["filter"_L1].toString(), u"lock:"_s);
        QCOMPARE(document["selection"_L1].toBool(), false);
        QVERIFY(!document.contains("recorded_at"_L1));
        QCOMPARE(document["count"_L1].toInt(), 4);
        const QJsonArray locks = document["locks"_L1].toArray();
        QCOMPARE(locks.size(), 4);
        for (int i = 0; i < locks.size(); ++i) {
            QJsonObject lock = locks[i].toObject();
            const QJsonObject same = lockJson(data.rows[i].lock, now, wallMs);
            for (auto member = same.begin(); member != same.end(); ++member)
                QCOMPARE(lock[member.key()], member.value());
        }
        QCOMPARE(locks[0]["state"_L1].toString(), u"held"_s);
        QCOMPARE(locks[0]["held_at_least_ms"_L1].toInteger(), 5000);
        QCOMPARE(locks[0]["held_at_most_ms"_L1].toInteger(), 5000);
        QCOMPARE(locks[0]["ttl_ms"_L1].toInteger(), 20'000);
        QCOMPARE(locks[0]["deadline_ms"_L1].toInteger(), wallMs + 20'000);
        QCOMPARE(QByteArray::fromBase64(locks[2]["key_base64"_L1].toString().toLatin1()),
                 QByteArray("lock:\xff\""));
        QVERIFY(locks[2]["ttl_ms"_L1].isNull());
        // What only watching tells.
        QCOMPARE(locks[3]["state"_L1].toString(), u"deadlock"_s);
        QVERIFY(locks[3]["problems"_L1].toArray().contains("deadlock"_L1));
    }

    /// Where the monitor came late, and where the data does not say so, nothing is claimed.
    void onlyWhatIsKnownIsSaid()
    {
        WatchedLock late = reentrant("late");
        late.hasSeenAcquisition = false;
        const WatchedLock unreadable = seenWith(reentrant("denied"), Problem::Unreadable);
        WatchedLock open = endless(reentrant("open"));
        open.lock.leaseOf = LeaseOf::Unknown;
        LockExport data = exported({late, unreadable, open});
        data.age.reset();
        const QJsonObject document = QJsonDocument::fromJson(written(data, ExportFormat::Json)).object();
        QVERIFY(document["data_age_ms"_L1].isNull());
        const QJsonArray locks = document["locks"_L1].toArray();
        QCOMPARE(locks[0]["held_at_least_ms"_L1].toInteger(), 5000);
        QVERIFY(locks[0]["held_at_most_ms"_L1].isNull());
        QVERIFY(!locks[1].toObject().contains("ttl_ms"_L1));
        QVERIFY(!locks[2].toObject().contains("ttl_ms"_L1));
        const QList<QByteArray> lines = written(data, ExportFormat::Csv).split('\n');
        QVERIFY2(lines[2].contains(",unknown,,"), lines[2].constData());
        QVERIFY2(lines[3].contains(",unknown,,"), lines[3].constData());
    }

    /// The longest time left that was seen of this owner.
    void theLeaseIsSaid()
    {
        WatchedLock never = endless(reentrant("never"));
        never.maxObservedTtl = 0ms;
        WatchedLock gone = reentrant("gone");
        gone.lock.owners.clear();
        const LockExport data = exported({reentrant("a", 20s), reentrant("b", 60s), never, gone});
        const QJsonArray locks =
            QJsonDocument::fromJson(written(data, ExportFormat::Json))["locks"_L1].toArray();
        QCOMPARE(locks[0]["lease_at_least_ms"_L1].toInteger(), 30'000);
        QCOMPARE(locks[1]["lease_at_least_ms"_L1].toInteger(), 60'000);
        QVERIFY(locks[2]["lease_at_least_ms"_L1].isNull() && locks[3]["lease_at_least_ms"_L1].isNull());
        const QList<QByteArray> lines = written(data, ExportFormat::Csv).split('\n');
        QVERIFY2(lines[0].endsWith(",db,lease_at_least_ms\r"), lines[0].constData());
        QVERIFY2(lines[1].endsWith(",0,30000\r"), lines[1].constData());
        QVERIFY2(lines[3].endsWith(",0,\r"), lines[3].constData());
    }

    void csvIsSafe()
    {
        const LockExport data = exported({token("=HYPERLINK(\"http://x\")", 20s, "@SUM(A1)"),
                                          endless(token("two,\nlines \xff")), reentrant("c", 20s, "-1")});
        const QByteArray text = written(data, ExportFormat::Csv);
        QVERIFY(text.startsWith("\xef\xbb\xbfkey,state,family,"));
        const QList<QByteArray> lines = text.split('\n');
        QCOMPARE(lines.size(), 5); // no cell has a line end, the last one is that of the file
        QVERIFY2(lines[1].startsWith("\"'=HYPERLINK(\"\"http://x\"\")\",held,token,"), lines[1].constData());
        QVERIFY(lines[1].contains(",'@SUM(A1),"));
        QVERIFY2(lines[1].contains(",yes,20000,5000,5000,"), lines[1].constData());
        QVERIFY2(lines[2].startsWith("\"two,\\x0alines \\xff\",no-expiry,"), lines[2].constData());
        QVERIFY(lines[2].contains(",no,,"));
        QVERIFY(text.endsWith("\r\n"));
    }

    void nothingIsAFileToo()
    {
        const QJsonObject document =
            QJsonDocument::fromJson(written(exported({}), ExportFormat::Json)).object();
        LockExport recorded = exported({});
        recorded.shownMs = wallMs - 86'400'000;
        QCOMPARE(QJsonDocument::fromJson(written(recorded, ExportFormat::Json))["recorded_at"_L1].toInteger(),
                 wallMs - 86'400'000);
        QVERIFY(document["locks"_L1].isArray() && document["locks"_L1].toArray().isEmpty());
        QCOMPARE(written(exported({}), ExportFormat::Csv).count('\n'), 1);
    }

    /// As the head of JSON does, in each line.
    void csvOfARecordingSaysItsMoment()
    {
        LockExport data = exported({reentrant("lock:a")});
        const QByteArray live = written(data, ExportFormat::Csv);
        QVERIFY(!live.contains("recorded_at"));
        data.server = QStringLiteral("recording incident");
        data.shownMs = wallMs - 86'400'000;
        const QList<QByteArray> lines = written(data, ExportFormat::Csv).split('\n');
        const QByteArrayList head = live.split('\n');
        QCOMPARE(lines[0], head[0].trimmed() + ",server_label,recorded_at\r");
        QCOMPARE(lines[1],
                 head[1].trimmed() + ",recording incident," + QByteArray::number(*data.shownMs) + '\r');
        QCOMPARE(fileExport(data).name, suggestedName(QStringLiteral("locks"), data.server, *data.shownMs));
    }

    /// Whole or not at all, and an error says why.
    void theFileIsWhole()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("locks.json"));
        QList<WatchedLock> many;
        for (int i = 0; i < 2'000; ++i)
            many.append(reentrant("lock:" + QByteArray::number(i)));
        QCOMPARE(saveExport(fileExport(exported(many)), ExportFormat::Json, path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll())["locks"_L1].toArray().size(), 2'000);

        const QString nowhere = directory.filePath(QStringLiteral("none/locks.csv"));
        const QString problem = saveExport(fileExport(exported(many)), ExportFormat::Csv, nowhere);
        QVERIFY2(problem.contains(QStringLiteral("none/locks.csv was not written: No such file")),
                 qPrintable(problem));
        // A disk that is full, as far as this process can tell; what was there stays.
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small{100'000, before.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const QString full = saveExport(fileExport(exported(many)), ExportFormat::Json, path);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
        QVERIFY2(full.contains(QStringLiteral("locks.json was not written: File too large")),
                 qPrintable(full));
        file.seek(0);
        QCOMPARE(QJsonDocument::fromJson(file.readAll())["locks"_L1].toArray().size(), 2'000);
        QCOMPARE(QDir(directory.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void writingEndsWhereItFails()
    {
        QList<WatchedLock> many;
        for (int i = 0; i < 5'000; ++i)
            many.append(reentrant("lock:" + QByteArray::number(i)));
        int pieces = 0;
        writeExport(exported(many), ExportFormat::Json, [&pieces](const QByteArray &) {
            ++pieces;
            return false;
        });
        QCOMPARE(pieces, 1);
    }

private:
    static constexpr qint64 wallMs = 1'760'000'000'000;

    static LockExport exported(const QList<WatchedLock> &locks)
    {
        LockExport data;
        for (const WatchedLock &lock : locks)
            data.rows.append({lock, now});
        data.server = u"shop"_s;
        data.filter = u"lock:"_s;
        data.wallMs = wallMs;
        data.madeAt = now;
        data.age = 1500ms;
        return data;
    }
    static QByteArray written(const LockExport &data, ExportFormat format)
    {
        QByteArray all;
        writeExport(data, format, [&all](const QByteArray &piece) {
            all += piece;
            return true;
        });
        return all;
    }
};

QTEST_MAIN(LockExportTest)
#include "tst_lockexport.moc"
