// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/mainactions.h"

#include "core/act/scriptcall.h"
#include "core/family/certainty.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/actions/commandbar.h"
#include "ui/actions/shortcuts.h"
#include "ui/locks/processnamedialog.h"

#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QToolBar>

#include <algorithm>

namespace lockscope {

namespace {

constexpr const char *purposeProperty = "purpose";
constexpr const char *reasonProperty = "reason";

bool hasDeadWaiter(const Lock &lock)
{
    const QList<Waiter> &queue = lock.companions->waiters.queue;
    return std::any_of(queue.begin(), queue.end(), [](const Waiter &waiter) { return waiter.isDead; });
}

} // namespace

MainActions::MainActions(QWidget *window) : QObject(window), m_window(window)
{
    connectTo = add("connectTo", tr("&New connection…"), {QKeySequence::New});
    newWindow = add("newWindow", tr("New &window"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)});
    openRecording = add("openRecording", tr("Open &recording…"), {QKeySequence::Open},
                        tr("Replay a recording, without a server"));
    record = add("record", tr("R&ecord…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)});
    disconnect = add("disconnect", tr("&Disconnect"));
    quit = add("quit", tr("&Quit"), {QKeySequence::Quit});
    quit->setMenuRole(QAction::QuitRole);

    copyRow = add("copyRow", tr("&Copy row"), {QKeySequence::Copy});
    copyKey = add("copyKey", tr("Copy &key"));
    copyOwner = add("copyOwner", tr("Copy &owner"));
    copyCli = add("copyCli", tr("Copy as &redis-cli"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
    copyLink = add("copyLink", tr("Cop&y link"), {},
                   tr("Copy a link to the lock at this moment, without passwords"));
    copySummary =
        add("copySummary", tr("Copy i&ncident summary"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I)},
            tr("Copy the lock's state and events as Markdown"));
    exportLocks = add("exportLocks", tr("&Export locks…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)});
    exportSelected = add("exportSelected", tr("Export &selected…"));
    exportEvents = add("exportEvents", tr("Export e&vents…"));
    find = add("find", tr("&Filter"), {QKeySequence::Find, QKeySequence(Qt::Key_Slash)});
    filters = add("filters", tr("Recent and &saved filters…"));
    preferences = add("preferences", tr("P&references…"), {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    preferences->setMenuRole(QAction::PreferencesRole);
    clear = add("clear", tr("C&lear filter, then selection"), {QKeySequence(Qt::Key_Escape)});

    acquire = add("acquire", tr("&Acquire…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)},
                  tr("Acquire a lock as an owner you name"));
    release = add("release", tr("&Release…"), {QKeySequence(Qt::CTRL | Qt::Key_L)});
    extend = add("extend", tr("&Extend…"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                 tr("Set a new lease as the owner"));
    forceExpire = add("forceExpire", tr("&Force-expire…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X)},
                      tr("Expire the lock if its holds are unchanged"));

    removeWaiter = add("removeWaiter", tr("Remove &waiter…"));
    wake = add("wake", tr("Wake the &queue…"), {}, tr("Wake the first waiter of an orphaned queue"));
    nameProcess = add("nameProcess", tr("&Name process…"), {QKeySequence(Qt::CTRL | Qt::Key_M)},
                      tr("Name this process in all its locks"));

    findClients = add("findClients", tr("F&ind clients…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W)});

    rawValue = add("rawValue", tr("Raw &value…"), {}, tr("Show what Redis stores for this lock"));

    play = add("play", tr("&Play"), {QKeySequence(Qt::Key_P)});
    previousEvent = add("previousEvent", tr("Pre&vious event"), {QKeySequence(Qt::Key_Comma)});
    nextEvent = add("nextEvent", tr("Ne&xt event"), {QKeySequence(Qt::Key_Period)});
    goToTime = add("goToTime", tr("&Go to time…"), {QKeySequence(Qt::CTRL | Qt::Key_T)});
    pause = add("pause", Texts::tr("&Pause"), {QKeySequence(Qt::Key_Space)},
                tr("Freeze the display; watching goes on"));
    pause->setCheckable(true);
    // Of the widgets that it is given to: elsewhere the key presses a button, or is a letter.
    pause->setShortcutContext(Qt::WidgetShortcut);
    unlock = add("unlock", unlockText(true), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U)},
                 tr("Allow or block actions on production"));
    unlock->setVisible(false);
    scan = add("scan", tr("&Scan now"), {QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)});
    patterns = add("patterns", tr("&Patterns…"), {QKeySequence(Qt::CTRL | Qt::Key_P)});
    rules = add("rules", tr("Family &rules…"));
    families = add("families", tr("Fam&ilies…"));
    alertRules = add("alertRules", tr("Alert r&ules…"));
    findLocks =
        add("findLocks", tr("Find &locks by content…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
    focusInspector = add("focusInspector", tr("&Go to inspector"), {QKeySequence(Qt::CTRL | Qt::Key_I)});
    showInspector = add("showInspector", tr("Show &inspector"), {QKeySequence(Qt::Key_F9)});
    showInspector->setIconText(Texts::tr("Inspector"));
    showInspector->setCheckable(true);
    showInspector->setChecked(true);
    showAlerts = addPanel("showAlerts", tr("Show ale&rts"), tr("Alerts"), Glyph::Triangle, Qt::Key_F12,
                          tr("Show what needs attention"));
    showWaits = addPanel("showWaits", tr("Show lock &waits"), Texts::tr("Lock waits"), Glyph::Queue,
                         Qt::Key_B, tr("Show who waits for whom, and deadlocks"));
    showOwners = addPanel("showOwners", tr("Show ow&ners"), Texts::tr("Owners"), Glyph::Person, Qt::Key_F3,
                          tr("Show locks by owner, process or host"));
    showTimeline = addPanel("showTimeline", tr("Show &timeline"), tr("Timeline"), Glyph::Lanes, Qt::Key_F4,
                            tr("Show who held or awaited each lock, and when"));
    showStatistics = addPanel("showStatistics", tr("Show &statistics"), tr("Statistics"), Glyph::Bars,
                              Qt::Key_F2, tr("Show acquisitions, hold times and waits per lock"));
    showBlame = addPanel("showBlame", tr("Show &blame"), tr("Blame"), Glyph::Queue,
                         QKeySequence(Qt::SHIFT | Qt::Key_F2), tr("Show who made whom wait, and how long"));
    showEvents = addPanel("showEvents", tr("Show &events"), Texts::tr("Events"), Glyph::Pulse, Qt::Key_F6,
                          tr("Show events of all locks and of the connection"));
    showAudit = addPanel("showAudit", tr("Show &audit log"), Texts::tr("Audit log"), Glyph::Log, Qt::Key_F7);
    showSimulation =
        addPanel("showSimulation", tr("Show si&mulation"), tr("Simulate"), Glyph::Flask, Qt::Key_F8);
    showSimulation->setProperty(CommandBar::widestText, tr("Running…"));
    restoreLayout = add("restoreLayout", tr("&Restore default layout"));
    columns = add("columns", tr("&Columns…"));
    compactRows = add("compactRows", tr("C&ompact rows"));
    compactRows->setCheckable(true);
    fullScreen = add("fullScreen", tr("F&ull screen"), {QKeySequence(Qt::Key_F11)});
    fullScreen->setCheckable(true);
    palette = add("palette", tr("&Commands…"), {QKeySequence(Qt::CTRL | Qt::Key_K)});
    showHelp = add("showHelp", tr("&Help"), {QKeySequence(Qt::Key_F1)}, tr("Explain what is in focus"));
    whatsThis = add("whatsThis", tr("&What's this?"), {QKeySequence(Qt::SHIFT | Qt::Key_F1)},
                    tr("Explain what you click next"));
    tour = add("tour", tr("&Tour of the demo"));
    showShortcuts = add("showShortcuts", tr("&Keyboard shortcuts…"),
                        {QKeySequence(Qt::CTRL | Qt::Key_F1), QKeySequence(Qt::Key_Question)});
    about = add("about", tr("&About Lockscope"));
    about->setMenuRole(QAction::AboutRole);

    for (const auto &[action, glyph] :
         {std::pair(connectTo, Glyph::Plug), std::pair(openRecording, Glyph::Play),
          std::pair(record, Glyph::RecordDot), std::pair(play, Glyph::Play),
          std::pair(previousEvent, Glyph::StepBack), std::pair(nextEvent, Glyph::StepForward),
          std::pair(pause, Glyph::Pause), std::pair(unlock, Glyph::OpenPadlock),
          std::pair(copyCli, Glyph::Copy), std::pair(find, Glyph::Search), std::pair(acquire, Glyph::Padlock),
          std::pair(release, Glyph::OpenPadlock), std::pair(extend, Glyph::ClockPlus),
          std::pair(forceExpire, Glyph::Bolt), std::pair(scan, Glyph::Scan),
          std::pair(patterns, Glyph::Pattern), std::pair(showInspector, Glyph::Panel),
          std::pair(removeWaiter, Glyph::Cross), std::pair(nameProcess, Glyph::Tag)})
        action->setIcon(glyphIcon(glyph));
    wake->setIcon(glyphIcon(Glyph::Queue));
    // A key that is held down for long is one wish, and the next owner no part of it.
    for (QAction *action : {acquire, release, extend, forceExpire, removeWaiter, wake})
        action->setAutoRepeat(false);
    m_shortcuts = new Shortcuts(findChildren<QAction *>(), this);
    connect(m_shortcuts, &Shortcuts::changed, this, [this] {
        for (QAction *action : m_shortcuts->actions())
            allow(action, action->isEnabled(), action->property(reasonProperty).toString());
    });
}

QAction *MainActions::add(const char *name, const QString &text, const QList<QKeySequence> &shortcuts,
                          const QString &purpose)
{
    auto *action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    setText(action, text);
    action->setShortcuts(shortcuts);
    action->setProperty(purposeProperty, purpose);
    allow(action, true, {});
    m_window->addAction(action);
    return action;
}

QAction *MainActions::addPanel(const char *name, const QString &text, const QString &panel, Glyph glyph,
                               const QKeySequence &shortcut, const QString &purpose)
{
    QAction *action = add(name, text, {shortcut}, purpose);
    action->setIconText(panel);
    action->setIcon(glyphIcon(glyph));
    action->setCheckable(true);
    return action;
}

void MainActions::showRunning(bool isRunning)
{
    showSimulation->setIconText(isRunning ? tr("Running…") : tr("Simulate"));
}

void MainActions::setText(QAction *action, const QString &text)
{
    // Qt's own takes the mnemonic of "Key(&K)" for a part of the words.
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&"));
    action->setText(text);
    action->setIconText(QString(text).remove(mnemonic));
}

/// The tool tip shows purpose and shortcut, or why the action is disabled.
void MainActions::allow(QAction *action, bool possible, const QString &reason)
{
    action->setEnabled(possible);
    action->setProperty(reasonProperty, reason);
    QString purpose = action->property(purposeProperty).toString();
    if (purpose.isEmpty())
        purpose = action->iconText();
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString help = keys.isEmpty() ? purpose : tr("%1 (%2)", "purpose and shortcut").arg(purpose, keys);
    action->setToolTip(possible || reason.isEmpty() ? help : reason);
    action->setStatusTip(possible || reason.isEmpty() ? purpose : reason);
}

QMenu *MainActions::fillMenuBar(QMenuBar &bar)
{
    QMenu *server = bar.addMenu(Texts::tr("&Server"));
    server->addActions({connectTo, newWindow});
    QMenu *stored = server->addMenu(tr("Open in new wind&ow"));
    server->addActions({openRecording, disconnect});
    server->addSeparator();
    server->addAction(record);
    server->addSeparator();
    server->addActions({scan, findLocks, patterns, rules, families, alertRules});
    server->addSeparator();
    server->addActions({exportLocks, exportEvents});
    server->addSeparator();
    server->addAction(quit);

    QMenu *edit = bar.addMenu(tr("&Edit"));
    edit->addActions({copyRow, copyKey, copyOwner, copyCli, copyLink, copySummary});
    edit->addSeparator();
    edit->addActions({find, filters, clear});
    edit->addSeparator();
    edit->addAction(preferences);

    QMenu *lock = bar.addMenu(tr("&Lock"));
    lock->addActions({acquire, release, extend});
    lock->addSeparator();
    lock->addActions({forceExpire, removeWaiter, wake});
    lock->addSeparator();
    lock->addActions({nameProcess, findClients, rawValue});
    lock->addSeparator();
    lock->addAction(unlock);

    QMenu *view = bar.addMenu(tr("&View"));
    view->addActions({pause, play, previousEvent, nextEvent, goToTime});
    view->addSeparator();
    view->addActions(QList{showInspector, focusInspector} + panelsOfServer());
    view->addAction(restoreLayout);
    view->addSeparator();
    view->addActions({columns, compactRows});
    view->addSeparator();
    view->addAction(fullScreen);
    for (QMenu *menu : {server, edit, lock, view})
        menu->setToolTipsVisible(true);

    QMenu *help = bar.addMenu(tr("&Help"));
    help->addActions({showHelp, whatsThis, tour, palette, showShortcuts});
    help->addSeparator();
    help->addAction(about);
    return stored;
}

void MainActions::fillToolBar(QToolBar &bar)
{
    bar.addActions({play, pause, scan});
    bar.addSeparator();
    QList<QAction *> panels = panelsOfServer() + QList{showInspector};
    panels.removeOne(showBlame); // Statistics offers it
    bar.addActions(panels);
    bar.addSeparator();
    bar.addActions({acquire, patterns});
}

void MainActions::fillContextMenu(QMenu &menu)
{
    menu.setToolTipsVisible(true);
    menu.addActions({copyRow, copyKey, copyOwner, copyCli, copyLink, copySummary, exportSelected});
    menu.addSeparator();
    menu.addActions({nameProcess, findClients, rawValue});
    menu.addSeparator();
    menu.addActions({release, extend});
    menu.addSeparator();
    menu.addActions({forceExpire, removeWaiter, wake});
}

QString MainActions::readOnlyReason()
{
    return tr("This connection is read-only.");
}

void MainActions::update(bool connected, const QString &blocked, const Lock *lock,
                         const QList<const Lock *> &selected)
{
    const QString offline = Texts::tr("Not connected to the server.");
    const bool areSeveral = selected.size() > 1;
    const QString nothing = areSeveral ? tr("Select a single lock.") : tr("Select a lock first.");
    const bool readOnly = !blocked.isEmpty();

    for (QAction *action : panelsOfServer() + QList{disconnect, patterns, rules, families, alertRules,
                                                    exportLocks, exportEvents, find, filters, clear, pause,
                                                    columns, showInspector, focusInspector, restoreLayout})
        allow(action, true, {});
    for (QAction *action : {scan, findLocks})
        allow(action, connected, offline);
    for (QAction *action : {copyRow, copyKey, exportSelected})
        allow(action, lock || areSeveral, nothing);
    if (areSeveral) // what follows is of one, but for two actions
        lock = nullptr;
    for (QAction *action : {findClients, rawValue})
        allow(action, connected && lock, connected ? nothing : offline);
    for (QAction *action : {copyCli, copyLink})
        allow(action, lock != nullptr, nothing);
    allow(copyOwner, lock != nullptr && !lock->owners.isEmpty(),
          lock ? tr("The owner is unknown.") : nothing);

    const auto count = static_cast<int>(selected.size());
    setText(release, areSeveral ? tr("&Release %n lock(s)…", nullptr, count) : tr("&Release…"));
    setText(forceExpire, areSeveral ? tr("&Force-expire %n lock(s)…", nullptr, count) : tr("&Force-expire…"));
    allow(acquire, connected && !readOnly, readOnly ? blocked : offline);
    for (const auto &[command, action] :
         {std::pair(release, Action::Release), std::pair(extend, Action::Extend),
          std::pair(forceExpire, Action::ForceExpire), std::pair(wake, Action::Wake)}) {
        const bool isForSeveral = areSeveral && (action == Action::Release || action == Action::ForceExpire);
        const QString unfit = isForSeveral ? whyNoAction(selected, action)
                              : lock       ? whyNoAction(*lock, action)
                                           : nothing;
        const QString reason = readOnly ? blocked : !connected ? offline : unfit;
        allow(command, reason.isEmpty(), reason);
    }

    const bool hasDead = lock && hasDeadWaiter(*lock);
    const QString unheard = lock ? silenceInWords(lock->companions->waiters.silence) : QString();
    const QString noneDead = unheard.isEmpty()
                                 ? tr("No dead waiters found.")
                                 : tr("Waiters not subscribed here may be alive: %1.").arg(unheard);
    allow(removeWaiter, connected && !readOnly && hasDead,
          readOnly     ? blocked
          : !connected ? offline
          : lock       ? noneDead
                       : nothing);
    allow(nameProcess, lock && !clientsOf(*lock).isEmpty(),
          lock ? tr("The owner ID does not identify a process.") : nothing);
}

void MainActions::allowCopies(const Lock &gone)
{
    for (QAction *action : {copyRow, copyKey})
        allow(action, true, {});
    allow(copyOwner, !gone.owners.isEmpty(), tr("The owner is unknown."));
}

QString MainActions::lockedReason()
{
    return tr("Production is read-only until you unlock it.");
}

QString MainActions::unlockText(bool isLocked)
{
    return isLocked ? tr("&Unlock for 15 minutes") : tr("L&ock again");
}

void MainActions::allowUnlock(bool isProduction, bool isLocked)
{
    m_offersUnlock = isLocked;
    unlock->setVisible(isProduction);
    setText(unlock, unlockText(isLocked));
    unlock->setIcon(glyphIcon(isLocked ? Glyph::OpenPadlock : Glyph::Padlock));
}

void MainActions::allowReplay(bool isReplay, bool isOpen)
{
    for (QAction *action : {play, previousEvent, nextEvent, goToTime}) {
        action->setVisible(isReplay);
        allow(action, isReplay && isOpen, {});
    }
    pause->setVisible(!isReplay);
    setText(disconnect, isReplay ? tr("Close recor&ding") : tr("&Disconnect"));
    allow(disconnect, disconnect->isEnabled(), {});
    if (!isReplay)
        return;
    for (QAction *action :
         {record,   pause,   scan,        findLocks,    patterns,   rules,       acquire,
          release,  extend,  forceExpire, removeWaiter, wake,       nameProcess, findClients,
          rawValue, copyCli, copyLink,    showAlerts,   alertRules, showAudit,   showSimulation})
        allow(action, false, recordingReason());
}

void MainActions::showPlaying(bool on)
{
    setText(play, on ? Texts::tr("&Pause") : tr("&Play"));
    play->setIcon(glyphIcon(on ? Glyph::Pause : Glyph::Play));
    allow(play, play->isEnabled(), {});
}

void MainActions::allowRecording(bool possible, bool isRecording)
{
    setText(record, isRecording ? tr("Stop r&ecording") : tr("R&ecord…"));
    allow(record, possible, Texts::tr("Not connected to the server."));
}

QString MainActions::recordingReason()
{
    return tr("Not available in a recording.");
}

void MainActions::allowSummary(bool isThere)
{
    allow(copySummary, isThere, tr("Select a lock first."));
}

QString whyNoAction(const QList<const Lock *> &locks, Action action)
{
    QString why;
    for (const Lock *lock : locks) {
        why = whyNoAction(*lock, action);
        if (why.isEmpty())
            break;
    }
    return why;
}

QString whyNoAction(const Lock &lock, Action action)
{
    if (lock.problems.testFlag(Problem::TooBig))
        return MainActions::tr("Too big to read whole and compare.");
    const bool isOrphan = lock.problems.testFlag(Problem::Orphaned);
    if (isOrphan && action != Action::Wake)
        return MainActions::tr("The lock is gone; only its wait queue is left.");
    if (!isOrphan && action == Action::Wake)
        return MainActions::tr("Only orphaned queues can be woken.");
    const bool isForced = action == Action::ForceExpire && isComparable(lock);
    if ((lock.family.isUnknown() && !isForced) || (lock.owners.isEmpty() && !isOrphan))
        return MainActions::tr("Not a recognized lock.");
    ActionRequest asked = ActionRequest::on(lock, action);
    asked.owner = lock.owners.value(0).owner;
    asked.lease = Lease::fromMilliseconds(std::chrono::seconds(1));
    asked.expected = lock.owners;
    return inWords(validationError(asked).value_or(Phrase()));
}

} // namespace lockscope
