// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/recording/recordingwriter.h"
#include "core/redis/error.h"
#include "core/redis/serveraddress.h"
#include "core/redis/serverlink.h"
#include "core/redis/storedservers.h"
#include "ui/simulation/simulationsetup.h"

#include <QMainWindow>

#include <memory>
#include <optional>

class QStackedWidget;

namespace lockscope {

class MainActions;
class CommandBar;
class ConnectPage;
class DemoWorkers;
class MonitorPage;
class PrivateServer;
class ServerLabel;

struct WindowOptions
{
    std::optional<ServerAddress> server; ///< absent: the connect page asks
    QString serverName;                  ///< given by the user; may be empty
    bool askPassword = false;            ///< the connect page asks for it before connecting
    bool usesKeychain = true;            ///< for passwords missing in `server`
    QList<QByteArray> patterns;          ///< empty: default patterns
    bool readOnly = false;
    Environment environment = Environment::Unset;
    QString group;                  ///< StoredServer::group
    LockKey selectedLock;           ///< selected first; may be empty
    std::optional<ServerLink> link; ///< server, lock and moment to show
    QString warning;                ///< shown on the first page; may be empty
    QString replayPath;             ///< recording shown instead of a server; empty: none
    QString recordPath;             ///< file to record the session to; empty: none
    RecordingOptions recordOptions{};
    bool demo = false;
    bool offersTour = false; ///< of the demo, once per user
    bool laboratory = false; ///< opens the simulation on a private server
    std::optional<SimulationSetup> setup;
    QString auditPath; ///< empty: default path

    /// Returns options for a window of this server, with the same patterns, read-only mode and audit path.
    WindowOptions forServer(const StoredServer &stored) const;
    StoredServer stored() const
    {
        return {serverName, server.value_or(ServerAddress()), readOnly, environment, group};
    }
};

/// The main window: the connect page or the page of one server, the menus, the theme and the saved layout.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Shows another window, which is deleted when closed.
    static void open(const WindowOptions &options);
    /// Deletes all main windows, then waits for the keychain.
    static void closeAll();

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildToolBar();
    void buildStoredMenu(QMenu &server);
    void listStored(QMenu &menu);
    static void quit(bool asks);
    void openWindow();
    void openServer(const StoredServer &listed);
    void begin();
    void takeLink();
    void connectTo(const StoredServer &server);
    void connectToDemo();
    void connectToSimulation();
    void askForRecording();
    void showRecording(const QString &path);
    void openReplay(const QString &path);
    void openPage();
    bool startPrivateServer(const QString &whose);
    void openSimulation(const SimulationSetup &setup);
    void showServer();
    void showStanding();
    void takeFailure(const Error &why);
    void leaveServer();
    void showFirstPage();
    void saveLayout();
    void restoreLayout();
    void restorePage();
    QString pageGroup() const;
    void startTour();
    void tellNotKept(const QString &why);
    void showAbout();

    WindowOptions m_options;
    MainActions *m_commands;
    QStackedWidget *m_pages;
    ConnectPage *m_connectPage;
    CommandBar *m_toolBar;
    ServerLabel *m_serverLabel;
    // Destruction order, last first: the page, then the workers, then their server.
    std::unique_ptr<PrivateServer> m_privateServer;
    std::unique_ptr<DemoWorkers> m_demoWorkers;
    std::unique_ptr<MonitorPage> m_monitorPage;
    StoredServer m_server; ///< last connection attempt
    bool m_isSimulation = false;
    bool m_asksBeforeEnd = true; ///< of a simulation
};

} // namespace lockscope
