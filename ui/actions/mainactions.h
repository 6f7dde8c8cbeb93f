// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "ui/widgets/glyph.h"

#include <QAction>
#include <QObject>

class QMenu;
class QMenuBar;
class QToolBar;

namespace lockscope {

class Shortcuts;

/// All commands of the window, shared by menus, tool bar, buttons and shortcuts: a disabled command is
/// disabled everywhere, with its reason as tool tip.
class MainActions : public QObject
{
    Q_OBJECT

public:
    /// Adds every action to `window`: shortcuts work with any focus.
    explicit MainActions(QWidget *window);

    /// Returns the menu for servers to open in another window.
    QMenu *fillMenuBar(QMenuBar &bar);
    void fillToolBar(QToolBar &bar);
    void fillContextMenu(QMenu &menu);

    /// Enables available commands. `blocked`: why changes are not allowed; empty: they are. `lock`: the
    /// chosen lock, nullptr without one or if it is gone; `selected`: all selected locks, if several.
    void update(bool connected, const QString &blocked, const Lock *lock,
                const QList<const Lock *> &selected = {});
    void allowSummary(bool isThere);
    Shortcuts &shortcuts() { return *m_shortcuts; }

    /// Shows the unlock command for production; `isLocked`: whether it unlocks or locks.
    void allowUnlock(bool isProduction, bool isLocked);
    void showRunning(bool isRunning); ///< of the simulation
    /// Call after update(). The redis-cli call is left out: it could end the next hold of the same owner.
    void allowCopies(const Lock &gone);
    /// True if `unlock` unlocks, false if it locks again.
    bool offersUnlock() const { return m_offersUnlock; }
    /// Call after update(). For a recording, disables commands that need a server and shows playback
    /// commands, enabled if `isOpen`.
    void allowReplay(bool isReplay, bool isOpen);
    /// Sets whether `play` pauses.
    void showPlaying(bool on);
    void allowRecording(bool possible, bool isRecording);
    static QString recordingReason();
    static QString readOnlyReason();
    static QString lockedReason();

    /// Returns the commands that show panels of the server's page. Menu, tool bar and window list panels from
    /// here; MonitorPage::buildLayout() adds the panels.
    QList<QAction *> panelsOfServer() const
    {
        return {showAlerts, showWaits,  showOwners, showTimeline,  showStatistics,
                showBlame,  showEvents, showAudit,  showSimulation};
    }

    QAction *connectTo;
    QAction *newWindow;
    QAction *openRecording;
    QAction *record;
    QAction *disconnect;
    QAction *quit;

    QAction *copyRow;
    QAction *copyKey;
    QAction *copyOwner;
    QAction *copyCli;
    QAction *copyLink;
    QAction *copySummary;
    QAction *exportLocks;
    QAction *exportSelected;
    QAction *exportEvents;
    QAction *find;
    QAction *filters;
    QAction *clear;
    QAction *preferences;

    QAction *acquire;
    QAction *release;
    QAction *extend;
    QAction *forceExpire;
    QAction *removeWaiter;
    QAction *wake;
    QAction *nameProcess;
    QAction *findClients;
    QAction *rawValue;

    QAction *play;
    QAction *previousEvent;
    QAction *nextEvent;
    QAction *goToTime;

    QAction *unlock;
    QAction *pause;
    QAction *scan;
    QAction *patterns;
    QAction *rules;
    QAction *families;
    QAction *alertRules;
    QAction *findLocks;
    QAction *focusInspector;
    QAction *showInspector;
    QAction *showAlerts;
    QAction *showWaits;
    QAction *showOwners;
    QAction *showTimeline;
    QAction *showStatistics;
    QAction *showBlame;
    QAction *showEvents;
    QAction *showAudit;
    QAction *showSimulation;
    QAction *restoreLayout;
    QAction *columns;
    QAction *compactRows;
    QAction *fullScreen;
    QAction *showHelp;
    QAction *whatsThis;
    QAction *tour;
    QAction *palette;
    QAction *showShortcuts;
    QAction *about;

private:
    /// Adds a command. `name` is the key of its shortcuts in the settings: never translated or changed.
    QAction *add(const char *name, const QString &text, const QList<QKeySequence> &shortcuts = {},
                 const QString &purpose = {});
    /// Adds a command that shows or hides a panel. `panel`: its name on buttons.
    QAction *addPanel(const char *name, const QString &text, const QString &panel, Glyph glyph,
                      const QKeySequence &shortcut, const QString &purpose = {});
    static void setText(QAction *action, const QString &text);
    static QString unlockText(bool isLocked);
    void allow(QAction *action, bool possible, const QString &reason);

    QWidget *m_window;
    Shortcuts *m_shortcuts;
    bool m_offersUnlock = true;
};

/// Returns why no script may do this as the lock's first owner; empty if one may.
QString whyNoAction(const Lock &lock, Action action);
/// Returns why none of several locks qualifies; empty if one does.
QString whyNoAction(const QList<const Lock *> &locks, Action action);

} // namespace lockscope
