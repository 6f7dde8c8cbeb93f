// SPDX-License-Identifier: GPL-3.0-or-later
// A draft of a family goes the round that its user goes with it: `family new`, `family check`, `family try`.
#include "tests/system/cliprogram.h"

using namespace lockscope;

namespace {

const QByteArray uuid = "3c1f5dc8-2b0a-4f0e-9d4a-0a6c1d0e7f55";

QByteArray epochIn(int seconds, bool inMs)
{
    const qint64 ms = QDateTime::currentMSecsSinceEpoch() + seconds * 1000;
    return QByteArray::number(inMs ? ms : ms / 1000);
}

} // namespace

class TestCliFamilyNew : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void aDraftFindsItsKey_data()
    {
        QTest::addColumn<QByteArrayList>("write"); // the key second
        const auto row = [](const char *name, const QByteArrayList &write) { QTest::newRow(name) << write; };
        row("host and process", {"SET", "inhouse/report", "web-1!4711", "PX", "30000"});
        row("host with hyphens", {"SET", "acme:1", "web-1.example.org-4711-5f2c9a0b1e", "PX", "30000"});
        row("a UUID", {"SET", "acme:order:17:guard", uuid, "PX", "30000"});
        row("a UUID and a thread", {"SET", "acme:{order:17}", uuid + ":42", "PX", "30000"});
        row("since", {"SET", "acme:since", "RUNNING:2025-11-21T20:13:30.123Z@db-7", "PX", "30000"});
        row("ends, with a lease", {"SET", "acme_job_17", epochIn(30, true), "PX", "30000"});
        row("ends, without", {"SET", "acme/17/run", "worker3|" + epochIn(900, false)});
        row("labels", {"SET", "acme:a:b", "pid=4711;host=web-1;tid=3"});
        row("random letters", {"SET", "acme:x:1", "s:16:\"a8Xk2PqL09vBnM3z\";", "PX", "30000"});
        row("base64", {"SET", "acme:y:1", "q83vEjRWeJq83vEjRWeJASNFZ4k=", "PX", "30000"});
        row("a flag", {"SET", "acme:maintenance", "locked", "PX", "30000"});
        row("bytes", {"SET", QByteArray("acme:'\"\\\n:9"), "\xfe'\\\x80\n"});
        row("nothing", {"SET", "acme:e:9", "", "PX", "30000"});
        row("JSON",
            {"SET", "acme:j:9", "{\"at\":" + epochIn(-9, true) + ",\"lockedBy\":\"web-1:88\",\"tags\":[1]}"});
        row("many dots", {"SET", "a.b.c.d.e", QByteArray("a.b").repeated(20), "PX", "30000"});
        row("a hash of owners", {"HSET", "acme:h:9", "web-2:12", "1", "web-1:7", "2"});
        row("a record", {"HSET", "acme:r:9", "owner", uuid, "pid", "12", "expires_at", epochIn(60, false)});
        row("a set", {"SADD", "acme:s:9", "web-1/12", "web-2/13"});
        row("a set of ends", {"ZADD", "acme:z:9", epochIn(60, true), uuid});
        row("a set of beginnings",
            {"ZADD", "acme:z:8", epochIn(-60, false), "a-1", epochIn(-50, false), "a-2"});
    }
    void aDraftFindsItsKey()
    {
        QFETCH(QByteArrayList, write);
        const QByteArray key = write[1];
        m_server.cli({"FLUSHALL"});
        m_server.cli(write);
        const Ran drafted = onServer({"family", "new", key});
        VERIFY_EXIT(drafted, 0);
        const QString path = m_folder.filePath(QStringLiteral("draft.toml"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(drafted.out) == drafted.out.size());
        file.close();
        const Ran checked = CliProgram::run({"family", "check", QFile::encodeName(path), "--json"});
        VERIFY_EXIT(checked, 0);
        const Ran tried = onServer({"family", "try", QFile::encodeName(path), "--json"});
        VERIFY_EXIT(tried, 0);
        const QJsonArray matched = jsonIn(tried.out)[QLatin1String("matched")].toArray();
        QVERIFY2(matched.size() == 1, reported(drafted) + reported(tried));
        QVERIFY2(matched[0][QLatin1String("certainty")] == QLatin1String("certain"), reported(tried));
    }

    void severalFilesAreChecked()
    {
        const auto made = [this](const char *name, const QByteArray &text) {
            QFile file(m_folder.filePath(QLatin1String(name)));
            const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
            return isWritten ? QFile::encodeName(file.fileName()) : QByteArray();
        };
        const QByteArray good = made("good.toml", "name = 'a'\nform = [{ value = 'x' }]\n");
        const QByteArray bad = made("bad.toml", "name = 'b'\n");
        VERIFY_EXIT(CliProgram::run({"family", "check", good, good}), 0);
        const Ran ran = CliProgram::run({"family", "check", bad, good});
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.out.startsWith(bad + ":1:1: ") && ran.out.contains(good + ": the family a is valid"),
                 reported(ran));
        const Ran json = CliProgram::run({"family", "check", "no-such.toml", bad, good, "--json"});
        VERIFY_EXIT(json, 3);
        QVERIFY2(json.err.contains("no-such.toml cannot be read"), reported(json));
        const QByteArrayList lines = json.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(jsonIn(lines[1])[QLatin1String("file")].toString(), QFile::decodeName(bad));
        QVERIFY(jsonIn(lines[2])[QLatin1String("valid")].toBool());
    }

    void saysWhyThereIsNone()
    {
        m_server.cli({"FLUSHALL"});
        VERIFY_EXIT(onServer({"family", "new"}), 2);
        Ran ran = onServer({"family", "new", "acme:1"});
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.err.contains("no key acme:1"), reported(ran));
        m_server.cli({"RPUSH", "acme:1", "a"});
        ran = onServer({"family", "new", "YWNtZTox", "--base64"});
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.err.contains("No family form fits acme:1."), reported(ran));
        m_server.cli({"SET", "acme:2", "web-1!4711"});
        ran = onServer({"family", "new", "acme:2", "--json"});
        VERIFY_EXIT(ran, 0);
        QVERIFY(jsonIn(ran.out)[QLatin1String("draft")].toString().contains(QLatin1String("name = 'acme'")));
    }

    /// What the file of a family says for those on call, where they look.
    void tellsWhatToDo()
    {
        m_server.cli({"FLUSHALL"});
        m_server.cli({"SET", "inhouse/report", "web-1!4711"});
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("inhouse.toml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "name = \"inhouse\"\nrunbook = \"https://wiki.example.org/locks\"\ncontact = \"#ops\\u001b[1m\"\n"
            "names.usual = [\"inhouse/*\"]\n[[form]]\nvalue = \"{host:word}!{process:digits}\"\n");
        file.close();
        const QByteArrayList families{"--families", QFile::encodeName(folder.path())};
        const QByteArray said = "Runbook: https://wiki.example.org/locks";
        for (const QByteArrayList &verb :
             {QByteArrayList{"get", "inhouse/report", "--explain"}, {"alert", "--duration", "1"}}) {
            Ran ran = onServer(families + verb);
            VERIFY_EXIT(ran, 0);
            QVERIFY2(ran.out.contains(said) && ran.out.contains("Contact: #ops\\x1b[1m"), reported(ran));
            ran = onServer(families + verb + QByteArrayList{"--json"});
            VERIFY_EXIT(ran, 0);
            QJsonObject document;
            for (const QByteArray &line : ran.out.split('\n'))
                document = line.contains("runbook") ? jsonIn(line) : document;
            QCOMPARE(document[QLatin1String("runbook")].toString(),
                     QStringLiteral("https://wiki.example.org/locks"));
            QCOMPARE(document[QLatin1String("contact")].toString(), QStringLiteral("#ops\u001b[1m"));
        }
        QVERIFY(!onServer({"get", "inhouse/report", "--explain"}).out.contains("Runbook"));
    }

private:
    Ran onServer(const QByteArrayList &arguments) { return CliProgram::on(m_server, arguments); }

    CliProgram m_cli;
    RedisServer m_server;
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliFamilyNew)
#include "tst_clifamilynew.moc"
