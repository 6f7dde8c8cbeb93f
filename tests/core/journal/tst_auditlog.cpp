// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/auditlog.h"

#include <QtTest>

#include <functional>
#include <utility>

#include <sys/stat.h>

using namespace lockscope;

namespace {

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("can't write %s", qPrintable(path));
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QList<QByteArray> linesOf(const QString &path)
{
    QList<QByteArray> lines = contentOf(path).split('\n');
    if (!lines.isEmpty() && lines.back().isEmpty())
        lines.removeLast();
    return lines;
}

QJsonObject recordIn(const QByteArray &line)
{
    return QJsonDocument::fromJson(line).object();
}

mode_t modeOf(const QString &path)
{
    struct stat status = {};
    ::stat(QFile::encodeName(path).constData(), &status);
    return status.st_mode & 0777;
}

/// What the second process of twoProcessesKeepOneChain() does.
int appendPairs(const QString &path, int pairs)
{
    AuditLog log(path);
    for (int i = 0; i < pairs; ++i) {
        const auto request = log.begin({{QStringLiteral("n"), i}});
        if (!request || !log.complete(*request, {}))
            return 1;
    }
    return 0;
}

} // namespace

class TestAuditLog : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void recordsBeforeAndAfter();
    void chainsEachRecordToTheOneBefore();
    void fileAndDirectoryAreClosedToOthers();
    void reservedNamesAreRefused();
    void twoLogsKeepOneChain();
    void twoProcessesKeepOneChain();
    void refusesToWrite_data();
    void refusesToWrite();
    void waitsNotForEverForTheLock();
    void goesOnAfterACut_data();
    void goesOnAfterACut();
    void findsTampering_data();
    void findsTampering();
    void tellsUnfinishedRequests();
    void readsTheNewestRequests();
    void verifyNeedsAFile();
    void verifyBoundsItsLines();
    void defaultPathFollowsTheEnvironment();

private:
    QString path() const { return m_directory->filePath(QStringLiteral("audit.jsonl")); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestAuditLog::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
}

void TestAuditLog::recordsBeforeAndAfter()
{
    AuditLog log(path());
    const auto request = log.begin({{QStringLiteral("action"), QStringLiteral("release")}});
    QVERIFY(request);
    QCOMPARE(linesOf(path()).size(), 1);
    QVERIFY(log.complete(*request, {{QStringLiteral("outcome"), QStringLiteral("released")}}));

    const QList<QByteArray> lines = linesOf(path());
    QCOMPARE(lines.size(), 2);
    const QJsonObject asked = recordIn(lines[0]);
    const QJsonObject completed = recordIn(lines[1]);
    QCOMPARE(asked[QLatin1String("phase")].toString(), QStringLiteral("asked"));
    QCOMPARE(asked[QLatin1String("action")].toString(), QStringLiteral("release"));
    QCOMPARE(completed[QLatin1String("phase")].toString(), QStringLiteral("completed"));
    QCOMPARE(completed[QLatin1String("outcome")].toString(), QStringLiteral("released"));
    for (const QJsonObject &record : {asked, completed}) {
        QCOMPARE(record[QLatin1String("request")].toString().toLatin1(), *request);
        QVERIFY(!QUuid(record[QLatin1String("request")].toString()).isNull());
        QVERIFY(!record[QLatin1String("user")].toString().isEmpty());
        QCOMPARE(record[QLatin1String("host")].toString(), QSysInfo::machineHostName());
        QCOMPARE(record[QLatin1String("pid")].toInteger(), QCoreApplication::applicationPid());
        const QDateTime time =
            QDateTime::fromString(record[QLatin1String("time")].toString(), Qt::ISODateWithMs);
        QVERIFY(qAbs(time.msecsTo(QDateTime::currentDateTimeUtc())) < 60'000);
        QCOMPARE(time.timeSpec(), Qt::UTC);
    }
}

void TestAuditLog::chainsEachRecordToTheOneBefore()
{
    QCOMPARE(appendPairs(path(), 3), 0);
    QByteArray expected(64, '0');
    qint64 seq = 0;
    for (const QByteArray &line : linesOf(path())) {
        QCOMPARE(recordIn(line)[QLatin1String("prev")].toString().toLatin1(), expected);
        QCOMPARE(recordIn(line)[QLatin1String("seq")].toInteger(), ++seq);
        expected = QCryptographicHash::hash(line, QCryptographicHash::Sha256).toHex();
    }
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    QCOMPARE(verdict->records, 6);
    QVERIFY(!verdict->brokenAtLine);
    QVERIFY(verdict->unfinished.isEmpty());
}

void TestAuditLog::fileAndDirectoryAreClosedToOthers()
{
    const mode_t before = ::umask(0);
    const QString deep = m_directory->filePath(QStringLiteral("state/lockscope/audit.jsonl"));
    const int result = appendPairs(deep, 1);
    ::umask(before);
    QCOMPARE(result, 0);
    QCOMPARE(modeOf(deep), 0600U);
    QCOMPARE(modeOf(m_directory->filePath(QStringLiteral("state/lockscope"))), 0700U);
    QCOMPARE(modeOf(m_directory->filePath(QStringLiteral("state"))), 0700U);
}

void TestAuditLog::reservedNamesAreRefused()
{
    for (const char *name : {"seq", "time", "phase", "request", "user", "host", "pid", "prev"}) {
        const auto request = AuditLog(path()).begin({{QLatin1String(name), 1}});
        QVERIFY2(!request, name);
        QVERIFY(request.error().text().contains(name));
    }
    QVERIFY(!QFile::exists(path()));
}

void TestAuditLog::twoLogsKeepOneChain()
{
    AuditLog first(path());
    AuditLog second(path());
    const auto a = first.begin({});
    const auto b = second.begin({});
    QVERIFY(a && b);
    QVERIFY(*a != *b);
    QVERIFY(first.complete(*a, {}));
    QVERIFY(second.complete(*b, {}));
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict && !verdict->brokenAtLine && verdict->unfinished.isEmpty());
    QCOMPARE(verdict->records, 4);
}

void TestAuditLog::twoProcessesKeepOneChain()
{
    constexpr int pairs = 50;
    QList<QProcess *> others;
    for (int i = 0; i < 2; ++i) {
        auto *other = new QProcess(this);
        other->start(QStringLiteral(LOCKSCOPE_BIN_DIR "/tst_core_journal_auditlog"),
                     {QStringLiteral("--append"), path(), QString::number(pairs)});
        others.append(other);
    }
    QCOMPARE(appendPairs(path(), pairs), 0);
    for (QProcess *other : others) {
        QVERIFY(other->state() == QProcess::NotRunning || other->waitForFinished());
        QCOMPARE(other->exitCode(), 0);
        QCOMPARE(other->error(), QProcess::UnknownError);
    }
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    QVERIFY2(!verdict->brokenAtLine, qPrintable(verdict->reason.inEnglish()));
    QCOMPARE(verdict->records, 3 * 2 * pairs);
    QVERIFY(verdict->unfinished.isEmpty());
}

using Prepare = std::function<void(const QString &path)>;

void TestAuditLog::refusesToWrite_data()
{
    QTest::addColumn<Prepare>("prepare");
    QTest::addColumn<QByteArray>("reason");

    const auto row = [](const char *name, const char *reason, Prepare prepare) {
        QTest::newRow(name) << std::move(prepare) << QByteArray(reason);
    };
    row("symbolic link", "not a regular file", [](const QString &path) {
        write(path + QStringLiteral(".target"), {});
        QVERIFY(QFile::link(path + QStringLiteral(".target"), path));
    });
    row("dangling symbolic link", "not a regular file",
        [](const QString &path) { QVERIFY(QFile::link(path + QStringLiteral(".target"), path)); });
    row("FIFO", "not a regular file",
        [](const QString &path) { QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0); });
    row("directory", "directory", [](const QString &path) { QVERIFY(QDir().mkdir(path)); });
    row("writable by others", "chmod go-w", [](const QString &path) {
        write(path, {});
        QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0666), 0);
    });
    row("writable by the group", "chmod go-w", [](const QString &path) {
        write(path, {});
        QCOMPARE(::chmod(QFile::encodeName(path).constData(), 0660), 0);
    });
    row("in a directory that all may write to", "chmod go-w", [](const QString &path) {
        QCOMPARE(::chmod(QFile::encodeName(QFileInfo(path).path()).constData(), 0777), 0);
    });
    row("in a directory that the group may write to", "chmod go-w", [](const QString &path) {
        write(path, {});
        QCOMPARE(::chmod(QFile::encodeName(QFileInfo(path).path()).constData(), 0770), 0);
    });
    row("somebody else's file", "does not end with an audit record",
        [](const QString &path) { write(path, "shopping list\nmilk\n"); });
    row("JSON that is no record", "does not end with an audit record",
        [](const QString &path) { write(path, "{\"a\":1}\n"); });
    row("a number with none behind it", "does not end with an audit record",
        [](const QString &path) { write(path, "{\"seq\":9223372036854775807}\n"); });
    for (const char *format : {"2", "\"1b\""})
        row(format, "A newer Lockscope wrote", [format](const QString &path) {
            write(path, QByteArray("{\"format\":") + format + ",\"seq\":1}\n");
            QVERIFY(AuditLog::verify(path).error().text().contains("Update Lockscope"));
        });
    row("endless line", "does not end with an audit record",
        [](const QString &path) { write(path, QByteArray(3 * 1024 * 1024, 'x')); });
    row("endless zeros", "does not end with an audit record",
        [](const QString &path) { write(path, QByteArray(3 * 1024 * 1024, '\0') + '\n'); });
}

void TestAuditLog::refusesToWrite()
{
    QFETCH(Prepare, prepare);
    QFETCH(QByteArray, reason);
    prepare(path());
    const bool isFile = QFileInfo(path()).isFile();
    const QByteArray before = isFile ? contentOf(path()) : QByteArray();

    const auto request = AuditLog(path()).begin({});
    QVERIFY(!request);
    QCOMPARE(request.error().kind, ErrorKind::AuditFailed);
    QVERIFY2(request.error().text().contains(reason), request.error().text().constData());
    if (isFile)
        QCOMPARE(contentOf(path()), before);
    QVERIFY(!QFile::exists(path() + QStringLiteral(".target")) ||
            contentOf(path() + QStringLiteral(".target")).isEmpty());
}

void TestAuditLog::waitsNotForEverForTheLock()
{
    QCOMPARE(appendPairs(path(), 1), 0);
    QProcess holder;
    holder.start(QStringLiteral("flock"), {path(), QStringLiteral("sh"), QStringLiteral("-c"),
                                           QStringLiteral("echo held; read line")});
    QVERIFY(holder.waitForReadyRead());

    QElapsedTimer timer;
    timer.start();
    const auto request = AuditLog(path()).begin({});
    QVERIFY(!request);
    QVERIFY2(request.error().text().contains("Another program keeps"), request.error().text().constData());
    QVERIFY(timer.elapsed() < 20'000);

    holder.write("\n");
    QVERIFY(holder.waitForFinished());
    QCOMPARE(appendPairs(path(), 1), 0);
}

void TestAuditLog::goesOnAfterACut_data()
{
    QTest::addColumn<int>("wholeRecords");
    QTest::addColumn<QByteArray>("rest");

    QTest::newRow("half a record") << 2 << QByteArray(R"({"action":"rel)");
    QTest::newRow("only the line end is missing") << 2 << QByteArray(R"({"phase":"asked","seq":3})");
    QTest::newRow("the first record was cut") << 0 << QByteArray(R"({"act)");
    QTest::newRow("cut twice in a row") << 2 << QByteArray("{\"action\n{\"acti");
    QTest::newRow("a long one") << 2 << QByteArray(500'000, 'x');
}

void TestAuditLog::goesOnAfterACut()
{
    QFETCH(int, wholeRecords);
    QFETCH(QByteArray, rest);
    if (wholeRecords > 0)
        QCOMPARE(appendPairs(path(), wholeRecords / 2), 0);
    write(path(), contentOf(path()) + rest);

    // Before anybody mends it, the cut is reported; afterwards still, and only it.
    const qint64 cutLine = wholeRecords + 1;
    QCOMPARE(AuditLog::verify(path())->brokenAtLine, cutLine);
    QCOMPARE(appendPairs(path(), 1), 0);
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    QCOMPARE(verdict->brokenAtLine, cutLine);
    QCOMPARE(verdict->records, wholeRecords + 2);

    const QList<QByteArray> lines = linesOf(path());
    const QByteArray &cut = lines[lines.size() - 3];
    QCOMPARE(cut, rest.split('\n').back());
    const QJsonObject next = recordIn(lines[lines.size() - 2]);
    QCOMPARE(next[QLatin1String("prev")].toString().toLatin1(),
             QCryptographicHash::hash(cut, QCryptographicHash::Sha256).toHex());
    QCOMPARE(next[QLatin1String("seq")].toInteger(), lines.size() - 1);
}

using Tamper = std::function<void(QList<QByteArray> &lines)>;

void TestAuditLog::findsTampering_data()
{
    QTest::addColumn<Tamper>("tamper");
    QTest::addColumn<qint64>("line");

    const auto row = [](const char *name, qint64 line, Tamper tamper) {
        QTest::newRow(name) << std::move(tamper) << line;
    };
    row("a middle line edited", 4, [](auto &lines) { lines[2].replace("\"n\":1", "\"n\":7"); });
    row("the first line edited", 2, [](auto &lines) { lines[0].replace("\"n\":0", "\"n\":7"); });
    row("a blank added", 4, [](auto &lines) { lines[2] += ' '; });
    row("a middle line removed", 3, [](auto &lines) { lines.removeAt(2); });
    row("the first line removed", 1, [](auto &lines) { lines.removeFirst(); });
    row("two lines swapped", 3, [](auto &lines) { lines.swapItemsAt(2, 3); });
    row("a line doubled", 4, [](auto &lines) { lines.insert(3, lines[2]); });
    row("an empty line", 3, [](auto &lines) { lines.insert(2, QByteArray()); });
    row("a line that is no JSON", 3, [](auto &lines) { lines[2] = "nothing"; });
    row("the last line's number changed", 6, [](auto &lines) { lines[5].replace("\"seq\":6", "\"seq\":9"); });
    row("the last line's time removed", 0, [](auto &lines) { lines.removeLast(); });
}

void TestAuditLog::findsTampering()
{
    QFETCH(Tamper, tamper);
    QFETCH(qint64, line);
    QCOMPARE(appendPairs(path(), 3), 0);
    QList<QByteArray> lines = linesOf(path());
    tamper(lines);
    write(path(), lines.join('\n') + '\n');

    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    // A cut at the end is the one thing that a chain can't show.
    QCOMPARE(verdict->brokenAtLine.value_or(0), line);
    QCOMPARE(verdict->reason.isEmpty(), line == 0);
}

void TestAuditLog::tellsUnfinishedRequests()
{
    AuditLog log(path());
    const auto lost = log.begin({});
    const auto done = log.begin({});
    const auto lostToo = log.begin({});
    QVERIFY(lost && done && lostToo);
    QVERIFY(log.complete(*done, {}));
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    QCOMPARE(verdict->unfinished, QList<QByteArray>({*lost, *lostToo}));
    QVERIFY(!verdict->brokenAtLine);
}

void TestAuditLog::readsTheNewestRequests()
{
    AuditLog log(path());
    for (int i = 0; i < 5; ++i) {
        const auto request = log.begin({{QStringLiteral("n"), i}});
        QVERIFY(request);
        if (i != 3)
            QVERIFY(log.complete(*request, {{QStringLiteral("outcome"), QString::number(i)}}));
    }
    for (const qsizetype most : {0, 1, 3, 9}) {
        const auto history = AuditLog::read(path(), most);
        QVERIFY(history);
        QCOMPARE(history->requests, 5);
        QCOMPARE(history->verdict.records, 9);
        QCOMPARE(history->newest.size(), std::min<qsizetype>(most, 5));
        for (qsizetype i = 0; i < history->newest.size(); ++i) {
            const AuditLog::Request &request = history->newest[i];
            QCOMPARE(request.asked[QStringLiteral("n")].toInt(), 4 - i);
            QCOMPARE(request.completed.has_value(), i != 1);
        }
    }
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = AuditLog::read(path(), 9, stop.get_token());
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Canceled);
    // Not ours: one id twice, an outcome of nothing, and records of a kind that there is not.
    write(path(), "{\"request\":\"a\",\"phase\":\"asked\"}\n{\"request\":\"a\",\"phase\":\"asked\"}\n"
                  "{\"request\":\"b\",\"phase\":\"completed\"}\n{\"request\":\"c\",\"phase\":\"x\"}\n"
                  "{\"request\":\"a\",\"phase\":\"completed\"}\n");
    for (const qsizetype most : {0, 1, 2}) {
        const auto history = AuditLog::read(path(), most);
        QVERIFY(history && history->verdict.brokenAtLine);
        QCOMPARE(history->requests, 2);
        QCOMPARE(history->newest.size(), most);
        QVERIFY(most == 0 || history->newest[0].completed);
    }
}

void TestAuditLog::verifyNeedsAFile()
{
    QVERIFY(!AuditLog::verify(path()));
    QVERIFY(!AuditLog::verify(m_directory->path()));
    QCOMPARE(::mkfifo(QFile::encodeName(path()).constData(), 0600), 0);
    QVERIFY(!AuditLog::verify(path()));
    const QString empty = m_directory->filePath(QStringLiteral("empty"));
    write(empty, {});
    QCOMPARE(AuditLog::verify(empty)->records, 0);
    QVERIFY(!AuditLog::verify(empty)->brokenAtLine);
}

void TestAuditLog::verifyBoundsItsLines()
{
    QCOMPARE(appendPairs(path(), 1), 0);
    write(path(), contentOf(path()) + QByteArray(5 * 1024 * 1024, 'x') + '\n');
    const auto verdict = AuditLog::verify(path());
    QVERIFY(verdict);
    QCOMPARE(verdict->brokenAtLine, 3);
    QVERIFY(verdict->reason.inEnglish().contains(QLatin1String("not a record")));
    QCOMPARE(verdict->records, 2);
}

void TestAuditLog::defaultPathFollowsTheEnvironment()
{
    qputenv("XDG_STATE_HOME", "/var/state");
    QCOMPARE(AuditLog::defaultPath(), QStringLiteral("/var/state/lockscope/audit.jsonl"));
    QCOMPARE(AuditLog().path(), AuditLog::defaultPath());
    qputenv("XDG_STATE_HOME", "relative");
    QCOMPARE(AuditLog::defaultPath(),
             QDir::homePath() + QStringLiteral("/.local/state/lockscope/audit.jsonl"));
    qunsetenv("XDG_STATE_HOME");
    QCOMPARE(AuditLog::defaultPath(),
             QDir::homePath() + QStringLiteral("/.local/state/lockscope/audit.jsonl"));
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--append"))
        return appendPairs(arguments[2], arguments[3].toInt());
    TestAuditLog test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_auditlog.moc"
