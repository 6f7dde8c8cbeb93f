// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "ui/lockactions/actiondialog.h"
#include "ui/lockactions/ownerend.h"

#include <QPointer>
#include <QSet>

#include <functional>

namespace lockscope {

class MainActions;
class ActionSeriesDialog;
class ForceExpireDialog;
class InspectorPanel;
class LocksPage;
class OwnerNames;

/// What can be done to locks, from the command to the dialog to the session. One of one page. Where the server's environment asks
/// for no question, and there is nothing to choose, without a dialog.
class LockActionController : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this.
    LockActionController(Session &session, const LocksPage &locks, const InspectorPanel &inspector,
                         const OwnerNames &names, QString serverName, QWidget *parent);

    void connectTo(const MainActions &commands);
    /// What is shown is about to be another.
    void beforeChange();
    /// What is shown is another now: a dialog that waits for an answer compares. What is chosen, or whose it is, may have changed
    /// under the user's hands: then nothing is sent without a dialog for a while.
    void observe();
    /// Another lock is chosen: by the user, unless what is shown is changing.
    void noteChoice();
    /// The next action has a dialog.
    void askOnce();
    /// Offers to end all locks of one owner, in a dialog that lists them as they are now.
    void endOwner(const OwnerEnd &owner);

signals:
    /// An action ended: what came of it, in a line.
    void reported(const QString &text);
    /// An action ended after its dialog was closed: nobody has read what came of it.
    void endedUnseen(lockscope::StatusColor statusColor, const QString &text);
    /// An action that had no dialog ended. `undo`: empty where there is no way back.
    void endedDirectly(lockscope::StatusColor statusColor, const QString &text,
                       const std::function<void()> &undo);

private:
    ActionDialog::Run runner();
    void present(ConsentDialog *dialog, Action action, const QString &nameToType = {});
    void runDirectly(ActionRequest request);
    void undo(const ActionRequest &request, const ActionResult &result);
    bool isAskedNothing(Action action) const;
    void actOnSeveral(Action action, const QList<LockKey> &keys, const OwnerEnd *owner = nullptr);
    std::optional<WatchedLock> lockNow(const LockKey &key) const;
    const WatchedLock *lockToActOn();
    void acquire();
    void release();
    void forceExpire();
    void removeWaiter();
    void actOnChosen(Action action);

    Session &m_session;
    const LocksPage &m_locks;
    const InspectorPanel &m_inspector;
    const OwnerNames &m_names;
    QString m_serverName;
    QWidget *m_window;
    /// What the user sees to be acted on.
    struct Sight
    {
        std::optional<LockKey> chosen;
        QList<LockOwner> owners;
        qsizetype selected = 0;
        friend bool operator==(const Sight &, const Sight &) = default;
    };
    Sight sight() const;

    Sight m_before;
    bool m_isChanging = false;
    std::optional<TimePoint> m_changedAt; ///< another than the user's hand has changed it
    QSet<LockKey> m_underWay;             ///< without a dialog
    QPointer<ForceExpireDialog> m_forceDialog;
    QPointer<ActionSeriesDialog> m_seriesDialog;
};

} // namespace lockscope
