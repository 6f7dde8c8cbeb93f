// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"
#include "core/alerts/alertwatch.h"
#include "core/watch/watchsource.h"
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

/// The alerts of one server's page: raised from what its monitor tells, kept in a list, and told to the desktop, unless another page that
/// watches the same keys of the server does that. They are of now, also while the picture is paused. What is not fed is not watched. Rules
/// and snoozes are kept with the notes about the server.
class AlertController : public QObject
{
    Q_OBJECT

public:
    /// Of what `source` tells, which must outlive this. `server`: what the user calls it. `uri` as notesOf() takes it: of an empty one, which is a private server's, nothing is kept, and the
    /// desktop is not told unless the user wants it. `desktop` must outlive this.
    AlertController(const WatchSource &source, QString server, QString uri, DesktopNotifications &desktop,
                    QObject *parent = nullptr);
    ~AlertController() override; ///< closes what the desktop still shows

    /// Which keys the monitor tells of: what becomes of the alerts of others, nobody knows. Absent: it tells of all.
    void setPatterns(std::function<QList<QByteArray>()> patterns) { m_patterns = std::move(patterns); }

    const AlertList &list() const { return m_list; }
    /// What is said of locks is of now.
    bool isCurrent() const { return m_watched.isRead(); }
    bool isConnected() const { return m_watched.isReady(); }
    const std::optional<Error> &trouble() const { return m_watched.trouble(); }
    qint64 unreadable() const { return m_unreadable; }
    const QString &serverName() const { return m_server; }
    /// Conditions that hold and are not in the list, which is full.
    qsizetype notRaised() const { return m_watch.notRaised(); }
    const AlertSettings &settings() const { return m_settings; }
    bool keepsSettings() const { return !m_uri.isEmpty(); }
    /// `locks`: all that are known.
    void setSettings(const AlertSettings &settings, const QList<WatchedLock> &locks);
    DesktopNotifications &desktop() const { return m_desktop; }

    // What the user does, as AlertList has it. What it refuses, snoozesFull() says.
    void acknowledge(const QList<quint64> &numbers);
    void unacknowledge(const QList<quint64> &numbers);
    void snooze(const QList<quint64> &numbers,
                std::optional<milliseconds> duration); ///< nullopt: until each ends
    void snoozeRule(AlertKind kind, milliseconds duration);
    void snoozeLock(const LockKey &key, milliseconds duration);
    void endSnoozes(const QList<AlertSnooze> &snoozes);
    void undo();

signals:
    void changed();      ///< the list; at most ten times a second, but at once for what the user does
    void countChanged(); ///< how many alerts nobody has attended to
    void snoozesFull();  ///< nothing was snoozed
    void told();         ///< somebody should look: of a kind that notifies
    void openRequested(quint64 number); ///< on the desktop; 0: of no single one

private:
    /// How much is known.
    struct Standing
    {
        bool isConnected = false;
        bool isCurrent = false;
        qint64 unreadable = 0;
        std::optional<ErrorKind> trouble;
        friend bool operator==(const Standing &, const Standing &) = default;
    };

    void take(const WatchEvent &event);
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
    const Watched &m_watched;
    AlertWatch m_watch;
    AlertList m_list;
    QHash<quint64, AlertDesktop::Handle> m_handles; ///< by alert
    QList<AlertSnooze> m_keptSnoozes;
    std::function<QList<QByteArray>()> m_patterns;
    NotifyClaim m_claim;
    qint64 m_unreadable = 0;
    Standing m_standing;
    int m_toldCount = 0;
    QTimer m_time;
    QTimer m_changed;
};

} // namespace lockscope
