// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertcontroller.h"

#include "core/watch/keynamefilter.h"
#include "ui/alerts/alerttext.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds timePace{250};
constexpr std::chrono::milliseconds changePace{100};

qint64 wallNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

AlertSettings settingsAtFirst(const QString &uri)
{
    AlertSettings settings = alertSettingsOf(uri);
    if (uri.isEmpty())
        settings.notifies = false;
    return settings;
}

} // namespace

AlertController::AlertController(const MonitorSource &source, QString server, QString uri,
                                 DesktopNotifications &desktop, QObject *parent)
    : QObject(parent),
      m_server(std::move(server)),
      m_uri(std::move(uri)),
      m_desktop(desktop),
      m_desk(AlertDesktop::of(desktop)),
      m_settings(settingsAtFirst(m_uri)),
      m_watched(source.watched()),
      m_watch(m_watched, m_settings.rules),
      m_list(snoozesOf(m_uri)),
      m_keptSnoozes(m_list.snoozes())
{
    connect(&source, &MonitorSource::reported, this, &AlertController::take);
    m_time.setInterval(timePace);
    connect(&m_time, &QTimer::timeout, this, [this] {
        m_watch.advance(Clock::now());
        m_list.advance(wallNow());
        follow();
    });
    m_time.start();
    m_changed.setSingleShot(true);
    m_changed.setInterval(changePace);
    connect(&m_changed, &QTimer::timeout, this, &AlertController::changed);
    // Another process may be on a desktop that shows them.
    connect(&m_desktop, &DesktopNotifications::availabilityChanged, this, [this] {
        if (!m_desktop.isAvailable().value_or(true))
            m_claim.giveUp();
    });
    connect(&m_desk, &AlertDesktop::opened, this, [this](quint64 handle, bool isOfMany) {
        const auto found = std::find(m_handles.cbegin(), m_handles.cend(), handle);
        if (found != m_handles.cend())
            emit openRequested(isOfMany ? 0 : found.key());
    });
}

AlertController::~AlertController()
{
    for (const AlertDesktop::Handle handle : std::as_const(m_handles))
        m_desk.withdraw(handle);
    m_desk.flush();
}

void AlertController::take(const MonitorReport &event)
{
    if (!isConnected()) // another may see what this one does not
        m_claim.giveUp();
    m_watch.take(event, Clock::now());
    if (const auto *stats = std::get_if<ScanStats>(&event); stats && stats->complete && isConnected())
        m_unreadable = stats->unreadable;
    follow();
    // Also of what did not change: it is current, or no longer, or why it is not.
    const SourceState standing{isConnected(), isCurrent(), m_unreadable,
                               trouble() ? std::optional(trouble()->kind) : std::nullopt};
    if (std::exchange(m_standing, standing) != standing)
        m_changed.start();
}

void AlertController::setSettings(const AlertSettings &settings, const QList<WatchedLock> &locks)
{
    m_settings = changeAlertSettings(m_uri, m_settings, settings);
    for (const AlertList::Entry &entry : m_list.entries()) {
        if (!m_settings.tellsOf(entry.alert.kind))
            m_desk.withdraw(m_handles.take(entry.alert.number));
    }
    m_watch.setRules(m_settings.rules, locks, Clock::now());
    follow(true);
    settle();
}

void AlertController::acknowledge(const QList<quint64> &numbers)
{
    m_list.acknowledge(numbers, wallNow());
    settle();
}

void AlertController::unacknowledge(const QList<quint64> &numbers)
{
    m_list.unacknowledge(numbers, wallNow());
    settle();
}

void AlertController::snooze(const QList<quint64> &numbers, std::optional<milliseconds> duration)
{
    const qint64 now = wallNow();
    settleSnooze(m_list.snooze(numbers, duration ? now + duration->count() : AlertSnooze::untilItEnds, now));
}

void AlertController::snoozeRule(AlertKind kind, milliseconds duration)
{
    settleSnooze(m_list.snoozeRule(kind, wallNow() + duration.count(), wallNow()));
}

void AlertController::snoozeLock(const LockKey &key, milliseconds duration)
{
    settleSnooze(m_list.snoozeLock(key, wallNow() + duration.count(), wallNow()));
}

void AlertController::endSnoozes(const QList<AlertSnooze> &snoozes)
{
    m_list.endSnoozes(snoozes, wallNow());
    settle();
}

void AlertController::undo()
{
    m_list.undo(wallNow());
    settle();
}

void AlertController::follow(bool areRulesNew)
{
    const QList<AlertWatch::Change> changes = m_watch.takeChanges();
    if (!changes.isEmpty())
        m_list.take(changes, Clock::now(), wallNow(), [this, areRulesNew](const Alert &alert) {
            return areRulesNew ? AlertList::End::RulesChanged : endOf(alert);
        });
    tellDesktop();
    if (m_list.snoozes() != m_keptSnoozes)
        return settle();
    if (!changes.isEmpty() && !m_changed.isActive())
        m_changed.start();
}

AlertList::End AlertController::endOf(const Alert &alert) const
{
    const auto isLost = [this](const LockKey &key) {
        return m_patterns && !key.isEmpty() && !KeyNameFilter(m_patterns()).contains(key.bytes);
    };
    return isLost(alert.key) || std::ranges::any_of(alert.cycle, isLost) ? AlertList::End::Unwatched
                                                                         : AlertList::End::Over;
}

void AlertController::settle()
{
    tellDesktop();
    if (m_list.snoozes() != m_keptSnoozes)
        changeSnoozes(m_uri, std::exchange(m_keptSnoozes, m_list.snoozes()), m_list.snoozes());
    m_changed.stop();
    emit changed();
}

void AlertController::settleSnooze(bool isDone)
{
    settle();
    if (!isDone)
        emit snoozesFull();
}

/// Without kept notes, as for a private server, each page notifies.
bool AlertController::mayTellDesktop()
{
    if (m_uri.isEmpty() || !m_desktop.isAvailable().value_or(true))
        return true;
    QByteArrayList subject{m_desktop.busAddress().toUtf8(), m_uri.toUtf8()};
    if (m_patterns) {
        QByteArrayList patterns = m_patterns();
        std::ranges::sort(patterns);
        subject += patterns;
    }
    for (QByteArray &part : subject) // nothing in it looks like its end
        part = part.toHex();
    return m_claim.take(subject.join(' '));
}

void AlertController::tellDesktop()
{
    bool isTold = false;
    std::optional<bool> isOurs; // asked once at most: many may come together
    QSet<quint64> gone;
    for (const auto &[what, alert] : m_list.takeNotices()) {
        if (what == AlertList::Notice::What::Withdraw) {
            m_desk.withdraw(m_handles.value(alert.number));
            gone.insert(alert.number);
        } else if (m_settings.tellsOf(alert.kind) && AlertNotices::tellsOfTime(alert.times)) {
            isTold = true;
            if (!isOurs)
                isOurs = mayTellDesktop();
            if (!*isOurs)
                continue;
            AlertDesktop::Handle &handle = m_handles[alert.number];
            if (handle == 0)
                handle = m_desk.newHandle();
            m_desk.tell(handle, noteOf(alert, m_server), m_server);
            gone.remove(alert.number);
        }
    }
    for (const quint64 number : gone)
        m_handles.remove(number);
    if (const int count = m_list.unattended(); std::exchange(m_toldCount, count) != count)
        emit countChanged();
    if (isTold)
        emit reported();
}

} // namespace lockscope
