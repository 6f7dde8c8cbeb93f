// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/mainwindow.h"

#include "core/base/printable.h"
#include "core/base/settings.h"
#include "core/simulation/demo/demoworkers.h"
#include "core/simulation/server/privateserver.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/actions/commandbar.h"
#include "ui/actions/commandpalette.h"
#include "ui/actions/mainactions.h"
#include "ui/actions/shortcutsdialog.h"
#include "ui/connect/connectionform.h"
#include "ui/connect/connectpage.h"
#include "ui/connect/keptpasswords.h"
#include "ui/connect/keychain.h"
#include "ui/connect/serverprofile.h"
#include "ui/help/helppage.h"
#include "ui/recording/recordcontroller.h"
#include "ui/shell/monitorpage.h"
#include "ui/shell/preferencesdialog.h"
#include "ui/shell/tour.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/savedwidgetstate.h"
#include "ui/widgets/serverlabel.h"
#include "ui/widgets/spokenrole.h"

#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QScreen>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::seconds maxForKeychain(2);

} // namespace

MainWindow::MainWindow(WindowOptions options, QWidget *parent)
    : QMainWindow(parent),
      m_options(std::move(options)),
      m_commands(new MainActions(this)),
      m_pages(new QStackedWidget(this)),
      m_connectPage(new ConnectPage(this)),
      m_toolBar(new CommandBar(this)),
      m_serverLabel(new ServerLabel(this))
{
    correctSpoken();
    setCentralWidget(m_pages);
    m_pages->addWidget(m_connectPage);
    buildStoredMenu(*m_commands->fillMenuBar(*menuBar()));
    buildToolBar();
    m_connectPage->setPatterns(m_options.patterns.isEmpty() ? MonitorOptions().patterns : m_options.patterns);

    connect(m_connectPage, &ConnectPage::connectRequested, this, &MainWindow::connectTo);
    connect(m_connectPage, &ConnectPage::demoRequested, this, &MainWindow::connectToDemo);
    connect(m_connectPage, &ConnectPage::simulationRequested, this, &MainWindow::connectToSimulation);
    connect(m_connectPage, &ConnectPage::cancelled, this, &MainWindow::leaveServer);
    connect(m_serverLabel, &ServerLabel::turned, m_commands->unlock, &QAction::trigger);
    for (QAction *action : {m_commands->connectTo, m_commands->disconnect})
        connect(action, &QAction::triggered, this, [this] {
            m_monitorPage ? m_monitorPage->endRunBefore([this] { leaveServer(); }) : leaveServer();
        });
    connect(m_commands->newWindow, &QAction::triggered, this, &MainWindow::openWindow);
    connect(m_connectPage, &ConnectPage::windowRequested, this, &MainWindow::openServer);
    connect(m_connectPage, &ConnectPage::passwordsNotKept, this, &MainWindow::tellNotKept);
    connect(m_commands->openRecording, &QAction::triggered, this, &MainWindow::askForRecording);
    connect(m_commands->quit, &QAction::triggered, this, [] { quit(true); });
    connect(m_commands->fullScreen, &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });
    HelpPage::install(this);
    connect(m_commands->showHelp, &QAction::triggered, &HelpPage::showForFocus);
    connect(m_commands->whatsThis, &QAction::triggered, &QWhatsThis::enterWhatsThisMode);
    connect(m_commands->tour, &QAction::triggered, this, &MainWindow::startTour);
    connect(m_commands->preferences, &QAction::triggered, this,
            [this] { openDialog(new PreferencesDialog(this)); });
    connect(m_commands->palette, &QAction::triggered, this,
            [this] { openDialog(new CommandPalette(commandGroups(*menuBar()), this)); });
    connect(m_commands->showShortcuts, &QAction::triggered, this, [this] {
        openDialog(new ShortcutsDialog(commandGroups(*menuBar()), m_commands->shortcuts(), this));
    });
    connect(m_commands->about, &QAction::triggered, this, &MainWindow::showAbout);
    qApp->installEventFilter(this);
    restoreLayout();
    showFirstPage();
    if (Settings::areNewer())
        m_connectPage->warn(inWords(Settings::newerText()));
    begin();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildToolBar()
{
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setWindowTitle(tr("Tool bar"));
    m_toolBar->setMovable(false);
    m_toolBar->setIconSize(QSize(16, 16));
    m_toolBar->addWidget(m_serverLabel);
    m_toolBar->addSeparator();
    m_commands->fillToolBar(*m_toolBar);
    m_toolBar->addMore();
    addToolBar(m_toolBar);
    m_toolBar->findChild<QToolButton *>(QStringLiteral("qt_toolbar_ext_button"))
        ->setAccessibleName(Texts::tr("More commands"));
    setContextMenuPolicy(Qt::NoContextMenu);
}

/// Filled on each opening: another window may have stored a server.
void MainWindow::buildStoredMenu(QMenu &menu)
{
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { listStored(menu); });
}

void MainWindow::listStored(QMenu &menu)
{
    menu.clear();
    QList<StoredServer> servers = knownServers();
    std::ranges::stable_sort(servers, {}, &StoredServer::group);
    for (const StoredServer &stored : std::as_const(servers)) {
        const QString text = stored.name.isEmpty() ? stored.address.toDisplayString() : stored.name;
        connect(menu.addAction(plainMenuText(printable(text.toUtf8(), 60))), &QAction::triggered, this,
                [this, stored] { openServer(stored); });
    }
    if (menu.isEmpty())
        menu.addAction(tr("No server is stored yet"))->setEnabled(false);
}

WindowOptions WindowOptions::forServer(const StoredServer &stored) const
{
    WindowOptions other;
    other.server = stored.address;
    other.serverName = stored.name;
    other.askPassword = stored.needsPassword();
    other.patterns = patterns;
    other.readOnly = readOnly || stored.readOnly;
    other.environment = stored.environment;
    other.group = stored.group;
    other.auditPath = auditPath;
    return other;
}

void MainWindow::open(const WindowOptions &options)
{
    auto *window = new MainWindow(options); // NOLINT(cppcoreguidelines-owning-memory): see the next line
    window->setAttribute(Qt::WA_DeleteOnClose);
    // Not exactly over another one: it would look as if that had gone. This one has no frame yet: its place may be meant with or
    // without one.
    constexpr QPoint aside(28, 28);
    const auto isTaken = [window](const QWidget *other) {
        return other != window && other->isVisible() && qobject_cast<const MainWindow *>(other) &&
               (other->pos() == window->pos() || other->geometry().topLeft() == window->pos());
    };
    // As large as the last one, or as what is left of the screen.
    const QRect room = window->screen()->availableGeometry().adjusted(0, 0, -8, -8);
    const auto hasRoom = [&] { return room.contains(window->geometry().topLeft() + 10 * aside); };
    while (std::ranges::any_of(QApplication::topLevelWidgets(), isTaken) && hasRoom())
        window->setGeometry(window->geometry().translated(aside) & room);
    window->show();
}

void MainWindow::closeAll()
{
    QList<QWidget *> windows = QApplication::topLevelWidgets();
    windows.removeIf([](const QWidget *each) { return !qobject_cast<const MainWindow *>(each); });
    qDeleteAll(windows);
    KeptPasswords(Keychain::instance()).finish(maxForKeychain);
}

/// Closes windows before floating panels, which would be saved as closed.
void MainWindow::quit(bool asks)
{
    const QList<QWidget *> windows = QApplication::topLevelWidgets();
    for (QWidget *widget : windows) {
        auto *window = qobject_cast<MainWindow *>(widget);
        if (!window || !window->isVisible())
            continue;
        window->m_asksBeforeEnd = asks;
        if (!window->close())
            return;
    }
    QApplication::closeAllWindows();
}

void MainWindow::openWindow()
{
    WindowOptions options;
    options.patterns = m_options.patterns;
    options.readOnly = m_options.readOnly;
    options.auditPath = m_options.auditPath;
    open(options);
}

void MainWindow::openServer(const StoredServer &listed)
{
    // As it is now: the menu may have been filled long ago.
    open(m_options.forServer(storedServer(listed.address).value_or(listed)));
}

void MainWindow::begin()
{
    setAcceptDrops(true);
    if (!m_options.warning.isEmpty())
        m_connectPage->warn(m_options.warning);
    if (m_options.link)
        return takeLink();
    if (!m_options.replayPath.isEmpty()) {
        openReplay(m_options.replayPath);
    } else if (m_options.demo) {
        connectToDemo();
    } else if (m_options.laboratory) {
        connectToSimulation();
    } else if (m_options.server && m_options.askPassword) {
        m_connectPage->form().fill(completedServer(m_options.stored()));
        m_connectPage->form().focusPassword();
    } else if (m_options.server) {
        const StoredServer known = completedServer(m_options.stored());
        m_options.usesKeychain ? m_connectPage->connectTo(known) : connectTo(known);
    }
}

void MainWindow::connectTo(const StoredServer &server)
{
    if (m_monitorPage) // this was asked for before that
        return;
    m_server = server;
    const ServerAddress &address = m_server.address;
    Session::Options options;
    QList<QByteArray> patterns = m_options.patterns;
    if (!m_privateServer) {
        const ServerProfile notes = notesOf(address.toUriWithoutPassword());
        options.monitor.rules = notes.rules;
        options.monitor.undiscovered = notes.undiscovered;
        if (patterns.isEmpty())
            patterns = notes.patterns;
    }
    if (!patterns.isEmpty())
        options.monitor.patterns = patterns;
    options.readOnly = m_server.readOnly;
    options.auditPath = m_options.auditPath;
    options.guard = ActionGuard(m_server.environment,
                                m_server.name.isEmpty() ? address.toDisplayString() : m_server.name);
    options.probe = m_server.probeCommand;
    m_monitorPage = std::make_unique<MonitorPage>(SimulationTarget{address, m_privateServer.get()}, options,
                                                  m_server.name, *m_commands);
    m_connectPage->showConnecting(m_monitorPage->serverName());
    openPage();
}

void MainWindow::openPage()
{
    connect(m_monitorPage.get(), &MonitorPage::established, this, &MainWindow::showServer);
    connect(m_monitorPage.get(), &MonitorPage::standingChanged, this, &MainWindow::showStanding);
    // Not of a page that has gone before this comes: that was told, or is not wanted any more.
    const auto take = [this, page = QPointer(m_monitorPage.get())](const Error &why) {
        if (page && page == m_monitorPage.get())
            takeFailure(why);
    };
    connect(m_monitorPage.get(), &MonitorPage::failed, this, take, Qt::QueuedConnection);
    connect(m_monitorPage.get(), &MonitorPage::privateRunRequested, this, &MainWindow::openSimulation);
    m_monitorPage->open();
}

bool MainWindow::startPrivateServer(const QString &whose)
{
    m_privateServer = std::make_unique<PrivateServer>();
    QApplication::setOverrideCursor(Qt::WaitCursor);
    const auto started = m_privateServer->start();
    QApplication::restoreOverrideCursor();
    if (!started) {
        m_privateServer.reset();
        m_options.setup.reset();
        m_connectPage->showFailure(describe(started.error(), whose), false);
    }
    return m_privateServer != nullptr;
}

void MainWindow::connectToDemo()
{
    if (!startPrivateServer(tr("the demo's server")))
        return;
    m_demoWorkers = std::make_unique<DemoWorkers>(m_privateServer->address());
    connectTo({tr("Demo"), m_privateServer->address(), m_options.readOnly, Environment::Development});
}

void MainWindow::connectToSimulation()
{
    if (!startPrivateServer(tr("the simulation's server")))
        return;
    m_isSimulation = true;
    // Read-only protects a server that was named; this one is there to be written to.
    connectTo({Texts::tr("Simulation"), m_privateServer->address(), false, Environment::Development});
}

/// Opens a new window: the current server stays watched.
void MainWindow::openSimulation(const SimulationSetup &setup)
{
    WindowOptions options;
    options.laboratory = true;
    options.setup = setup;
    options.auditPath = m_options.auditPath;
    open(options);
}

void MainWindow::showServer()
{
    if (!m_privateServer && !m_monitorPage->isReplay()) {
        rememberServer(m_server);
        m_connectPage->keepPasswords(m_server);
    }
    m_pages->addWidget(m_monitorPage.get());
    m_pages->setCurrentWidget(m_monitorPage.get());
    restorePage();
    showStanding();
    m_toolBar->show();
    m_monitorPage->focusLocks();
    m_commands->tour->setVisible(m_demoWorkers != nullptr);
    if (m_demoWorkers && m_options.offersTour && !Tour::wasSeen())
        startTour();
    if (const LockKey key = std::exchange(m_options.selectedLock, {}); !key.isEmpty())
        m_monitorPage->chooseWhenFound(key);
    // What was wanted of one server is not shown or recorded of another.
    const QString path = std::exchange(m_options.recordPath, {});
    const bool isMeant = m_privateServer || !m_options.server ||
                         m_options.server->toDisplayString() == m_server.address.toDisplayString();
    if (m_options.link && m_options.link->wallMs && (isMeant || m_monitorPage->isReplay()))
        m_monitorPage->showMoment(*m_options.link->wallMs);
    if (!path.isEmpty() && isMeant && !m_monitorPage->isReplay())
        m_monitorPage->recording().start(path, m_options.recordOptions);
    if (!m_isSimulation)
        return;
    m_monitorPage->showSimulation(true);
    if (const auto setup = std::exchange(m_options.setup, std::nullopt))
        m_monitorPage->simulate(*setup);
}

void MainWindow::showStanding()
{
    const ServerStanding standing = m_monitorPage->standing();
    m_serverLabel->setServer(standing);
    setWindowTitle(tr("%1 — Lockscope").arg(standing.title()));
}

void MainWindow::takeFailure(const Error &why)
{
    const QString name = m_server.address.toDisplayString();
    const bool isOurs = m_privateServer != nullptr || m_monitorPage->isReplay();
    leaveServer();
    if (!isOurs)
        m_connectPage->fillForm(m_server);
    m_connectPage->showFailure(describe(why, name), why);
}

void MainWindow::leaveServer()
{
    QString lost;
    if (m_monitorPage) {
        saveLayout();
        if (!m_monitorPage->isReplay())
            lost = m_monitorPage->recording().endNow();
    }
    delete findChild<Tour *>();
    m_monitorPage.reset();
    m_demoWorkers.reset();
    m_privateServer.reset();
    m_isSimulation = false;
    m_commands->showRunning(false);
    m_options.setup.reset();
    m_connectPage->takeBack(m_server.address);
    for (QAction *panel : m_commands->panelsOfServer() + QList{m_commands->pause})
        panel->setChecked(false);
    showFirstPage();
    if (!lost.isEmpty())
        m_connectPage->warn(lost);
}

void MainWindow::showFirstPage()
{
    m_toolBar->hide();
    m_commands->tour->setVisible(false);
    m_commands->allowUnlock(false, false);
    m_commands->allowRecording(false, false);
    m_commands->allowReplay(false, false);
    m_commands->update(false, m_options.readOnly ? MainActions::readOnlyReason() : QString(), nullptr);
    for (QAction *action :
         m_commands->panelsOfServer() +
             QList{m_commands->disconnect, m_commands->patterns, m_commands->rules, m_commands->families,
                   m_commands->alertRules, m_commands->exportLocks, m_commands->exportEvents,
                   m_commands->find, m_commands->filters, m_commands->clear, m_commands->pause,
                   m_commands->columns, m_commands->copySummary, m_commands->restoreLayout})
        action->setEnabled(false);
    m_pages->setCurrentWidget(m_connectPage);
    m_connectPage->showForm();
    setWindowTitle(QStringLiteral("Lockscope"));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_asksBeforeEnd && !qGuiApp->isSavingSession() && m_monitorPage && m_monitorPage->isSimulating()) {
        event->ignore();
        m_monitorPage->endRunBefore([this] { close(); });
        return;
    }
    saveLayout();
    QMainWindow::closeEvent(event);
}

/// A signal or the end of the desktop session sends Quit without the command.
bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Quit)
        quit(false);
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::startTour()
{
    delete findChild<Tour *>();
    new Tour(*this, *m_commands);
}

void MainWindow::tellNotKept(const QString &why)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Keychain"), why, QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    openDialog(box);
}

void MainWindow::showAbout()
{
    auto *box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Lockscope"),
                        tr("Lockscope %1").arg(QApplication::applicationVersion()), QMessageBox::Close, this);
    box->setTextFormat(Qt::PlainText);
    box->setIconPixmap(windowIcon().pixmap(QSize(64, 64)));
    box->setInformativeText(
        tr("A monitor for distributed locks in Redis.\n\nFree software (GNU GPL, version 3 or later).\nRedis "
           "is a trademark of Redis Ltd., which has no part in this program."));
    openDialog(box);
}

} // namespace lockscope
