// SPDX-License-Identifier: GPL-3.0-or-later
// The real keychain: GNOME Keyring on a session bus of the test's own, with the window and with the program.
#include "ui/connect/keychain.h"

#include "tests/support/keyring.h"
#include "tests/support/redisserver.h"
#include "ui/actions/mainactions.h"
#include "ui/shell/mainwindow.h"

#include <QCheckBox>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QtTest>

#include <algorithm>

using namespace lockscope;

namespace {

using Why = SecretStore::Problem;

const QByteArray canary = "canary 7f3d+%41é";

template <typename T>
SecretStore::Answer<T> answerOf(const QFuture<SecretStore::Answer<T>> &future)
{
    if (!QTest::qWaitFor([&] { return future.isFinished(); }, 60'000))
        qFatal("the keychain does not answer");
    return future.result();
}

SecretStore::Answer<QByteArray> kept(const QString &key)
{
    return answerOf(Keychain::instance().read(key));
}

/// Whether the password stands in it, in one of the forms in which it could.
bool tells(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(canary);
    const QByteArray wide(reinterpret_cast<const char *>(text.utf16()), text.size() * 2);
    return std::ranges::any_of(QByteArrayList{canary, canary.toPercentEncoding(), canary.toBase64(),
                                              canary.toHex(), wide, text.toLatin1()},
                               [&](const QByteArray &form) { return bytes.contains(form); });
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class KeychainTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
    }
    void cleanup() { QSettings().clear(); }
    void withoutAnyItIsSaidSo(); // the first, while there is none
    void entriesAreWrittenReadAndRemoved();
    void theWindowKeepsAPasswordAndTheProgramUsesIt();
    void aKeptPasswordThatIsRefusedIsSaidToBe();
    void aLockedOneGivesAndRemovesNothing(); // the last, since nobody unlocks it again

private:
    template <typename T>
    static T *find(const MainWindow &window, const char *name)
    {
        return window.findChild<T *>(QString::fromLatin1(name));
    }
    QStringList filesThatTell() const;
    ServerAddress address() const;
    /// That of a server whose passwords the user keeps.
    ServerAddress keptAddress() const;

    Keyring m_keyring;
    RedisServer m_server;
};

void KeychainTest::initTestCase()
{
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    QCoreApplication::setApplicationName(QStringLiteral("Lockscope"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                       m_keyring.home() + QLatin1String("/.config"));
    m_server.cli({"ACL", "SETUSER", "ops", "on", ">" + canary, "~*", "&*", "+@all"});
    m_server.cli({"ACL", "SETUSER", "default", "off"});
}

ServerAddress KeychainTest::address() const
{
    ServerAddress address = m_server.tcpAddress();
    address.user = "ops";
    return address;
}

ServerAddress KeychainTest::keptAddress() const
{
    rememberServer({{}, address()});
    setKeepsPasswords(address(), true);
    return address();
}

/// Of those in the home.
QStringList KeychainTest::filesThatTell() const
{
    QStringList found;
    QDirIterator files(m_keyring.home(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        if (const QString path = files.next(); tells(contentOf(path)) || tells(path.toUtf8()))
            found.append(path);
    }
    return found;
}

void KeychainTest::withoutAnyItIsSaidSo()
{
    const QByteArray bus = qgetenv("DBUS_SESSION_BUS_ADDRESS");
    for (const QByteArray &address : {QByteArray("unix:path=/nonexistent/bus"), bus}) {
        qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        const auto read = kept(QStringLiteral("a"));
        QVERIFY(!read && read.error().problem == Why::Unavailable);
        QVERIFY(!read.error().detail.isEmpty());
        const auto written = answerOf(Keychain::instance().write(QStringLiteral("a"), canary));
        QVERIFY(!written && written.error().problem == Why::Unavailable);
    }
    QCOMPARE(filesThatTell(), QStringList()); // nowhere else instead
}

void KeychainTest::entriesAreWrittenReadAndRemoved()
{
    m_keyring.start();
    const QString key = QStringLiteral("redis://ops:@db:6379");
    const auto missing = kept(key);
    QVERIFY(!missing && missing.error().problem == Why::NotFound);
    QVERIFY(answerOf(Keychain::instance().write(key, "one")));
    QVERIFY(answerOf(Keychain::instance().write(key, canary)));
    QVERIFY(answerOf(Keychain::instance().write(key + u'0', "another")));
    QCOMPARE(kept(key).value(), canary);
    QVERIFY(answerOf(Keychain::instance().remove(key)));
    QVERIFY(!kept(key));
    QCOMPARE(kept(key + u'0').value(), QByteArray("another"));
    const auto nothing = answerOf(Keychain::instance().remove(key));
    QVERIFY(!nothing && nothing.error().problem == Why::NotFound);
}

void KeychainTest::theWindowKeepsAPasswordAndTheProgramUsesIt()
{
    m_keyring.start();
    const ServerAddress server = address();
    const QString uri = server.toUriWithoutPassword();
    const auto isWatched = [this] {
        return m_server.cli({"--user", "ops", "-a", canary, "--no-auth-warning", "CLIENT", "LIST"})
            .contains("name=lockscope");
    };
    {
        MainWindow window({});
        window.show();
        find<QLineEdit>(window, "uri")->setText(uri);
        find<QLineEdit>(window, "password")->setText(QString::fromUtf8(canary));
        find<QCheckBox>(window, "keepPasswords")->click();
        find<QPushButton>(window, "connect")->click();
        QTRY_VERIFY_WITH_TIMEOUT(kept(uri), 60'000);
        QVERIFY(keepsPasswords(server));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!isWatched(), 60'000);

    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"), {QStringLiteral("-u"), uri});
    QTRY_VERIFY_WITH_TIMEOUT(isWatched(), 60'000);
    const QString process = QStringLiteral("/proc/%1/").arg(program.processId());
    for (const char *file : {"cmdline", "environ"}) {
        const QByteArray content = contentOf(process + QLatin1String(file));
        QVERIFY(!content.isEmpty() && !tells(content));
    }
    program.terminate();
    QVERIFY(program.waitForFinished(60'000));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(!tells(program.readAll()));

    // The program for scripts asks no keychain.
    const Ran listed =
        runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), {"-u", uri.toUtf8(), "list"});
    QCOMPARE(listed.exitCode, 2);
    QVERIFY2(listed.err.contains("needs a password"), listed.err.constData());

    QSettings().sync();
    const QString control = m_keyring.home() + QLatin1String("/control");
    {
        QFile file(control);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("x" + canary);
    }
    QCOMPARE(filesThatTell(), QStringList{control});
    QVERIFY(QFile::remove(control));
    QVERIFY(QFile::exists(m_keyring.home() + QLatin1String("/.local/share/keyrings/login.keyring")));
    QVERIFY(contentOf(QSettings().fileName()).contains("keepsPasswords=true"));
}

void KeychainTest::aKeptPasswordThatIsRefusedIsSaidToBe()
{
    m_keyring.start();
    const ServerAddress server = keptAddress();
    const QString uri = server.toUriWithoutPassword();
    QVERIFY(answerOf(Keychain::instance().write(uri, "password=wrong")));
    WindowOptions options;
    options.server = server;
    MainWindow window(options);
    window.show();
    const auto *message = find<QLabel>(window, "loginMessage");
    QTRY_VERIFY_WITH_TIMEOUT(message->text().contains(QStringLiteral("came from the keychain")), 60'000);
    QCOMPARE(find<QLineEdit>(window, "password")->text(), QString());
    QCOMPARE(kept(uri).value(), QByteArray("password=wrong"));
    // The right one takes its place.
    find<QLineEdit>(window, "password")->setText(QString::fromUtf8(canary));
    find<QPushButton>(window, "connect")->click();
    QTRY_COMPARE_WITH_TIMEOUT(kept(uri).value(), "password=" + canary.toPercentEncoding(), 60'000);
}

void KeychainTest::aLockedOneGivesAndRemovesNothing()
{
    m_keyring.start();
    const QString key = QStringLiteral("redis://ops:@db:63790");
    QVERIFY(answerOf(Keychain::instance().write(key, "one")));
    QVERIFY(kept(key) && m_keyring.has(QStringLiteral("user"), key));
    QVERIFY(!m_keyring.has(QStringLiteral("user"), key + u'0'));
    m_keyring.lock();
    const auto read = kept(key);
    QVERIFY(!read && read.error().problem == Why::NotFound);
    const auto removed = answerOf(Keychain::instance().remove(key));
    QVERIFY(!removed && removed.error().problem == Why::NotFound);
    QVERIFY(m_keyring.has(QStringLiteral("user"), key));
    QVERIFY(!answerOf(Keychain::instance().write(key, "other")));

    // Whoever types the password is let in, and told that it was not kept.
    const ServerAddress server = keptAddress();
    MainWindow window({});
    window.show();
    find<QLineEdit>(window, "uri")->setText(server.toUriWithoutPassword());
    QVERIFY(find<QCheckBox>(window, "keepPasswords")->isChecked());
    find<QLineEdit>(window, "password")->setText(QString::fromUtf8(canary));
    find<QPushButton>(window, "connect")->click();
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QMessageBox *>(), 60'000);
    const auto *box = window.findChild<QMessageBox *>();
    QVERIFY2(box->text().contains(QStringLiteral("was not kept")), qPrintable(box->text()));
    QCOMPARE(box->textFormat(), Qt::PlainText);
    QCOMPARE(filesThatTell(), QStringList());
}

QTEST_MAIN(KeychainTest)
#include "tst_keychain.moc"
