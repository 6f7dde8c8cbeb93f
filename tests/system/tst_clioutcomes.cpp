// SPDX-License-Identifier: GPL-3.0-or-later
// An outcome that is known is printed, whatever fails after it; of one that is not known, what was found is.
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

QByteArray named(const QByteArray &outcome)
{
    return "*4\r\n$" + QByteArray::number(outcome.size()) + "\r\n" + outcome +
           "\r\n:-1\r\n:29000\r\n$0\r\n\r\n";
}

} // namespace

class TestCliOutcomes : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void aKnownOutcomeStandsWhereItsExplanationFails_data();
    void aKnownOutcomeStandsWhereItsExplanationFails();
    void aKnownOutcomeStandsWhereTheNextTryFails_data();
    void aKnownOutcomeStandsWhereTheNextTryFails();
    void whatWasFoundIsInTheDocument_data();
    void whatWasFoundIsInTheDocument();

private:
    static Ran acquire(const FakePeer &peer, const Words &more = {})
    {
        return CliProgram::companions(Words{"-h", "127.0.0.1", "-p", QByteArray::number(peer.port()),
                                            "acquire", "lock:a", "--owner", "x", "--lease", "30", "--json"} +
                                      more);
    }

    std::optional<CliProgram> m_cli;
};

void TestCliOutcomes::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
}

void TestCliOutcomes::aKnownOutcomeStandsWhereItsExplanationFails_data()
{
    QTest::addColumn<bool>("isLost");
    QTest::newRow("the look is not permitted") << false;
    QTest::newRow("the connection is lost") << true;
}

/// The script said wrong-type, and so does the record; what stands there instead can't be looked at.
void TestCliOutcomes::aKnownOutcomeStandsWhereItsExplanationFails()
{
    QFETCH(const bool, isLost);
    FakePeer peer;
    peer.once("EVALSHA", named("wrong-type"));
    const FakePeer::Answer refused("-NOPERM this user has no permissions to run it\r\n");
    for (const char *command : {"PTTL", "HSCAN", "GETRANGE"})
        peer.on(command, isLost ? FakePeer::Answer().reset() : refused);
    const Ran ran = acquire(peer);
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("wrong-type"));
    QVERIFY(!ran.err.isEmpty()); // why there is no explanation
    QCOMPARE(m_cli->auditRecords().last()[QLatin1String("outcome")].toString(), QStringLiteral("wrong-type"));
}

void TestCliOutcomes::aKnownOutcomeStandsWhereTheNextTryFails_data()
{
    QTest::addColumn<bool>("isLost");
    QTest::newRow("refused") << false;
    QTest::newRow("the connection is lost") << true;
}

void TestCliOutcomes::aKnownOutcomeStandsWhereTheNextTryFails()
{
    QFETCH(const bool, isLost);
    FakePeer peer;
    const FakePeer::Answer held(named("held-by-other"));
    peer.once("EVALSHA", isLost ? FakePeer::Answer(named("held-by-other")).close() : held);
    if (!isLost)
        peer.once("EVALSHA", "-LOADING Redis is loading the dataset in memory\r\n");
    const Ran ran = acquire(peer, {"--wait", "60"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("held-by-other"));
    QVERIFY(!ran.err.isEmpty()); // why it did not wait to the end
}

void TestCliOutcomes::whatWasFoundIsInTheDocument_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("state");
    QTest::newRow("another's") << QByteArray("8743c9c0-0795-4907-87fd-6c719a6b4586")
                               << QStringLiteral("held");
    QTest::newRow("released by a word") << QByteArray("unlocked") << QStringLiteral("unreadable");
}

void TestCliOutcomes::whatWasFoundIsInTheDocument()
{
    QFETCH(const QByteArray, value);
    QFETCH(const QString, state);
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().reset());
    peer.on("PTTL", ":-1\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", '$' + QByteArray::number(value.size()) + "\r\n" + value + "\r\n");
    const Ran ran = acquire(peer);
    VERIFY_EXIT(ran, 3);
    const QJsonObject found = jsonIn(ran.out)[QLatin1String("found")].toObject();
    const bool isHeld = state == QStringLiteral("held");
    QCOMPARE(found[QLatin1String("state")].toString(), state);
    QCOMPARE(found.contains(QLatin1String("owners")), isHeld);
    QCOMPARE(found.contains(QLatin1String("looks_like_lock")), !isHeld);
    QCOMPARE(ran.out.contains("probably not a lock"), !isHeld);
}

QTEST_GUILESS_MAIN(TestCliOutcomes)
#include "tst_clioutcomes.moc"
