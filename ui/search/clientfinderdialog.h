// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/clientfinder.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace lockscope {

/// Asks for a search for the clients of a lock (MONITOR), with its cost, and shows those seen.
class ClientFinderDialog : public QDialog
{
    Q_OBJECT

public:
    ClientFinderDialog(const Lock &lock, QString serverName, QWidget *parent);

    void showEnd(const ClientFinderResult &end);

signals:
    void startWanted(const lockscope::Lock &lock, std::chrono::milliseconds duration);
    void stopWanted();

public slots:
    void reject() override;

private:
    void toggleLook();
    void showTime();

    Lock m_lock;
    QString m_serverName;
    bool m_isLooking = false;
    TimePoint m_startedAt;
    QTimer m_timer;
    QSpinBox *m_seconds;
    QProgressBar *m_progress;
    QLabel *m_state;
    QTreeWidget *m_list;
    QPushButton *m_look;
};

} // namespace lockscope
