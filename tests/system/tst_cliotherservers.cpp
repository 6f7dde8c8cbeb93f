// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program on servers that are almost Redis.
#include "tests/support/otherservers.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;

namespace {

Ran on(const FakePeer &peer, const QList<QByteArray> &words)
{
    return CliProgram::companions(
        QList<QByteArray>{"-h", "127.0.0.1", "-p", QByteArray::number(peer.port())} + words);
}

const QByteArray token = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const QList<QByteArray> end{"force-expire", "lock:1", "--expect-owner", token, "--json"};

} // namespace

class TestCliOtherServers : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_cli.emplace();
    }
    void cleanup() { m_cli.reset(); }

    void keyDb();
    void dragonfly();
    void garnet();

private:
    std::optional<CliProgram> m_cli;
};

void TestCliOtherServers::keyDb()
{
    const KeyDbPeer peer;
    const Ran checked = on(peer, {"check", "--server"});
    VERIFY_EXIT(checked, 1);
    for (const char *word :
         {"KeyDB 6.3.4", "Two servers take writes (active-replica)", "Use one primary for locks"})
        QVERIFY2(checked.out.contains(word), reported(checked));
    VERIFY_EXIT(on(peer, {"list"}), 0);
}

void TestCliOtherServers::dragonfly()
{
    const DragonflyPeer peer;
    const Ran checked = on(peer, {"check", "--server"});
    VERIFY_EXIT(checked, 1);
    for (const char *word : {"Dragonfly df-v1.38.0", "Lockscope polls", "A crash now forgets 12 changes",
                             "Replicas: 1, in sync: 1"})
        QVERIFY2(checked.out.contains(word), reported(checked));
    for (const char *claim : {"appendonly", "min-replicas", "s ago", "h ago"})
        QVERIFY2(!checked.out.contains(claim), reported(checked));
    const Ran listed = on(peer, {"list", "--json"});
    VERIFY_EXIT(listed, 0);
    QCOMPARE(jsonIn(listed.out)[QStringLiteral("locks")].toArray().size(), 1);
    // The script may have written before it was refused: the key is looked at, and that is what is told.
    const Ran ended = on(peer, end);
    VERIFY_EXIT(ended, 3);
    QVERIFY2(jsonIn(ended.out)[QStringLiteral("outcome")].toString().contains(QStringLiteral("unknown")),
             reported(ended));
    QCOMPARE(peer.commands("EVAL").size(), 1);
    QVERIFY(!peer.commands("EVAL").first().value(1).startsWith("#!"));
}

void TestCliOtherServers::garnet()
{
    const GarnetPeer peer;
    const Ran checked = on(peer, {"check", "--server"});
    VERIFY_EXIT(checked, 1);
    for (const char *word : {"Garnet 1.0.84", "--storage-tier", "--lua", "No append-only file"})
        QVERIFY2(checked.out.contains(word), reported(checked));
    VERIFY_EXIT(on(peer, {"list"}), 0);
    const Ran ended = on(peer, end);
    VERIFY_EXIT(ended, 3);
    QVERIFY2((ended.out + ended.err).contains("Lua scripting support disabled"), reported(ended));
    QVERIFY2(!ended.out.contains("unknown"), reported(ended));
    QVERIFY(peer.commands("EVAL").isEmpty());
}

QTEST_GUILESS_MAIN(TestCliOtherServers)
#include "tst_cliotherservers.moc"
