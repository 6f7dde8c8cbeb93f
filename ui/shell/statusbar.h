// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/watchevent.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;

namespace lockscope {

class ElidedLabel;

/// The line at the foot: which server, how it is watched, what that costs it, and how old the data is.
class StatusBar : public QWidget
{
    Q_OBJECT

public:
    explicit StatusBar(QString serverName, QWidget *parent = nullptr);

    /// The connection, the servers and the change feed.
    void take(const WatchEvent &event);
    /// How far the server's certificate is checked, where that is not as usual.
    void showTrust(const ServerAddress &address);
    void showLocks(int all, int shown, int selected);
    /// That it is recorded, with a dot; empty: it is not.
    void showRecording(const QString &text, const QString &toolTip);
    /// Empty: no permission is missing.
    void showPermissions(const QString &text, const QString &toolTip);
    void showScan(const ScanStats &stats);
    /// nullopt: nothing has been read yet.
    void showAge(std::optional<milliseconds> age);
    /// Says something for some seconds in the place of the scan.
    void flash(const QString &text);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showStatus(const ConnectionStatus &status);
    void showCluster(const ClusterStatus &cluster);
    void showFeed(const FeedStatus &status);
    void showServer();
    void showScanText();
    QLabel *addPart(QLabel *label, const QString &name);

    QString m_serverName;
    QHBoxLayout *m_layout;
    ElidedLabel *m_server; ///< gives way where there is too little room
    QLabel *m_recording, *m_feed, *m_locks, *m_permissions, *m_eviction, *m_scan, *m_cost, *m_age;
    FeedStatus m_feedStatus;
    QString m_stateText;
    QString m_trustText;
    QString m_named;    ///< by Sentinels: the server of the moment
    QString m_roleText; ///< of a replica
    QString m_nodesText;
    QStringList m_nodesLines;
    QString m_scanText;
    QString m_scanDetail; ///< empty: nothing more
    QTimer m_flash;
};

} // namespace lockscope
