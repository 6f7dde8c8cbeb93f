// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/desktopnotifications.h"

#include <QDBusConnection>
#include <QDBusError>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>
#include <QPointer>
#include <QPromise>
#include <QThreadPool>
#include <QTimer>
#include <QVariantMap>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>

namespace lockscope {

namespace {

const QString notificationService = QStringLiteral("org.freedesktop.Notifications");
const QString notificationPath = QStringLiteral("/org/freedesktop/Notifications");
constexpr int serviceDecides = -1; // how long it is shown
constexpr int anyTime = std::numeric_limits<int>::max();
constexpr int answerMs = int(std::chrono::milliseconds(DesktopNotifications::answerTime).count());
/// Distinct names: services differ in how they report a click on the note itself.
const QString clickAction = QStringLiteral("default");
const QString buttonAction = QStringLiteral("open");

QString nextConnectionName()
{
    static std::atomic<int> last = 0;
    return QStringLiteral("lockscope-notifications-%1").arg(++last);
}

QString capped(const QString &text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    const bool splitsOne = text.at(most - 2).isHighSurrogate();
    return text.first(most - (splitsOne ? 2 : 1)) + QChar(0x2026);
}

bool saysThatNobodyIsThere(const QDBusMessage &answer)
{
    using Type = QDBusError::ErrorType;
    constexpr std::array types{Type::ServiceUnknown, Type::NoReply,      Type::NoServer, Type::Timeout,
                               Type::NoNetwork,      Type::Disconnected, Type::TimedOut, Type::AccessDenied};
    return answer.type() == QDBusMessage::ErrorMessage &&
           std::ranges::find(types, QDBusError(answer).type()) != types.end();
}

} // namespace

DesktopNotifications::DesktopNotifications(QString busAddress, QObject *parent,
                                           std::chrono::milliseconds noteTime)
    : QObject(parent),
      m_busAddress(std::move(busAddress)),
      m_connectionName(nextConnectionName()),
      m_noteTime(noteTime)
{
    connect(&m_connecting, &QFutureWatcherBase::finished, this, [this] {
        m_isAsking = false;
        if (!m_connecting.result())
            return setAvailable(false);
        m_bus = std::make_unique<QDBusConnection>(m_connectionName);
        subscribe();
        askCapabilities();
    });
}

DesktopNotifications::~DesktopNotifications()
{
    QDBusConnection::disconnectFromBus(m_connectionName);
}

DesktopNotifications &DesktopNotifications::instance()
{
    // Parented to the application, whose end it must not outlive.
    static QPointer<DesktopNotifications> own;
    if (!own) {
        own = new DesktopNotifications({}, qApp);
        const QString platform = QGuiApplication::platformName();
        if (platform == QStringLiteral("offscreen") || platform == QStringLiteral("minimal"))
            own->m_hasNoDesktop = true;
    }
    return *own;
}

QString DesktopNotifications::busAddress() const
{
    return m_busAddress.isEmpty() ? qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS") : m_busAddress;
}

void DesktopNotifications::ask()
{
    const auto now = std::chrono::steady_clock::now();
    const bool isKnown = m_isAvailable.value_or(false) || (m_isAvailable && now - m_askedAt < retryAfter);
    if (m_isAsking || isKnown)
        return;
    m_askedAt = now;
    if (m_hasNoDesktop)
        setAvailable(false);
    else if (m_bus && m_bus->isConnected())
        askCapabilities();
    else
        connectToBus();
}

/// Runs on another thread, since a bus may not answer.
void DesktopNotifications::connectToBus()
{
    m_isAsking = true;
    m_bus.reset();
    const auto promise = std::make_shared<QPromise<bool>>();
    promise->start();
    m_connecting.setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, address = m_busAddress, name = m_connectionName] {
        QDBusConnection::disconnectFromBus(name);
        const QDBusConnection bus = address.isEmpty()
                                        ? QDBusConnection::connectToBus(QDBusConnection::SessionBus, name)
                                        : QDBusConnection::connectToBus(address, name);
        promise->addResult(bus.isConnected());
        promise->finish();
    });
}

/// Accepts any sender: for a named one, Qt would wait for the bus.
void DesktopNotifications::subscribe()
{
    m_bus->connect({}, notificationPath, notificationService, QStringLiteral("ActionInvoked"), this,
                   SLOT(takeAction(uint, QString)));
    m_bus->connect({}, notificationPath, notificationService, QStringLiteral("NotificationClosed"), this,
                   SLOT(takeClosed(uint, uint)));
    m_bus->connect({}, QStringLiteral("/org/freedesktop/DBus"), QStringLiteral("org.freedesktop.DBus"),
                   QStringLiteral("NameOwnerChanged"), {notificationService}, QStringLiteral("sss"), this,
                   SLOT(takeOwner(QString, QString, QString)));
}

QDBusMessage DesktopNotifications::call(const char *method) const
{
    return QDBusMessage::createMethodCall(notificationService, notificationPath, notificationService,
                                          QLatin1String(method));
}

void DesktopNotifications::askCapabilities()
{
    m_isAsking = true;
    const QDBusPendingCall pending = m_bus->asyncCall(call("GetCapabilities"), answerMs);
    auto *watcher = new QDBusPendingCallWatcher(pending, this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        m_isAsking = false;
        const QDBusPendingReply<QStringList> answer = *watcher;
        if (answer.isError())
            return setAvailable(false);
        const QStringList capabilities = answer.value();
        m_readsMarkup = capabilities.contains(QStringLiteral("body-markup"));
        m_hasActions = capabilities.contains(QStringLiteral("actions"));
        setAvailable(true);
        send();
    });
}

/// Notes that cannot be shown are dropped: they may be outdated later, and the alert list has them.
void DesktopNotifications::setAvailable(bool isAvailable)
{
    if (!isAvailable)
        dropNotes();
    if (std::exchange(m_isAvailable, isAvailable) != isAvailable)
        emit availabilityChanged();
}

/// Unanswered notes may still be shown: their answer supplies the ID to close.
void DesktopNotifications::dropNotes()
{
    std::erase_if(m_notes, [](const auto &note) { return !note.second.isAwaited; });
    for (auto &[handle, shown] : m_notes) {
        shown.isOver = true;
        shown.next.reset();
    }
}

void DesktopNotifications::update(Handle handle, DesktopNotification note)
{
    const auto found = m_notes.find(handle);
    if (found == m_notes.end() || found->second.isOver)
        return;
    note.isQuiet = true;
    show(handle, note);
}

void DesktopNotifications::show(Handle handle, const DesktopNotification &note)
{
    ask();
    if (!m_isAsking && !m_isAvailable.value_or(false))
        return;
    Shown &shown = m_notes[handle];
    shown.next = note;
    shown.isOver = false;
    send();
}

void DesktopNotifications::close(Handle handle)
{
    const auto found = m_notes.find(handle);
    if (found == m_notes.end())
        return;
    if (found->second.isAwaited) {
        found->second.isOver = true;
        found->second.next.reset();
        return;
    }
    const uint id = found->second.id;
    m_notes.erase(found);
    if (id != 0)
        closeAtService(id);
}

void DesktopNotifications::send()
{
    if (!m_isAvailable.value_or(false))
        return;
    for (auto &[handle, shown] : m_notes) {
        if (shown.next && !shown.isAwaited)
            send(handle, shown);
    }
}

void DesktopNotifications::send(Handle handle, Shown &shown)
{
    const DesktopNotification note = *std::exchange(shown.next, std::nullopt);
    shown.isAwaited = true;
    const QString body = capped(note.body, DesktopNotification::longestBody);
    QStringList actions;
    if (m_hasActions && !note.openText.isEmpty())
        actions = {clickAction, note.openText, buttonAction, note.openText};
    const auto urgency = note.isQuiet ? DesktopNotification::Urgency::Low : note.urgency;
    QDBusMessage message = call("Notify");
    message << QStringLiteral("Lockscope") << shown.id << QStringLiteral("org.lockscope.Lockscope")
            << capped(note.summary, DesktopNotification::longestSummary)
            << (m_readsMarkup ? body.toHtmlEscaped() : body) << actions
            << QVariantMap{{QStringLiteral("urgency"), QVariant::fromValue(static_cast<uchar>(urgency))},
                           {QStringLiteral("suppress-sound"), note.isQuiet},
                           {QStringLiteral("desktop-entry"), QStringLiteral("org.lockscope.Lockscope")}}
            << serviceDecides;
    shown.call = ++m_lastCall;
    auto *watcher = new QDBusPendingCallWatcher(m_bus->asyncCall(message, anyTime), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, handle, call = shown.call] {
        watcher->deleteLater();
        takeId(handle, call, watcher->reply());
    });
    QTimer::singleShot(m_noteTime, watcher, [this] { setAvailable(false); });
}

void DesktopNotifications::takeId(Handle handle, quint64 call, const QDBusMessage &answer)
{
    const auto found = m_notes.find(handle);
    const bool isLast = found != m_notes.end() && found->second.call == call;
    if (saysThatNobodyIsThere(answer)) {
        if (isLast)
            m_notes.erase(found);
        return setAvailable(false);
    }
    if (!isLast)
        return; // the service went and came again
    if (answer.type() != QDBusMessage::ReplyMessage || answer.arguments().isEmpty()) {
        m_notes.erase(found); // it does not want this one
        return;
    }
    if (!m_isAvailable.value_or(false))
        setAvailable(true); // though it was slow
    const uint id = answer.arguments().first().toUInt();
    Shown &shown = found->second;
    shown.id = id;
    shown.isAwaited = false;
    if (shown.isOver)
        close(handle);
    else if (shown.next)
        send(handle, shown);
}

void DesktopNotifications::closeAtService(uint id)
{
    QDBusMessage message = call("CloseNotification");
    message << id;
    m_bus->asyncCall(message, answerMs); // whoever closed it before has done the same
}

DesktopNotifications::Handle DesktopNotifications::handleOf(uint id) const
{
    const auto found =
        std::ranges::find_if(m_notes, [id](const auto &note) { return id != 0 && note.second.id == id; });
    return found == m_notes.end() ? 0 : found->first;
}

void DesktopNotifications::takeAction(uint id, const QString &action)
{
    const Handle handle = handleOf(id);
    if (handle != 0 && (action == clickAction || action == buttonAction))
        emit opened(handle);
}

void DesktopNotifications::takeClosed(uint id, uint)
{
    const auto found = m_notes.find(handleOf(id));
    if (found == m_notes.end())
        return;
    if (found->second.isAwaited)
        found->second.id = 0; // the one that is to replace it is shown all the same
    else
        m_notes.erase(found);
}

/// A new service knows nothing of notes shown by the previous one.
void DesktopNotifications::takeOwner(const QString &, const QString &, const QString &now)
{
    if (now.isEmpty())
        return setAvailable(false);
    dropNotes();
    if (!m_isAsking)
        askCapabilities();
}

} // namespace lockscope
