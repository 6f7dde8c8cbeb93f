// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of version 0.1.0 are read as they are.
#include "core/base/settings.h"
#include "core/family/registry.h"
#include "core/redis/storedservers.h"
#include "tests/support/ownsettings.h"
#include "ui/alerts/alertnotes.h"
#include "ui/connect/serverprofile.h"
#include "ui/locks/keptfilters.h"
#include "ui/widgets/theme.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace lockscope;

class TestEarlierSettings : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void areRead();
};

namespace {

StoredServer orders()
{
    StoredServer server{QStringLiteral("orders"),
                        ServerAddress::parse(QStringLiteral("redis://127.0.0.1:1/2")).value(), true};
    server.environment = Environment::Production;
    server.group = QStringLiteral("shop");
    return server;
}

StoredServer encrypted()
{
    StoredServer server{{}, ServerAddress::parse(QStringLiteral("rediss://redis.example.org")).value()};
    server.address.caFile = QStringLiteral("/etc/ssl/ca.pem");
    server.address.addPin(QByteArray(64, 'a'));
    server.address.addNodeAddress("10.0.0.5:6379=localhost:7001");
    return server;
}

ServerProfile profile()
{
    ServerProfile notes;
    notes.names.insert("7c9e6679", QStringLiteral("billing"));
    notes.rules.append({"order:*", *familyFromName("redisson")});
    notes.undiscovered.insert(*familyFromName("shedlock"));
    notes.patterns = {"lock:*", "order:*"};
    return notes;
}

AlertSettings alerts()
{
    AlertSettings kept;
    kept.notifies = false;
    kept.rules[alertRuleTable().front().kind].reset();
    return kept;
}

} // namespace

void TestEarlierSettings::areRead()
{
    const OwnSettings files;
    const QString path = Settings().fileName();
    QVERIFY(QFile::remove(path));
    QVERIFY(
        QFile::copy(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/fixtures/before-1.0/Lockscope.conf"), path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();

    QCOMPARE(storedServers(), (QList{orders(), encrypted()}));
    const QString uri = orders().address.toUriWithoutPassword();
    QCOMPARE(notesOf(uri), profile());
    QCOMPARE(alertSettingsOf(uri), alerts());
    QCOMPARE(KeptFilters::recent(), QStringList{QStringLiteral("state:stalled")});
    QCOMPARE(KeptFilters::saved().value(0).text, QStringLiteral("held>1m waiters>0"));
    QCOMPARE(chosenTheme(), Theme::Dark);
    QCOMPARE(Settings().value(QStringLiteral("window/language")).toString(), QStringLiteral("zh_CN"));
    QVERIFY(!Settings::areNewer());

    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
}

QTEST_MAIN(TestEarlierSettings)
#include "tst_earliersettings.moc"
