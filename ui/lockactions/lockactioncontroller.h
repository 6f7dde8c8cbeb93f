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

/// The actions on the locks of one page, from command to dialog to session. Skips the dialog where the
/// environment requires no question and there is nothing to choose.
class LockActionController : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this.
    LockActionController(Session &session, const LocksPage &locks, const InspectorPanel &inspector,
                         const OwnerNames &names, QString serverName, QWidget *parent);

    void connectTo(const MainActions &commands);
    void beforeChange();
    /// Call after the table changed: open dialogs compare. If the chosen lock or its owner has changed, the
    /// next actions show a dialog for a while.
    void observe();
    /// Call when another lock is chosen; outside a change of the table it was the user.
    void noteChoice();
    void askOnce();
    void endOwner(const OwnerEnd &owner);

signals:
    /// The outcome of an action, as one line.
    void reported(const QString &text);
    /// The outcome of an action whose dialog was closed before the answer.
    void endedUnseen(lockscope::StatusColor statusColor, const QString &text);
    /// The outcome of an action without a dialog. `undo` is empty if impossible.
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
    std::optional<TimePoint> m_changedAt; ///< changed by data, not by the user
    QSet<LockKey> m_underWay;             ///< actions without a dialog
    QPointer<ForceExpireDialog> m_forceDialog;
    QPointer<ActionSeriesDialog> m_seriesDialog;
};

} // namespace lockscope
