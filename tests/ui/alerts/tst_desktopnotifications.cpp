// SPDX-License-Identifier: GPL-3.0-or-later
// On a session bus of the test's own, with a service that only writes down what it is asked.
#include "ui/alerts/desktopnotifications.h"

#include "core/words/alertmessages.h"
#include "tests/support/familyliteral.h"
#include "tests/support/keyring.h"
#include "tests/support/ownsettings.h"
#include "tests/ui/alerts/fedalertcontroller.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alerttext.h"
#include "ui/alerts/notifyclaim.h"

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <vector>

using namespace lockscope;

namespace {

const QString serviceName = QStringLiteral("org.freedesktop.Notifications");
const QString servicePath = QStringLiteral("/org/freedesktop/Notifications");
constexpr int patienceMs = 30'000;

WatchedLock endless(const QByteArray &key)
{
    WatchedLock watched;
    watched.lock.address.key = LockKey(key);
    watched.lock.family = "reentrant"_family;
    watched.lock.type = KeyType::Hash;
    watched.lock.owners.append({OwnerId("me"), "1", 1});
    watched.lock.problems = Problem::NoExpiry;
    watched.heldSince = Clock::now();
    return watched;
}

} // namespace

/// What a desktop has, with the methods' names as the specification has them.
class FakeService : public QObject, protected QDBusContext
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Call
    {
        uint replaces;
        QString summary;
        QString body;
        QStringList actions;
        int urgency;
    };

    explicit FakeService(const QString &bus, QStringList capabilities)
        : m_capabilities(std::move(capabilities)),
          m_bus(QDBusConnection::connectToBus(bus, QStringLiteral("fake")))
    {
        m_bus.registerObject(servicePath, this,
                             QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals);
        if (!m_bus.registerService(serviceName))
            qFatal("the bus gives nobody the name");
    }
    ~FakeService() override
    {
        m_bus.unregisterObject(servicePath);
        m_bus.unregisterService(serviceName);
        QDBusConnection::disconnectFromBus(QStringLiteral("fake"));
    }

    /// Of a slow one: what it has not answered yet.
    void answer()
    {
        for (const QDBusMessage &late : std::exchange(m_late, {}))
            m_bus.send(late);
    }

    QList<Call> calls;
    QList<uint> closed;
    bool isSlow = false;

public slots:
    QStringList GetCapabilities() { return m_capabilities; } // NOLINT(readability-identifier-naming)
    uint Notify(const QString &, uint replaces, const QString &, const QString &summary, // NOLINT
                const QString &body, const QStringList &actions, const QVariantMap &hints, int)
    {
        calls.append({replaces, summary, body, actions, hints.value(QStringLiteral("urgency")).toInt()});
        const uint id = replaces != 0 ? replaces : ++m_last;
        if (isSlow) {
            setDelayedReply(true);
            m_late.append(message().createReply(id));
        }
        return id;
    }
    void CloseNotification(uint id) // NOLINT(readability-identifier-naming)
    {
        closed.append(id);
        emit NotificationClosed(id, 3);
    }

signals:
    void ActionInvoked(uint id, const QString &action);
    void NotificationClosed(uint id, uint reason);

private:
    const QStringList m_capabilities;
    QDBusConnection m_bus;
    QList<QDBusMessage> m_late;
    uint m_last = 100;
};

class DesktopNotificationsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void withoutAServiceNothingHappens()
    {
        for (const QString &bus : {QStringLiteral("unix:path=/nonexistent/bus"), m_bus}) {
            DesktopNotifications desktop(bus);
            QSignalSpy reported(&desktop, &DesktopNotifications::availabilityChanged);
            QVERIFY(!desktop.isAvailable());
            desktop.show(desktop.newHandle(), {QStringLiteral("a"), {}, {}, {}});
            QTRY_COMPARE_WITH_TIMEOUT(reported.size(), 1, patienceMs);
            QCOMPARE(desktop.isAvailable(), std::optional(false));
            desktop.show(desktop.newHandle(), {QStringLiteral("a"), {}, {}, {}});
        }
    }

    void aServiceThatComesLaterIsUsed()
    {
        DesktopNotifications desktop(m_bus);
        desktop.ask();
        QTRY_COMPARE_WITH_TIMEOUT(desktop.isAvailable(), std::optional(false), patienceMs);
        {
            const FakeService service(m_bus, {});
            QTRY_COMPARE_WITH_TIMEOUT(desktop.isAvailable(), std::optional(true), patienceMs);
            desktop.show(desktop.newHandle(), {QStringLiteral("a"), {}, {}, {}});
            QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        }
        QTRY_COMPARE_WITH_TIMEOUT(desktop.isAvailable(), std::optional(false), patienceMs);
    }

    void notesAreShownReplacedAndClosed()
    {
        const FakeService service(m_bus, {QStringLiteral("actions")});
        DesktopNotifications desktop(m_bus);
        const auto first = desktop.newHandle(), second = desktop.newHandle();
        desktop.show(
            first,
            {QStringLiteral("one"), {}, DesktopNotification::Urgency::Critical, QStringLiteral("Open")});
        desktop.show(second, {QStringLiteral("two"), {}, DesktopNotification::Urgency::Low, {}});
        desktop.close(second); // before anybody has heard of it
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        QCOMPARE(service.calls[0].urgency, 2);
        QCOMPARE(service.calls[0].actions, QStringList({QStringLiteral("default"), QStringLiteral("Open"),
                                                        QStringLiteral("open"), QStringLiteral("Open")}));
        // What comes before the answer is told in its place, once.
        desktop.show(first, {QStringLiteral("one, again"), {}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 2, patienceMs);
        QCOMPARE(service.calls[1].replaces, 101U);
        desktop.close(first);
        QTRY_COMPARE_WITH_TIMEOUT(service.closed, QList<uint>{101}, patienceMs);
        desktop.close(first);
        desktop.show(first, {QStringLiteral("new"), {}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 3, patienceMs);
        QCOMPARE(service.calls[2].replaces, 0U);
        QCOMPARE(service.closed.size(), 1);
    }

    void whatIsShownTooLateIsClosed()
    {
        FakeService service(m_bus, {});
        DesktopNotifications desktop(m_bus, nullptr, std::chrono::milliseconds(50));
        desktop.ask();
        QTRY_COMPARE_WITH_TIMEOUT(desktop.isAvailable(), std::optional(true), patienceMs);
        service.isSlow = true;
        desktop.show(desktop.newHandle(), {QStringLiteral("late"), {}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(desktop.isAvailable(), std::optional(false), patienceMs);
        service.answer();
        QTRY_COMPARE_WITH_TIMEOUT(service.closed, QList<uint>{101}, patienceMs);
        QCOMPARE(desktop.isAvailable(), std::optional(true));
    }

    /// Put away while its successor was on its way.
    void whatReplacesAClosedNoteIsClosed()
    {
        FakeService service(m_bus, {});
        DesktopNotifications desktop(m_bus);
        const auto handle = desktop.newHandle();
        desktop.show(handle, {QStringLiteral("one"), {}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        service.isSlow = true;
        desktop.show(handle, {QStringLiteral("one, again"), {}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 2, patienceMs);
        QCOMPARE(service.calls[1].replaces, 101U);
        emit service.NotificationClosed(101, 2);
        service.answer();
        desktop.close(handle);
        QTRY_COMPARE_WITH_TIMEOUT(service.closed, QList<uint>{101}, patienceMs);
    }

    void aQuietUpdateIsOfWhatIsShown()
    {
        const FakeService service(m_bus, {});
        DesktopNotifications desktop(m_bus);
        const auto handle = desktop.newHandle();
        const DesktopNotification note{QStringLiteral("one"), {}, DesktopNotification::Urgency::Critical, {}};
        desktop.update(handle, note); // there is none
        desktop.show(handle, note);
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        desktop.update(handle, note);
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 2, patienceMs);
        QCOMPARE(service.calls[1].replaces, 101U);
        QCOMPARE(service.calls[1].urgency, 0);
    }

    /// At a network cut each of many windows has something to tell.
    void manyWindowsHaveOneLimit()
    {
        const FakeService service(m_bus, {});
        DesktopNotifications desktop(m_bus);
        std::vector<std::unique_ptr<FedAlertController>> windows;
        for (int i = 0; i < 12; ++i) {
            windows.push_back(std::make_unique<FedAlertController>(
                QStringLiteral("s%1").arg(i % 10), QStringLiteral("redis://h%1").arg(i), desktop));
            windows.back()->tell(LockDiff{{endless("lock:a")}, {}, {}});
        }
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 4, patienceMs);
        QCOMPARE(service.calls[3].summary, QStringLiteral("9 more alert(s)"));
        QCOMPARE(service.calls[3].body, QStringLiteral("Server: s0, s1, s3, s4, s5, s6, s7, s8, s9"));
        windows.clear();
        QTRY_COMPARE_WITH_TIMEOUT(service.closed.size(), 4, patienceMs);
    }

    /// Two windows of one server, or two processes: the file is the same.
    void ofPagesThatWatchTheSameOneTells()
    {
        const QTemporaryDir runtime;
        qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
        const FakeService service(m_bus, {});
        DesktopNotifications desktop(m_bus);
        const auto page = [&](const QList<QByteArray> &watched) {
            auto alerts = std::make_unique<FedAlertController>(QStringLiteral("orders"),
                                                               QStringLiteral("redis://h"), desktop);
            alerts->setPatterns([watched] { return watched; });
            return alerts;
        };
        const auto first = page({"a:*", "lock:*"});
        auto second = page({"lock:*", "a:*"});
        const auto third = page({"lock:*"}); // has others, and so may find others
        QSignalSpy looked(first.get(), &AlertController::reported);
        second->tell(LockDiff{{endless("lock:a")}, {}, {}});
        first->tell(LockDiff{{endless("lock:a")}, {}, {}});
        QCOMPARE(looked.size(), 1); // its window is marked, and its list has it
        QCOMPARE(first->list().open(), 1);
        third->tell(LockDiff{{endless("lock:t")}, {}, {}});
        const auto claims = [&runtime] { return QDir(runtime.path()).entryList(QDir::Files).size(); };
        const auto summaries = [&service] {
            QStringList texts;
            for (const FakeService::Call &call : service.calls)
                texts << call.summary;
            return texts;
        };
        const QString expected = QStringLiteral("No expiry: lock:");
        QTRY_COMPARE_WITH_TIMEOUT(summaries(), (QStringList{expected + u'a', expected + u't'}), patienceMs);
        QCOMPARE(claims(), 2);
        second.reset();
        QTRY_COMPARE_WITH_TIMEOUT(service.closed.size(), 1, patienceMs);
        first->tell(LockDiff{{endless("lock:b")}, {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(summaries().mid(2), QStringList{expected + u'b'}, patienceMs);

        // Who has lost its connection sees nothing: another one tells.
        second = page({"a:*", "lock:*"});
        first->tell(statusOf(Link::State::Backoff));
        QCOMPARE(claims(), 1);
        second->tell(LockDiff{{endless("lock:c")}, {}, {}});
        QCOMPARE(claims(), 2);
        qunsetenv("XDG_RUNTIME_DIR");
    }

    void aClaimEndsWithItsProcessAlone()
    {
        const QTemporaryDir runtime;
        qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
        NotifyClaim one, other;
        QVERIFY(one.take("x"));
        QVERIFY(one.take("x"));
        QVERIFY(!other.take("x"));
        QFile file(runtime.filePath(QDir(runtime.path()).entryList(QDir::Files).value(0)));
        constexpr auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QVERIFY(!(file.permissions() & others));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-30), QFile::FileModificationTime));
        file.close();
        QVERIFY(!other.take("x")); // however old it is
        QVERIFY(other.take("y"));
        QVERIFY(one.take("z")); // which gives up the one before
        QVERIFY(other.take("x"));
        other.giveUp();
        QVERIFY(one.take("x"));
        // Where it cannot be kept, all have it.
        qputenv("XDG_RUNTIME_DIR", "/nonexistent");
        NotifyClaim third, fourth;
        QVERIFY(third.take("x") && fourth.take("x"));
        qunsetenv("XDG_RUNTIME_DIR");
        QVERIFY(third.take("x") && fourth.take("x"));
    }

    void whoClicksOpens()
    {
        FakeService service(m_bus, {QStringLiteral("actions")});
        DesktopNotifications desktop(m_bus);
        QSignalSpy opened(&desktop, &DesktopNotifications::opened);
        const auto handle = desktop.newHandle();
        desktop.show(handle, {QStringLiteral("one"), {}, {}, QStringLiteral("Open")});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        emit service.ActionInvoked(99, QStringLiteral("open")); // another program's
        emit service.ActionInvoked(101, QStringLiteral("else"));
        QTRY_VERIFY_WITH_TIMEOUT((emit service.ActionInvoked(101, QStringLiteral("open")), !opened.isEmpty()),
                                 patienceMs);
        QCOMPARE(opened.first().first().toULongLong(), handle);
        // Of one that the user has put away nothing is left.
        emit service.NotificationClosed(101, 2);
        const auto other = desktop.newHandle();
        desktop.show(other, {QStringLiteral("two"), {}, {}, QStringLiteral("Open")});
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 2, patienceMs);
        const qsizetype before = opened.size();
        emit service.ActionInvoked(101, QStringLiteral("open"));
        QTRY_VERIFY_WITH_TIMEOUT(
            (emit service.ActionInvoked(102, QStringLiteral("open")), opened.size() > before), patienceMs);
        QCOMPARE(opened.at(before).first().toULongLong(), other);
    }

    void aServersBytesAreNoMarkup_data()
    {
        QTest::addColumn<bool>("readsMarkup");
        QTest::newRow("markup") << true;
        QTest::newRow("plain") << false;
    }
    void aServersBytesAreNoMarkup()
    {
        QFETCH(const bool, readsMarkup);
        const FakeService service(m_bus,
                                  readsMarkup ? QStringList{QStringLiteral("body-markup")} : QStringList());
        DesktopNotifications desktop(m_bus);
        Alert alert;
        alert.kind = AlertKind::ManyWaiters;
        alert.key = LockKey("<b>x</b>\n\x1b[31m&\xe2\x80\xae");
        alert.owners.append({OwnerId("<img src='http://evil'/>&amp;" + QByteArray(5000, 'o')), "1", 1});
        alert.waiters = 3;
        const DesktopNotification note = noteOf(alert, QStringLiteral("<i>server</i>"));
        desktop.show(desktop.newHandle(), note);
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 1, patienceMs);
        const FakeService::Call &call = service.calls.first();
        QCOMPARE(call.body.contains(u'<'), !readsMarkup);
        QCOMPARE(call.body.contains(QStringLiteral("&lt;i&gt;server&lt;/i&gt;")), readsMarkup);
        QCOMPARE(call.body.contains(QStringLiteral("&amp;amp;")), readsMarkup);
        QVERIFY(call.body.size() < 1500);
        QVERIFY(call.summary.size() <= DesktopNotification::longestSummary);
        QVERIFY2(call.summary.contains(QStringLiteral("<b>x</b>\\x0a\\x1b[31m&")), qPrintable(call.summary));
        QVERIFY(!call.summary.contains(QChar(0x202e)));
        QVERIFY(!call.actions.contains(QStringLiteral("open"))); // it shows none
    }

    void alertsAreToldOpenedAndClosed()
    {
        FakeService service(m_bus, {QStringLiteral("actions")});
        DesktopNotifications desktop(m_bus);
        FedAlertController alerts(QStringLiteral("orders"), QStringLiteral("redis://h"), desktop);
        QSignalSpy asked(&alerts, &AlertController::openRequested);
        LockDiff diff;
        for (int i = 0; i < 10; ++i)
            diff.changed.append(endless("lock:" + QByteArray::number(i)));
        alerts.tell(diff);
        QTRY_COMPARE_WITH_TIMEOUT(service.calls.size(), 4, patienceMs); // three, and how many more
        QCOMPARE(service.calls[0].summary, QStringLiteral("No expiry: lock:0"));
        QCOMPARE(service.calls[3].summary, QStringLiteral("7 more alert(s)"));
        QTRY_VERIFY_WITH_TIMEOUT(
            (emit service.ActionInvoked(101, QStringLiteral("default")), !asked.isEmpty()), patienceMs);
        const quint64 number = asked.first().first().toULongLong();
        QCOMPARE(alerts.list().find(number)->alert.key, LockKey("lock:0"));
        alerts.acknowledge({number});
        QTRY_COMPARE_WITH_TIMEOUT(service.closed, QList<uint>{101}, patienceMs);
        // Turned off for this rule.
        AlertSettings settings = alerts.settings();
        settings.silent.set(size_t(AlertKind::NoExpiry));
        alerts.setSettings(settings, diff.changed);
        QTRY_COMPARE_WITH_TIMEOUT(service.closed.size(), 4, patienceMs);
        diff.changed = {endless("lock:quiet")};
        alerts.tell(diff);
        QCOMPARE(alerts.list().open(), 11);
        QCOMPARE(service.calls.size(), 4);
    }

private:
    OwnSettings m_files;
    const Keyring m_session; ///< its bus alone
    const QString m_bus = QStringLiteral("unix:path=") + m_session.home() + QStringLiteral("/run/bus");
};

QTEST_MAIN(DesktopNotificationsTest)
#include "tst_desktopnotifications.moc"
