// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"
#include "core/alerts/alertwatch.h"
#include "core/watch/monitorsource.h"
#include "ui/alerts/alertdesktop.h"
#include "ui/alerts/alertnotes.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/alerts/notifyclaim.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <utility>

namespace lockscope {

/// The alerts of one server's page: raised from monitor events, kept in a list, and sent to the desktop
/// unless another page with the same server and patterns does. They are current even while the page is
/// paused. Rules and snoozes are kept in the server's notes.
class AlertController : public QObject
{
    Q_OBJECT

public:
    /// Uses events of `source`, which must outlive this, as must `desktop`. `server`: the user's name. `uri`
    /// as in notesOf(); if empty (private server), nothing is kept and notifications are off by default.
    AlertController(const MonitorSource &source, QString server, QString uri, DesktopNotifications &desktop,
                    QObject *parent = nullptr);
    ~AlertController() override; ///< closes its desktop notifications

    /// Sets the monitored patterns: alerts of other keys end as unwatched. Absent: all keys.
    void setPatterns(std::function<QList<QByteArray>()> patterns) { m_patterns = std::move(patterns); }

    const AlertList &list() const { return m_list; }
    /// True if the monitor's data is current.
    bool isCurrent() const { return m_watched.isRead(); }
    bool isConnected() const { return m_watched.isReady(); }
    const std::optional<Error> &trouble() const { return m_watched.trouble(); }
    qint64 unreadable() const { return m_unreadable; }
    const QString &serverName() const { return m_server; }
    /// Number of alerts dropped because the list is full.
    qsizetype notRaised() const { return m_watch.notRaised(); }
    const AlertSettings &settings() const { return m_settings; }
    bool keepsSettings() const { return !m_uri.isEmpty(); }
    /// `locks`: all known locks.
    void setSettings(const AlertSettings &settings, const QList<WatchedLock> &locks);
    DesktopNotifications &desktop() const { return m_desktop; }

    // User actions, as in AlertList; snoozesFull() reports a refusal.
    void acknowledge(const QList<quint64> &numbers);
    void unacknowledge(const QList<quint64> &numbers);
    void snooze(const QList<quint64> &numbers,
                std::optional<milliseconds> duration); ///< nullopt: until each ends
    void snoozeRule(AlertKind kind, milliseconds duration);
    void snoozeLock(const LockKey &key, milliseconds duration);
    void endSnoozes(const QList<AlertSnooze> &snoozes);
    void undo();

signals:
    void changed();                     ///< at once for user actions, else at most ten times a second
    void countChanged();                ///< number of unattended alerts
    void snoozesFull();                 ///< nothing was snoozed
    void reported();                    ///< an alert that notifies was raised
    void openRequested(quint64 number); ///< by a click on the desktop; 0: several

private:
    struct SourceState
    {
        bool isConnected = false;
        bool isCurrent = false;
        qint64 unreadable = 0;
        std::optional<ErrorKind> trouble;
        friend bool operator==(const SourceState &, const SourceState &) = default;
    };

    void take(const MonitorReport &event);
    void follow(bool areRulesNew = false);
    AlertList::End endOf(const Alert &alert) const;
    void settle();
    void settleSnooze(bool isDone);
    void tellDesktop();
    bool mayTellDesktop();

    const QString m_server;
    const QString m_uri;
    DesktopNotifications &m_desktop;
    AlertDesktop &m_desk;
    AlertSettings m_settings;
    const MonitorState &m_watched;
    AlertWatch m_watch;
    AlertList m_list;
    QHash<quint64, AlertDesktop::Handle> m_handles; ///< by alert
    QList<AlertSnooze> m_keptSnoozes;
    std::function<QList<QByteArray>()> m_patterns;
    NotifyClaim m_claim;
    qint64 m_unreadable = 0;
    SourceState m_standing;
    int m_toldCount = 0;
    QTimer m_time;
    QTimer m_changed;
};

} // namespace lockscope
