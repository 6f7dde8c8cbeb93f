// SPDX-License-Identifier: GPL-3.0-or-later
// Files of version 0.1.0 (tests/fixtures/before-1.0) are read as they are, and not rewritten; those of a newer version are refused.
#include "core/journal/holdlogfile.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QDir>
#include <QtTest>

#include <optional>

using namespace lockscope;

class TestUpgrades : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void aRecordingIsRead();
    void anAuditLogIsGoneOnWith();
    void aHoldLogIsRead();
    void aFamilyIsRead();
    void settingsAreRead();
    void newerFilesAreLeftAlone();

private:
    QString pathOf(const char *name) const { return m_files->filePath(QString::fromLatin1(name)); }
    QByteArray contentOf(const char *name) const
    {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Writes the content with `before` replaced, as a newer version might.
    void replaceIn(const char *name, const QByteArray &before, const QByteArray &after);
    Ran run(const QList<QByteArray> &words) const
    {
        return CliProgram::run(words, {QStringLiteral("XDG_CONFIG_HOME=") + m_files->path()});
    }

    std::optional<CliProgram> m_cli;
    std::optional<QTemporaryDir> m_files; ///< a copy of the fixtures
};

void TestUpgrades::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    m_files.emplace();
    const QDir fixtures(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/fixtures/before-1.0"));
    for (const QString &name : fixtures.entryList(QDir::Files))
        QVERIFY(QFile::copy(fixtures.filePath(name), m_files->filePath(name)));
    for (const char *name : {"lockscope/families", "lockscope"})
        QVERIFY(QDir(m_files->path()).mkpath(QString::fromLatin1(name)));
    QVERIFY(QFile::rename(pathOf("Lockscope.conf"), pathOf("lockscope/Lockscope.conf")));
    for (const char *name :
         {"checks.json", "audit.jsonl"}) // as they were made; a checkout's are as the umask says
        QVERIFY(QFile::setPermissions(pathOf(name), QFile::ReadOwner | QFile::WriteOwner));
}

void TestUpgrades::replaceIn(const char *name, const QByteArray &before, const QByteArray &after)
{
    QByteArray content = contentOf(name);
    QVERIFY2(content.contains(before), name);
    QFile file(pathOf(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content.replace(before, after)) >= 0);
}

void TestUpgrades::aRecordingIsRead()
{
    const QByteArray before = contentOf("incident");
    const QByteArray path = QFile::encodeName(pathOf("incident"));
    const Ran info = run({"replay", path, "--info", "--json"});
    VERIFY_EXIT(info, 0);
    const Ran events = run({"replay", path, "--json"});
    VERIFY_EXIT(events, 0);
    QByteArrayList told;
    for (const QByteArray &line : events.out.split('\n')) {
        if (!line.isEmpty())
            told << jsonIn(line)[QStringLiteral("event")].toString().toUtf8() + ' ' +
                        jsonIn(line)[QStringLiteral("key")].toString().toUtf8();
    }
    QCOMPARE(told, (QByteArrayList{"feed ", "acquired lock:orders", "acquired lock:stock",
                                   "shortened lock:stock", "reentered lock:stock", "renewed lock:stock",
                                   "acquired lock:short", "expired lock:short", "released lock:stock"}));
    QCOMPARE(contentOf("incident"), before);
}

void TestUpgrades::anAuditLogIsGoneOnWith()
{
    const QByteArray before = contentOf("audit.jsonl");
    const Ran verified = run({"audit", "verify", QFile::encodeName(pathOf("audit.jsonl")), "--json"});
    VERIFY_EXIT(verified, 0);
    QCOMPARE(verified.out, "{\"records\":6,\"unfinished\":[]}\n");
    QCOMPARE(contentOf("audit.jsonl"), before);

    const RedisServer server;
    QVERIFY(QDir().mkpath(QFileInfo(m_cli->auditPath()).path()));
    QVERIFY(QFile::copy(pathOf("audit.jsonl"), m_cli->auditPath()));
    VERIFY_EXIT(CliProgram::on(server, {"acquire", "k", "--owner", "x", "--lease", "30"}), 0);
    QVERIFY(m_cli->audit().startsWith(before));
    QCOMPARE(run({"audit", "verify", "--json"}).out, "{\"records\":8,\"unfinished\":[]}\n");
}

void TestUpgrades::aHoldLogIsRead()
{
    const QByteArray before = contentOf("checks.json");
    {
        HoldLogFile file(pathOf("checks.json"), "redis://localhost:6379 lock:*");
        const auto log = file.open();
        QVERIFY2(log, log ? "" : qPrintable(log.error().inEnglish()));
        QVERIFY(!file.wasDamaged());
        Lock lock;
        lock.address.key = LockKey("lock:orders");
        lock.owners.emplace_back().owner = OwnerId("web-1:17");
        const auto longest = log->longestOf(lock);
        QVERIFY(longest);
        QCOMPARE(longest->hold, (HoldLog::Hold{1795000000000, 2}));
    }
    QCOMPARE(contentOf("checks.json"), before);
}

void TestUpgrades::aFamilyIsRead()
{
    const QByteArray before = contentOf("inhouse.toml");
    const QByteArray path = QFile::encodeName(pathOf("inhouse.toml"));
    VERIFY_EXIT(run({"family", "check", path}), 0);
    const RedisServer server;
    server.cli({"SET", "inhouse/report", "web-1!4711", "PX", "60000"});
    const Ran listed =
        CliProgram::on(server, {"list", "--json", "--families", QFile::encodeName(m_files->path())});
    VERIFY_EXIT(listed, 0);
    QCOMPARE(jsonIn(listed.out)[QStringLiteral("locks")][0][QStringLiteral("family")].toString(),
             QStringLiteral("inhouse"));
    QCOMPARE(contentOf("inhouse.toml"), before);
}

/// tests/ui/connect/tst_earliersettings.cpp reads all of them.
void TestUpgrades::settingsAreRead()
{
    const QByteArray before = contentOf("lockscope/Lockscope.conf");
    const Ran ran = run({"--connect", "orders", "list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("127.0.0.1:1"), reported(ran));
    QCOMPARE(contentOf("lockscope/Lockscope.conf"), before);
}

void TestUpgrades::newerFilesAreLeftAlone()
{
    QByteArray header = contentOf("incident").left(10);
    header[8] = 3; // the format of a recording
    replaceIn("incident", contentOf("incident").left(10), header);
    replaceIn("audit.jsonl", "{\"", "{\"format\":2,\"");
    replaceIn("checks.json", "\"version\":1", "\"version\":2");
    replaceIn("inhouse.toml", "name = ", "format = 2\nname = ");
    replaceIn("lockscope/Lockscope.conf", "[filters]\n", "[General]\nformat=2\n\n[filters]\n");
    QVERIFY(QDir().mkpath(QFileInfo(m_cli->auditPath()).path()));
    QVERIFY(QFile::copy(pathOf("audit.jsonl"), m_cli->auditPath()));
    const char *const names[] = {"incident", "audit.jsonl", "checks.json", "inhouse.toml",
                                 "lockscope/Lockscope.conf"};
    QByteArrayList before;
    for (const char *name : names)
        before << contentOf(name);

    const RedisServer server;
    const QByteArray socket = QFile::encodeName(server.socketPath());
    const QByteArray incident = QFile::encodeName(pathOf("incident"));
    const auto refused = [&](const QList<QByteArray> &words) {
        const Ran ran = run(words);
        QVERIFY2(ran.exitCode > 0 && (ran.out + ran.err).contains("ewer Lockscope"), reported(ran));
    };
    refused({"replay", incident, "--info"});
    refused({"-s", socket, "record", incident});
    refused({"audit", "verify", QFile::encodeName(m_cli->auditPath())});
    refused({"-s", socket, "acquire", "k", "--owner", "x", "--lease", "30"});
    QCOMPARE(server.cli({"DBSIZE"}), "0");
    refused({"-s", socket, "check", "--max-held", "60", "--state", QFile::encodeName(pathOf("checks.json"))});
    refused({"family", "check", QFile::encodeName(pathOf("inhouse.toml"))});
    refused({"--connect", "orders", "list"});
    for (qsizetype i = 0; i < before.size(); ++i)
        QCOMPARE(contentOf(names[i]), before[i]);
    QCOMPARE(m_cli->audit(), contentOf("audit.jsonl"));
}

QTEST_GUILESS_MAIN(TestUpgrades)
#include "tst_upgrades.moc"
