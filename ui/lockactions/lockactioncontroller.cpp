// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/lockactioncontroller.h"

#include "core/act/undo.h"
#include "core/base/printable.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/actions/mainactions.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/lockactions/acquiredialog.h"
#include "ui/lockactions/actionseriesdialog.h"
#include "ui/lockactions/consentfield.h"
#include "ui/lockactions/forceexpiredialog.h"
#include "ui/locks/lockspage.h"
#include "ui/widgets/taborder.h"

namespace lockscope {

namespace {

/// Time in which a user pressing a key may not have noticed a change.
constexpr std::chrono::milliseconds reactionTime{1500};

} // namespace

LockActionController::LockActionController(Session &session, const LocksPage &locks,
                                           const InspectorPanel &inspector, const OwnerNames &names,
                                           QString serverName, QWidget *parent)
    : QObject(parent),
      m_session(session),
      m_locks(locks),
      m_inspector(inspector),
      m_names(names),
      m_serverName(std::move(serverName)),
      m_window(parent)
{
}

void LockActionController::connectTo(const MainActions &commands)
{
    connect(commands.acquire, &QAction::triggered, this, &LockActionController::acquire);
    connect(commands.release, &QAction::triggered, this, &LockActionController::release);
    connect(commands.extend, &QAction::triggered, this, [this] { actOnChosen(Action::Extend); });
    connect(commands.forceExpire, &QAction::triggered, this, &LockActionController::forceExpire);
    connect(commands.removeWaiter, &QAction::triggered, this, &LockActionController::removeWaiter);
    connect(commands.wake, &QAction::triggered, this, [this] { actOnChosen(Action::Wake); });
}

LockActionController::Sight LockActionController::sight() const
{
    const WatchedLock *lock = m_locks.chosenLock();
    return {m_locks.chosen(), lock ? lock->lock.owners : QList<LockOwner>(),
            static_cast<qsizetype>(m_locks.selectedCount())};
}

void LockActionController::beforeChange()
{
    m_before = sight();
    m_isChanging = true;
}

void LockActionController::noteChoice()
{
    if (!m_isChanging)
        m_changedAt.reset();
}

void LockActionController::askOnce()
{
    m_changedAt = Clock::now();
}

void LockActionController::observe()
{
    m_isChanging = false;
    if (sight() != m_before)
        askOnce();
    if (m_forceDialog)
        m_forceDialog->observe(lockNow(m_forceDialog->key()));
    if (m_seriesDialog)
        m_seriesDialog->observe([this](const LockKey &key) { return m_locks.model().find(key); });
}

std::optional<WatchedLock> LockActionController::lockNow(const LockKey &key) const
{
    const WatchedLock *now = m_locks.model().find(key);
    return now ? std::optional(*now) : std::nullopt;
}

ActionDialog::Run LockActionController::runner()
{
    // The page, and this with it, may be gone before the answer.
    return [this](const ActionRequest &request) {
        const QString key = printable(request.key.bytes, 60);
        return m_session.run(request).then([self = QPointer(this), key](const Result<ActionResult> &result) {
            // The dialog may have been closed before the answer: it is said here too.
            if (self)
                emit self->reported(
                    key + QStringLiteral(": ") +
                    (result ? describe(*result) : describe(result.error(), self->m_serverName)));
            return result;
        });
    };
}

/// A dialog closed before its answer stays hidden until the answer arrives.
void LockActionController::present(ConsentDialog *dialog, Action action, const QString &nameToType)
{
    if (!nameToType.isEmpty())
        dialog->askFor(new ConsentField(m_session.guard(), action, nameToType, dialog));
    connect(dialog, &ConsentDialog::questionUnwanted, this,
            [this, action] { m_session.skipQuestion(action); });
    connect(dialog, &QDialog::finished, dialog, [dialog] {
        if (!dialog->isUnderWay())
            dialog->deleteLater();
    });
    connect(dialog, &ConsentDialog::answeredUnseen, this, &LockActionController::endedUnseen);
    connect(dialog, &ConsentDialog::answeredUnseen, dialog, &QObject::deleteLater);
    orderTabs(*dialog);
    dialog->open();
}

bool LockActionController::isAskedNothing(Action action) const
{
    const bool isSettled = !m_changedAt || Clock::now() - *m_changedAt > reactionTime;
    return isSettled && m_session.guard().asks(action) == Consent::None;
}

void LockActionController::runDirectly(ActionRequest request)
{
    if (m_underWay.contains(request.key))
        return; // pressed twice
    m_underWay.insert(request.key);
    whenDone(this, runner()(request), [this, request](const Result<ActionResult> &result) {
        m_underWay.remove(request.key);
        const QString key = printable(request.key.bytes, 60) + QStringLiteral(": ");
        if (!result)
            return emit endedDirectly(StatusColor::Danger, key + describe(result.error(), m_serverName), {});
        std::function<void()> undo;
        if (undoOf(request, *result, Clock::now()))
            undo = [self = QPointer(this), request, result = *result] {
                if (self)
                    self->undo(request, result);
            };
        emit endedDirectly(toneOf(*result), key + describe(*result), undo);
    });
}

/// The click is the consent. The lease is shorter by the time since then.
void LockActionController::undo(const ActionRequest &request, const ActionResult &result)
{
    auto back = undoOf(request, result, Clock::now());
    if (!back)
        return emit reported(tr("Nothing to undo: the lease would have ended"));
    back->consent = {Consent::Confirmed};
    runDirectly(*back);
}

void LockActionController::acquire()
{
    const auto familyOf = [page = QPointer(&m_locks)](const LockKey &key) -> std::optional<Family> {
        const WatchedLock *lock = page ? page->model().find(key) : nullptr;
        return lock ? std::optional(lock->lock.family) : std::nullopt;
    };
    present(new AcquireDialog(familyOf, runner(), m_serverName, m_window), Action::Acquire);
}

void LockActionController::actOnChosen(Action action)
{
    if (const WatchedLock *lock = lockToActOn())
        present(new OwnerDialog(action, *lock, m_locks.clock(), m_names, runner(), m_serverName, m_window),
                action, m_session.guard().nameToType(lock->key(), false));
}

/// A lock of a paused table may be gone.
const WatchedLock *LockActionController::lockToActOn()
{
    const WatchedLock *lock = m_locks.chosenLock();
    if (!lock)
        emit reported(Texts::tr("The lock is gone"));
    return lock;
}

void LockActionController::actOnSeveral(Action action, const QList<LockKey> &keys, const OwnerEnd *owner)
{
    QList<WatchedLock> seen;
    for (const LockKey &key : keys) {
        if (const auto lock = lockNow(key))
            seen.append(*lock);
    }
    if (seen.isEmpty())
        return emit reported(Texts::tr("The lock is gone"));
    m_seriesDialog =
        new ActionSeriesDialog(action, seen, m_locks.clock(), m_names, runner(), m_serverName, m_window);
    if (owner)
        m_seriesDialog->setOwner(*owner);
    present(m_seriesDialog.data(), action, m_session.guard().nameToType({}, true));
}

void LockActionController::release()
{
    if (m_locks.selectedCount() > 1)
        return actOnSeveral(Action::Release, m_locks.selected());
    const WatchedLock *lock = m_locks.chosenLock();
    const bool isPlain =
        lock && lock->lock.owners.size() == 1 && lock->lock.owners.first().holdCount.value_or(1) == 1;
    if (!isPlain || !isAskedNothing(Action::Release))
        return actOnChosen(Action::Release);
    ActionRequest request = ActionRequest::on(lock->lock, Action::Release);
    request.owner = lock->lock.owners.first().owner;
    runDirectly(request);
}

void LockActionController::forceExpire()
{
    if (m_locks.selectedCount() > 1)
        return actOnSeveral(Action::ForceExpire, m_locks.selected());
    const WatchedLock *lock = lockToActOn();
    if (!lock)
        return;
    if (lock->lock.owners.size() == 1 && isAskedNothing(Action::ForceExpire)) {
        ActionRequest request = ActionRequest::on(lock->lock, Action::ForceExpire);
        request.expected = lock->lock.owners;
        return runDirectly(request);
    }
    m_forceDialog = new ForceExpireDialog(*lock, m_locks.clock(), m_names, runner(), m_serverName, m_window);
    present(m_forceDialog.data(), Action::ForceExpire, m_session.guard().nameToType(lock->key(), false));
}

void LockActionController::endOwner(const OwnerEnd &owner)
{
    actOnSeveral(Action::ForceExpire, owner.locks, &owner);
}

void LockActionController::removeWaiter()
{
    const WatchedLock *lock = lockToActOn();
    const std::optional<Waiter> waiter = m_inspector.deadWaiter();
    if (lock && waiter)
        present(new OwnerDialog(Action::RemoveWaiter, *lock, m_locks.clock(), m_names, runner(), m_serverName,
                                m_window, *waiter),
                Action::RemoveWaiter, m_session.guard().nameToType(lock->key(), false));
}

} // namespace lockscope
