// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QSet>
#include <QWidget>

#include <functional>
#include <memory>

class QFileDialog;
class QSplitter;
class QTabWidget;

namespace lockscope {

class LiveView;
class ResultView;
class RunTimeline;
class SetupView;

/// The simulation panel: workers contend for locks on the page's server.
class SimulationPanel : public QWidget
{
    Q_OBJECT

public:
    /// `serverName`: the user's name of the server. Asks before it runs on a target that is not a private
    /// server of ours.
    SimulationPanel(const SimulationTarget &target, const QString &serverName, bool readOnly,
                    QWidget *parent = nullptr);

    void start(const SimulationSetup &setup); ///< also selects it
    void stop();
    void forbid(const QString &why);
    bool isRunning() const { return m_run != nullptr; }
    /// The lock keys of the current or last run, in all phases so far.
    const QSet<QByteArray> &keys() const { return m_keys; }
    void focusContents();

signals:
    void runningChanged(bool running);
    /// The locks that are held or waited for now; emitted several times a second.
    void contended(const QList<lockscope::LockKey> &locks);
    /// Requests a run on a private server in a new window.
    void privateRunRequested(const lockscope::SimulationSetup &setup);

private:
    void build();
    void askOrRun();
    void run(const SimulationSetup &setup);
    void takeKeys(const QList<QByteArray> &keys);
    void beginAct(int number);
    void onProgressed(const SimulationSnapshot &snapshot);
    void finish(const ScenarioReport &report);
    void fail(const Error &why);
    void end(const QString &how);
    void saveBy(QFileDialog *dialog, const std::function<QString(const QString &path)> &save);
    void exportReport();
    void exportPicture();

    SimulationTarget m_target;
    QString m_serverName;
    // Made in this order, which is that of the Tab key.
    SetupView *m_setup;
    QTabWidget *m_tabs;
    LiveView *m_live;
    RunTimeline *m_timeline;
    ResultView *m_result;
    QSplitter *m_splitter;
    SimulationSetup m_started;
    QSet<QByteArray> m_keys;
    std::unique_ptr<ScenarioRun> m_run; ///< nullptr if none is running
};

} // namespace lockscope
