// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "ui/actions/actiondialog.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <optional>

class QSplitter;

namespace lockscope {

class Banner;
class Commands;
class ForceExpireDialog;
class InspectorPanel;
class LocksPage;
class StatusLine;

/// One server under watch: the session and everything that shows it. Gone with the connection.
class MonitorPage : public QWidget
{
    Q_OBJECT

public:
    /// `name` is what the user calls the server; empty: its address. `commands` must outlive this.
    MonitorPage(const ServerAddress &address, const Session::Options &options, const QString &name,
                Commands &commands, QWidget *parent = nullptr);
    ~MonitorPage() override;

    void open();
    const QString &serverName() const { return m_serverName; }
    bool isReadOnly() const;

    QByteArray splitterState() const;
    QByteArray headerState() const;
    void restoreLayout(const QByteArray &splitter, const QByteArray &header);

signals:
    void established(); ///< the first login succeeded
    /// The first attempt failed: nothing to show. The error is for the form.
    void failed(const lockscope::Error &why);
    void editRequested(); ///< the server refused us later: the user wants to change how to connect

private:
    void connectSession();
    void connectCommands();
    void takeStatus(const ConnectionStatus &status);
    void takeDiff(const LockDiff &diff);
    void takeConfirmation(TimePoint at);
    void takeSweep(const SweepStats &stats);
    void showConnection();
    void showEmptiness();
    void showChosen();
    void showAge();
    void updateCommands();
    void stepFromBanner();

    QFuture<Result<ActionReport>> run(const ActionRequest &request);
    ActionDialog::Run runner();
    void present(QDialog *dialog);
    void acquire();
    void forceExpire(const WatchedLock &lock);
    void editPatterns();
    template <typename Dialog>
    void actOnChosen();

    Commands &m_commands;
    QString m_serverName;
    Session m_session;
    QList<QByteArray> m_patterns;
    ConnectionStatus m_status;
    bool m_established = false;
    std::optional<TimePoint> m_confirmedAt;
    std::optional<Error> m_trouble;
    SweepStats m_sweep;
    bool m_sweptOnce = false;

    Banner *m_banner;
    QSplitter *m_splitter;
    LocksPage *m_locks;
    InspectorPanel *m_inspector;
    StatusLine *m_statusLine;
    QPointer<ForceExpireDialog> m_forceDialog;
    QTimer m_ageTimer;
};

} // namespace lockscope
