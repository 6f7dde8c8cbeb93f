// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/redis/storedservers.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace lockscope {

class ConnectionForm;
class ConnectionTestView;

/// The first page: where to connect to, servers of before, the demo and the laboratory.
class ConnectPage : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectPage(QWidget *parent = nullptr);

    /// What a test of the connection asks permissions for.
    void setPatterns(const QList<QByteArray> &patterns) { m_patterns = patterns; }

    ConnectionForm &form() { return *m_form; }

    void showForm();                                ///< ready for input
    void showConnecting(const QString &serverName); ///< with a way to cancel
    /// `certificate`: the fingerprint of the one that was refused; empty: none was.
    void showFailure(const QString &text, bool passwordWanted, const QByteArray &certificate = {});

signals:
    void connectRequested(const lockscope::StoredServer &server);
    void windowRequested(const lockscope::StoredServer &server);
    void demoRequested();
    void simulationRequested();
    void cancelled();

private:
    void submit();
    void listRecent();
    void listServers(const QString &heading, const QList<StoredServer> &servers);
    void addRecent(const StoredServer &server);

    ConnectionForm *m_form;
    ConnectionTestView *m_test;
    QScrollArea *m_scroll;
    QPushButton *m_connect;
    QPushButton *m_tryOut;
    QList<QByteArray> m_patterns;
    QPushButton *m_demo;
    QPushButton *m_laboratory;
    QWidget *m_inputs;
    QWidget *m_progress;
    QLabel *m_progressText;
    QWidget *m_recent;
    QVBoxLayout *m_recentList;
};

} // namespace lockscope
