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

/// Everything that the user can ask the window for, once: menus, tool bar, buttons and shortcuts show the
/// same actions, so that what is disabled is disabled everywhere, with its reason as tool tip.
class MainActions : public QObject
{
    Q_OBJECT

public:
    /// Adds every action to `window`, so that shortcuts work wherever the focus is.
    explicit MainActions(QWidget *window);

    /// What others fill.
    struct Menus
    {
        QMenu *view;
        QMenu *stored; ///< servers to open in another window
        QMenu *layouts;
    };

    Menus fillMenuBar(QMenuBar &bar);
    void fillToolBar(QToolBar &bar);
    void fillContextMenu(QMenu &menu);

    /// Enables what makes sense now. `blocked`: why nothing may be changed; empty: it may. `lock` is the chosen one, nullptr
    /// for none or one that is gone; `selected` all that are selected, where these are several.
    void update(bool connected, const QString &blocked, const Lock *lock,
                const QList<const Lock *> &selected = {});
    /// Of the lock in the inspector, which may be gone.
    void allowSummary(bool isThere);
    Shortcuts &shortcuts() { return *m_shortcuts; }

    /// Of production alone: offers to let actions through for a while, or no more.
    void allowUnlock(bool isProduction, bool isLocked);
    /// What `unlock` says: to unlock, or else to lock again.
    bool offersUnlock() const { return m_offersUnlock; }
    /// Of a page that shows a recording: after update(), what would need a server is not possible; what moves in the recording
    /// is where `isOpen`. Else that is not there.
    void allowReplay(bool isReplay, bool isOpen);
    /// What `play` does next.
    void showPlaying(bool on);
    /// Of a server's page: whether it can be recorded, and is.
    void allowRecording(bool possible, bool isRecording);
    /// Of a recording, which is shown as it was.
    static QString recordingReason();
    /// Of a connection that the user has made for reading alone.
    static QString readOnlyReason();
    /// Of production that is not unlocked.
    static QString lockedReason();

    /// Those that show a panel of the server's page. A new one stands here, and is added to the page by
    /// MonitorPage::buildLayout(): menu, tool bar and window take it from here.
    QList<QAction *> panelsOfServer() const
    {
        return {showAlerts,     showWaits,  showOwners, showTimeline,
                showStatistics, showEvents, showAudit,  showSimulation};
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
    QAction *copySummary;
    QAction *exportLocks;
    QAction *exportSelected;
    QAction *exportEvents;
    QAction *find;
    QAction *filters;
    QAction *clear;

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
    QAction *showEvents;
    QAction *showAudit;
    QAction *showSimulation;
    QAction *saveLayout;
    QAction *restoreLayout;
    QAction *columns;
    QAction *compactRows;
    QAction *fullScreen;
    QAction *palette;
    QAction *showShortcuts;
    QAction *about;

private:
    /// Under `name` the settings keep what the user has chosen of the command: never translated, never changed.
    QAction *add(const char *name, const QString &text, const QList<QKeySequence> &shortcuts = {},
                 const QString &purpose = {});
    /// Shows a panel, or hides it. `panel`: what it is called on a button.
    QAction *addPanel(const char *name, const QString &text, const QString &panel, Glyph glyph,
                      Qt::Key shortcut, const QString &purpose);
    static void setText(QAction *action, const QString &text);
    static QString unlockText(bool isLocked);
    void allow(QAction *action, bool possible, const QString &reason);

    QWidget *m_window;
    Shortcuts *m_shortcuts;
    bool m_offersUnlock = true;
};

/// Why no script of ours may do this to a lock in the name of its first owner; empty where one may.
QString whyNoAction(const Lock &lock, Action action);
/// The same of several: empty where one of them is fit.
QString whyNoAction(const QList<const Lock *> &locks, Action action);

} // namespace lockscope
