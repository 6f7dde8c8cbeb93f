// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QSet>
#include <QWidget>

#include <functional>
#include <memory>

class QAction;
class QFileDialog;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace lockscope {

class ElidedLabel;
class LiveView;
class ScenarioCards;
class SetupView;

/// The simulation: workers contend for locks on the page's server. Shows the scenarios, the settings of one,
/// or a run, which goes on while the panel is hidden.
class SimulationPanel : public QWidget
{
    Q_OBJECT

public:
    /// `serverName`: the user's name of the server. Asks before it runs on a target that is not a private
    /// server of ours. `toggle` shows and hides the panel.
    SimulationPanel(const SimulationTarget &target, const QString &serverName, bool readOnly, QAction &toggle,
                    QWidget *parent = nullptr);

    void start(const SimulationSetup &setup); ///< also selects it
    void stop();
    void forbid(const QString &why); ///< for good
    void setOnline(bool isOnline);
    bool isRunning() const { return m_run != nullptr; }
    /// Calls `then`: at once if nothing runs, otherwise after consent and the end of the run.
    void endBefore(const std::function<void()> &then);
    /// The lock keys of the current or last run, in all phases so far.
    const QSet<QByteArray> &keys() const { return m_keys; }
    void focusContents(); ///< a card, a setting, or what ends or repeats the run

signals:
    void runningChanged(bool running);
    /// The locks that are held or waited for now; emitted several times a second.
    void contended(const QList<lockscope::LockKey> &locks);
    /// Requests a run on a private server in a new window.
    void privateRunRequested(const lockscope::SimulationSetup &setup);

private:
    void connectParts();
    void showPage(QWidget *page);
    void refresh();
    void askOrRun();
    void run(const SimulationSetup &setup);
    void takeKeys(const QList<QByteArray> &keys);
    void beginAct(int number);
    void onProgressed(const SimulationSnapshot &snapshot);
    void finish(const ScenarioReport &report);
    void fail(const Error &why);
    void end(const QString &how, const ScenarioReport &report);
    void saveBy(QFileDialog *dialog, const std::function<QString(const QString &path)> &save);
    void exportReport();
    void exportPicture();

    SimulationTarget m_target;
    QString m_serverName;
    QAction &m_toggle;
    // Made in this order, which is that of the Tab key.
    ElidedLabel *m_title;
    QLabel *m_progress;
    QPushButton *m_stop;
    QPushButton *m_start;
    QPushButton *m_settings;
    QPushButton *m_back;
    QPushButton *m_leave;
    QStackedWidget *m_pages;
    ScenarioCards *m_cards;
    SetupView *m_setup;
    LiveView *m_live;
    SimulationSetup m_started;
    QString m_runTitle;
    QString m_forbidden; ///< why nothing can run here
    QSet<QByteArray> m_keys;
    std::unique_ptr<ScenarioRun> m_run; ///< nullptr if none is running
};

} // namespace lockscope
