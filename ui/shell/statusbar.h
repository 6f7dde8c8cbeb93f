// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/watch/monitorreport.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;

namespace lockscope {

class ElidedLabel;

/// The status bar: the server, how it is watched, the load on it and the data age.
class StatusBar : public QWidget
{
    Q_OBJECT

public:
    explicit StatusBar(QString serverName, QWidget *parent = nullptr);

    void take(const MonitorReport &event);
    /// Shows how far the server's certificate is verified, if less than usual.
    void showTrust(const ServerAddress &address);
    void showLocks(int all, int shown, int selected);
    /// Shows that the session is recorded, with a dot; an empty text hides it.
    void showRecording(const QString &text, const QString &toolTip);
    void showPermissions(const QString &text, const QString &toolTip);
    void showScan(const ScanStats &stats);
    /// Shows the data age; nullopt before the first read.
    void showAge(std::optional<milliseconds> age);
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
    ElidedLabel *m_server; ///< shrinks first
    QLabel *m_recording, *m_feed, *m_locks, *m_permissions, *m_eviction, *m_scan, *m_cost, *m_age;
    FeedStatus m_feedStatus;
    QString m_stateText;
    QString m_trustText;
    QString m_named;    ///< current server named by Sentinels
    QString m_roleText; ///< set for a replica
    QString m_nodesText;
    QStringList m_nodesLines;
    QString m_scanText;
    QString m_scanDetail;
    QTimer m_flash;
};

} // namespace lockscope
