// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/recording/recordingwriter.h"
#include "core/redis/error.h"
#include "core/redis/serveraddress.h"
#include "core/redis/storedservers.h"
#include "ui/simulation/simulationsetup.h"

#include <QMainWindow>

#include <memory>
#include <optional>

class QStackedWidget;
class QToolBar;

namespace lockscope {

class MainActions;
class ConnectPage;
class DemoWorkers;
class MonitorPage;
class PrivateServer;
class ServerLabel;

/// What the window is started with.
struct WindowOptions
{
    std::optional<ServerAddress> server; ///< absent: the first page asks
    QString serverName;                  ///< the one that its user has given it; may be empty
    bool askPassword = false;            ///< the first page asks for it before connecting
    bool usesKeychain = true;            ///< for passwords that `server` lacks and the user keeps there
    QList<QByteArray> patterns;          ///< empty: the default ones
    bool readOnly = false;
    Environment environment = Environment::Unset;
    QString group;        ///< as StoredServer::group
    LockKey selectedLock; ///< the one to be shown first; may be empty
    QString replayPath;   ///< of a recording that is shown instead of a server; empty: none
    QString recordPath;   ///< what the server tells is recorded there; empty: it is not
    RecordingOptions recordOptions{};
    bool demo = false;
    bool laboratory = false;              ///< on a private server, with the simulation shown
    std::optional<SimulationSetup> setup; ///< of the laboratory: runs at once
    QString auditPath;                    ///< empty: the default one

    /// The same, for another window and this server.
    WindowOptions forServer(const StoredServer &stored) const;
    /// The one that is named.
    StoredServer stored() const
    {
        return {serverName, server.value_or(ServerAddress()), readOnly, environment, group};
    }
};

/// The frame: the first page or the page of one server, the menus, the theme, and what is remembered of the layout.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(WindowOptions options, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Shows one more window, which goes when it is closed.
    static void open(const WindowOptions &options);
    /// Those that still are there, with all that is theirs.
    static void closeAll();

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildToolBar();
    void buildThemeMenu(QMenu &view);
    void buildStoredMenu(QMenu &server);
    void buildLayoutMenu(QMenu &menu);
    void listStored(QMenu &menu);
    static void quit();
    void openWindow();
    void openServer(const StoredServer &listed);
    void begin();
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
    void tellNotKept(const QString &why);
    void showAbout();

    WindowOptions m_options;
    MainActions *m_commands;
    QStackedWidget *m_pages;
    ConnectPage *m_connectPage;
    QToolBar *m_toolBar;
    ServerLabel *m_serverLabel;
    // In this order: the page leaves before the workers, these before their server.
    std::unique_ptr<PrivateServer> m_privateServer;
    std::unique_ptr<DemoWorkers> m_demoWorkers;
    std::unique_ptr<MonitorPage> m_monitorPage;
    StoredServer m_server; ///< of the last attempt
    bool m_isSimulation = false;
};

} // namespace lockscope
