// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/error.h"

#include <QtTest>

using namespace lockscope;

class TestError : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void classifiesServersText_data();
    void classifiesServersText();
    void keepsTextBounded();
    void knowsWhatOnlyTheUserCanMend();
};

void TestError::classifiesServersText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorKind>("kind");

    const auto row = [](const char *text, ErrorKind kind) {
        QTest::newRow(text) << QByteArray(text) << kind;
    };
    row("NOAUTH Authentication required.", ErrorKind::AuthRequired);
    row("WRONGPASS invalid username-password pair or user is disabled.", ErrorKind::WrongPassword);
    row("ERR invalid password", ErrorKind::WrongPassword);
    row("ERR Client sent AUTH, but no password is set", ErrorKind::WrongPassword);
    row("ERR AUTH <password> called without any password configured for the default user. Are you sure your "
        "configuration is correct?",
        ErrorKind::WrongPassword);
    row("NOPERM this user has no permissions to run the 'scan' command", ErrorKind::NoPermission);
    row("DENIED Redis is running in protected mode", ErrorKind::NoPermission);
    row("ERR ACL failure in script: User w has no permissions to run the 'set' command script: ff96, on "
        "@user_script:1.",
        ErrorKind::NoPermission);
    row("ERR ACL failure in script: No permissions to access a key script: eaea, on @user_script:1.",
        ErrorKind::NoPermission);
    row("ERR The user executing the script can't run this command or subcommand script: 5a, on "
        "@user_script:1.",
        ErrorKind::NoPermission);
    row("ERR The user executing the script can't access at least one of the keys mentioned in the command "
        "arguments "
        "script: 5a, on @user_script:1.",
        ErrorKind::NoPermission);
    row("ERR Error running script (call to f_5a): @user_script:1: @user_script: 1: The user executing the "
        "script can't "
        "run this command or subcommand",
        ErrorKind::NoPermission);
    row("ERR Error running script (call to f_5a): @user_script:1: @user_script: 1: -READONLY You can't write "
        "against a "
        "read only replica.",
        ErrorKind::ReadOnlyReplica);
    row("ERR Error running script (call to f_5a): @user_script:7: something else", ErrorKind::ServerError);
    row("ERR Error running script (call to f_5a): @user_script:7", ErrorKind::ServerError);
    row("LOADING Redis is loading the dataset in memory", ErrorKind::Loading);
    row("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        ErrorKind::Busy);
    row("BUSYKEY Target key name already exists.", ErrorKind::ServerError);
    row("MOVED 3999 127.0.0.1:6381", ErrorKind::Moved);
    row("ASK 3999 127.0.0.1:6381", ErrorKind::Ask);
    row("ASKING", ErrorKind::ServerError);
    row("TRYAGAIN Multiple keys request during rehashing of slot", ErrorKind::TryAgain);
    row("CLUSTERDOWN The cluster is down", ErrorKind::ClusterDown);
    row("READONLY You can't write against a read only replica.", ErrorKind::ReadOnlyReplica);
    row("MISCONF Redis is configured to save RDB snapshots", ErrorKind::PersistenceFailed);
    row("OOM command not allowed when used memory > 'maxmemory'.", ErrorKind::OutOfMemory);
    row("NOREPLICAS Not enough good replicas to write.", ErrorKind::NoReplicas);
    row("MASTERDOWN Link with MASTER is down", ErrorKind::MasterDown);
    row("NOSCRIPT No matching script. Please use EVAL.", ErrorKind::NoScript);
    row("WRONGTYPE Operation against a key holding the wrong kind of value", ErrorKind::WrongType);
    row("ERR max number of clients reached", ErrorKind::TooManyClients);
    row("ERR unknown command 'NOPERM'", ErrorKind::ServerError);
    row("NOAUTH", ErrorKind::AuthRequired);
    row("noauth lower case is no code", ErrorKind::ServerError);
    row("NOPERM\r\n", ErrorKind::NoPermission);
    row("", ErrorKind::ServerError);
}

void TestError::classifiesServersText()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorKind, kind);

    const Error error = serverError(text);
    QCOMPARE(error.kind, kind);
    QCOMPARE(error.detail, text.trimmed());
}

void TestError::keepsTextBounded()
{
    const Error error = serverError("NOPERM " + QByteArray(100'000, 'x') + "\r\n");
    QCOMPARE(error.kind, ErrorKind::NoPermission);
    QCOMPARE(error.detail.size(), 1024);
    QVERIFY(error.detail.startsWith("NOPERM xxx"));
}

void TestError::knowsWhatOnlyTheUserCanMend()
{
    const QList<ErrorKind> user{ErrorKind::AuthRequired, ErrorKind::WrongPassword,   ErrorKind::NoPermission,
                                ErrorKind::TlsFailed,    ErrorKind::SentinelRefused, ErrorKind::SshRefused,
                                ErrorKind::NotOfGroup,   ErrorKind::InvalidArgument};
    for (int kind = 0; kind <= static_cast<int>(ErrorKind::InvalidArgument); ++kind)
        QCOMPARE(requiresUserAction(static_cast<ErrorKind>(kind)),
                 user.contains(static_cast<ErrorKind>(kind)));
}

QTEST_GUILESS_MAIN(TestError)
#include "tst_error.moc"
