// SPDX-License-Identifier: GPL-3.0-or-later
// What an environment asks for is what is refused without it; and how long production stays unlocked.
#include "core/act/actionguard.h"
#include "core/act/deploymentoperations.h"
#include "core/monitor/session.h"
#include "core/redis/writegate.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr Environment unset = Environment::Unset;
constexpr Environment development = Environment::Development;
constexpr Environment staging = Environment::Staging;
constexpr Environment production = Environment::Production;

ActionRequest force(const QByteArray &key, const Consent &consent)
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    request.family = "token"_family;
    request.key = LockKey(key);
    request.expected = {{OwnerId("x"), {}, {}}};
    request.consent = consent;
    return request;
}

Consent typed(const QString &name, bool isOneOfSeveral = false)
{
    return {Consent::Named, name, isOneOfSeveral};
}

} // namespace

class ActionGuardTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void asksByEnvironment()
    {
        QCOMPARE(ActionGuard(unset).asks(Action::Release), Consent::Confirmed);
        QCOMPARE(ActionGuard(development).asks(Action::ForceExpire), Consent::None);
        QCOMPARE(ActionGuard(staging).asks(Action::ForceExpire), Consent::Confirmed);
        QCOMPARE(ActionGuard(production).asks(Action::Extend), Consent::Named);
    }

    void aQuestionIsSkippedForItsActionInStagingAlone()
    {
        for (const Environment environment : {unset, production}) {
            ActionGuard guard(environment);
            guard.skip(Action::Release);
            QCOMPARE(guard.asks(Action::Release), ActionGuard(environment).asks(Action::Release));
            QVERIFY(!guard.maySkip());
        }
        ActionGuard guard(staging);
        QVERIFY(guard.maySkip());
        guard.skip(Action::Release);
        QCOMPARE(guard.asks(Action::Release), Consent::None);
        QCOMPARE(guard.asks(Action::ForceExpire), Consent::Confirmed);
        QVERIFY(guard.refusal(force("k", {})));
    }

    void refusesWhatWasNotAgreedTo_data()
    {
        QTest::addColumn<Environment>("environment");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<Consent>("consent");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("development") << development << QByteArray("k") << Consent() << false;
        QTest::newRow("staging, unasked") << staging << QByteArray("k") << Consent() << true;
        QTest::newRow("staging") << staging << QByteArray("k") << Consent{Consent::Confirmed} << false;
        QTest::newRow("staging, more than asked") << staging << QByteArray("k") << typed({}) << false;
        QTest::newRow("not set") << unset << QByteArray("k") << Consent() << false;
        QTest::newRow("production, confirmed")
            << production << QByteArray("k") << Consent{Consent::Confirmed} << true;
        QTest::newRow("production, nothing typed") << production << QByteArray("k") << typed({}) << true;
        QTest::newRow("production, blanks")
            << production << QByteArray(" ") << typed(QStringLiteral(" ")) << false;
        QTest::newRow("production, another")
            << production << QByteArray("k") << typed(QStringLiteral("K")) << true;
        QTest::newRow("production") << production << QByteArray("k") << typed(QStringLiteral(" k ")) << false;
        QTest::newRow("production, bytes")
            << production << QByteArray("k\xff") << typed(QStringLiteral("k\\xff")) << false;
        QTest::newRow("production, a class in the name")
            << production << QByteArray("App\\Jobs") << typed(QStringLiteral("App\\\\Jobs")) << false;
        QTest::newRow("production, two lines")
            << production << QByteArray("a\nb") << typed(QStringLiteral("a\\x0ab")) << false;
        QTest::newRow("several, the lock's name")
            << production << QByteArray("k") << typed(QStringLiteral("k"), true) << true;
        QTest::newRow("several") << production << QByteArray("k") << typed(QStringLiteral("orders"), true)
                                 << false;
        QTest::newRow("one, the server's name")
            << production << QByteArray("k") << typed(QStringLiteral("orders")) << true;
    }

    void refusesWhatWasNotAgreedTo()
    {
        QFETCH(const Environment, environment);
        QFETCH(const QByteArray, key);
        QFETCH(const Consent, consent);
        QFETCH(const bool, isRefused);
        const auto refusal = ActionGuard(environment, QStringLiteral("orders")).refusal(force(key, consent));
        QCOMPARE(refusal.has_value(), isRefused);
        if (refusal)
            QCOMPARE(refusal->kind, ErrorKind::NotAgreed);
    }

    void theGateCloses()
    {
        WriteGate gate;
        QVERIFY(!gate.isOpen());
        QCOMPARE(gate.left(), 0ms);
        gate.openFor(1h);
        QVERIFY(gate.isOpen());
        QVERIFY(gate.left() > 59min && gate.left() <= 1h);
        gate.close();
        QVERIFY(!gate.isOpen());
        gate.openFor(0s);
        QVERIFY(!gate.isOpen());
    }

    /// The one that sends refuses, whatever whoever asks has shown.
    void productionIsReadOnlyUntilUnlocked()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "x", "PX", "60000"});
        server.cli({"CONFIG", "RESETSTAT"});
        const auto run = [this](Session &session, const Consent &consent) {
            const auto result = waitFor(session.run(force("lock:a", consent)));
            return result ? QVariant::fromValue(int(result->outcome))
                          : QVariant(int(result.error().kind) + 1000);
        };
        const auto refused = [](ErrorKind kind) { return QVariant(int(kind) + 1000); };
        Session session(server.tcpAddress(), {.monitor = {},
                                              .auditPath = m_files.filePath(QStringLiteral("audit")),
                                              .guard = ActionGuard(production, QStringLiteral("orders"))});
        ToldSpy<ConnectionStatus> ready(session);
        QSignalSpy turned(&session, &Session::lockedOrUnlocked);
        session.open();
        QTRY_VERIFY(!ready.isEmpty());
        QVERIFY(session.isReadOnly());
        QCOMPARE(*session.unlockedFor(), 0ms);
        QCOMPARE(run(session, typed(QStringLiteral("lock:a"))), refused(ErrorKind::ReadOnlyMode));
        session.unlock();
        QVERIFY(!session.isReadOnly());
        QVERIFY(*session.unlockedFor() > 14min);
        QCOMPARE(run(session, Consent{Consent::Confirmed}), refused(ErrorKind::NotAgreed));
        session.skipQuestion(Action::ForceExpire); // which nobody may in production
        QCOMPARE(run(session, {}), refused(ErrorKind::NotAgreed));
        QVERIFY(!server.cli({"INFO", "commandstats"}).contains("_eval"));
        QVERIFY(!QFile::exists(m_files.filePath(QStringLiteral("audit"))));
        session.lock();
        QCOMPARE(run(session, typed(QStringLiteral("lock:a"))), refused(ErrorKind::ReadOnlyMode));
        QCOMPARE(server.cli({"GET", "lock:a"}), "x");
        QCOMPARE(turned.size(), 2);
        session.unlock();
        QCOMPARE(run(session, typed(QStringLiteral("lock:a"))), QVariant::fromValue(int(Outcome::Expired)));
        QCOMPARE(server.cli({"EXISTS", "lock:a"}), "0");
    }

    void whatIsReadOnlyForGoodIsNotUnlocked()
    {
        const RedisServer server;
        Session session(server.tcpAddress(),
                        {.monitor = {}, .readOnly = true, .auditPath = {}, .guard = ActionGuard(production)});
        QVERIFY(session.isReadOnly());
        QVERIFY(!session.unlockedFor());
        session.unlock();
        QVERIFY(session.isReadOnly());
        Session other(server.tcpAddress(), {.monitor = {}, .auditPath = {}, .guard = ActionGuard(staging)});
        QVERIFY(!other.unlockedFor());
        QVERIFY(!other.isReadOnly());
    }

private:
    QTemporaryDir m_files;
};

QTEST_GUILESS_MAIN(ActionGuardTest)
#include "tst_actionguard.moc"
