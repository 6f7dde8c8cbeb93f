// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/lockactioncontroller.h"

#include "core/words/messages.h"
#include "ui/lockactions/acquiredialog.h"
#include "ui/lockactions/extenddialog.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/lockactions/releasedialog.h"
#include "ui/lockactions/removewaiterdialog.h"
#include "ui/shell/mainactions.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/locks/lockspage.h"

namespace lockscope {

LockActions::LockActions(Session &session, const LocksPage &locks, const InspectorPanel &inspector,
                         const OwnerNames &names, QString serverName, QWidget *parent)
    : QObject(parent),
      m_session(session),
      m_locks(locks),
      m_inspector(inspector),
      m_names(names),
      m_serverName(std::move(serverName)),
      m_window(parent)
{
}

void LockActions::connectTo(const Commands &commands)
{
    connect(commands.acquire, &QAction::triggered, this, &LockActions::acquire);
    connect(commands.release, &QAction::triggered, this, &LockActions::actOnChosen<ReleaseDialog>);
    connect(commands.extend, &QAction::triggered, this, &LockActions::actOnChosen<ExtendDialog>);
    connect(commands.forceExpire, &QAction::triggered, this, &LockActions::forceExpire);
    connect(commands.removeWaiter, &QAction::triggered, this, &LockActions::removeWaiter);
}

void LockActions::observe()
{
    if (!m_forceDialog)
        return;
    const WatchedLock *now = m_locks.model().find(m_forceDialog->key());
    m_forceDialog->observe(now ? std::optional(*now) : std::nullopt);
}

ActionDialog::Run LockActions::runner()
{
    // The page, and this with it, may be gone before the answer.
    return [this](const ActionRequest &request) {
        const QString key = printable(request.key.bytes, 60);
        return m_session.run(request).then([self = QPointer(this), key](const Result<ActionReport> &result) {
            // The dialog may have been closed before the answer: it is said here too.
            if (self)
                emit self->reported(
                    key + QStringLiteral(": ") +
                    (result ? describe(*result) : describe(result.error(), self->m_serverName)));
            return result;
        });
    };
}

/// A dialog that is closed too early stays, unseen, until its answer has come.
void LockActions::present(ActionDialog *dialog)
{
    connect(dialog, &QDialog::finished, dialog, [dialog] {
        if (!dialog->isUnderWay())
            dialog->deleteLater();
    });
    connect(dialog, &ActionDialog::answeredUnseen, this, &LockActions::endedUnseen);
    connect(dialog, &ActionDialog::answeredUnseen, dialog, &QObject::deleteLater);
    dialog->open();
}

void LockActions::acquire()
{
    const auto familyOf = [page = QPointer(&m_locks)](const LockKey &key) -> std::optional<Family> {
        const WatchedLock *lock = page ? page->model().find(key) : nullptr;
        return lock ? std::optional(lock->lock.family) : std::nullopt;
    };
    present(new AcquireDialog(familyOf, runner(), m_serverName, m_window));
}

template <typename Dialog>
void LockActions::actOnChosen()
{
    if (const WatchedLock *lock = m_locks.chosenLock())
        present(new Dialog(*lock, m_locks.clock(), m_names, runner(), m_serverName, m_window));
}

void LockActions::forceExpire()
{
    const WatchedLock *lock = m_locks.chosenLock();
    if (!lock)
        return;
    m_forceDialog = new ForceExpireDialog(*lock, m_locks.clock(), m_names, runner(), m_serverName, m_window);
    present(m_forceDialog);
}

void LockActions::removeWaiter()
{
    const WatchedLock *lock = m_locks.chosenLock();
    const std::optional<Waiter> waiter = m_inspector.deadWaiter();
    if (lock && waiter)
        present(new RemoveWaiterDialog(*lock, *waiter, m_locks.clock(), m_names, runner(), m_serverName,
                                       m_window));
}

} // namespace lockscope
