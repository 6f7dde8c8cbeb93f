// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/forceexpiredialog.h"

#include "core/act/scriptcall.h"
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/table/lockstatustext.h"
#include "core/words/actionpreview.h"
#include "core/words/texts.h"
#include "ui/lockactions/locksummary.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxOwners = 100; // of those to choose from

bool mayHarm(OwnerImpact impact)
{
    return impact == OwnerImpact::RewritesLock || impact == OwnerImpact::DeletesNextLock ||
           impact == OwnerImpact::JobReassigned || impact == OwnerImpact::Exits ||
           impact == OwnerImpact::ExitsDeleting;
}

} // namespace

ForceExpireDialog::ForceExpireDialog(const WatchedLock &seen, const DisplayClock &clock,
                                     const OwnerNames &names, Run run, QString serverName, QWidget *parent)
    : LockDialog(Action::ForceExpire, tr("Force-expire a lock"), tr("&Force-expire"), seen, clock, names,
                 std::move(run), std::move(serverName), parent),
      m_now(seen),
      m_later(new QCheckBox(tr("&Grace period in seconds:"), this)),
      m_grace(new QLineEdit(QStringLiteral("10"), this))
{
    m_facts->tellLiveness(addText({}));
    if (seen.lock.owners.size() > 1 && specOf(seen.lock.family).scripts->canEndSome)
        addChoice(names);
    addEffects(names);

    m_later->setObjectName(QStringLiteral("later"));
    m_grace->setObjectName(QStringLiteral("grace"));
    m_grace->setEnabled(false);
    m_grace->setAccessibleName(tr("Grace period in seconds"));
    connect(m_later, &QCheckBox::toggled, m_grace, &QLineEdit::setEnabled);
    QFormLayout &form = addForm();
    form.addRow(m_later, m_grace);
    m_graceMessage = plainLabel(this);
    applyTextColor(m_graceMessage, StatusColor::Danger);
    m_graceMessage->hide();
    form.addRow(m_graceMessage);

    allowGrace();
    // A key pressed without a look must not end a lock.
    closeButton().setDefault(true);
    closeButton().setFocus();
}

/// Offers all holders, or one of several: one reader can be dead while others work.
void ForceExpireDialog::addChoice(const OwnerNames &names)
{
    m_which = new QComboBox(this);
    m_which->setObjectName(QStringLiteral("which"));
    const int all = static_cast<int>(m_seen.lock.owners.size());
    m_which->addItem(tr("all %n owner(s)", nullptr, all));
    for (const LockOwner &holder : m_seen.lock.owners.first(std::min(maxOwners, m_seen.lock.owners.size())))
        m_which->addItem(tr("only %1").arg(holderText(m_seen.lock, holder, names).left(100)));
    addField(addForm(), tr("Force-&expire"), m_which);
    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        allowGrace();
        compare();
    });
}

/// Enables the grace period if the request allows one: some locks end at once or not at all.
void ForceExpireDialog::allowGrace()
{
    ActionRequest asked = this->asked();
    asked.grace = std::chrono::seconds(1);
    const bool isPossible = !validationError(asked);
    m_later->setEnabled(isPossible);
    if (!isPossible)
        m_later->setChecked(false);
}

ActionRequest ForceExpireDialog::asked() const
{
    ActionRequest asked = asSeen();
    asked.expected = toEnd();
    asked.onlyExpected = isForOne();
    return asked;
}

/// Shows effect and risk, as a warning if the effect may not last or harm another client. The rest is folded.
void ForceExpireDialog::addEffects(const OwnerNames &names)
{
    Lock lock = m_seen.lock;
    lock.problems = m_seen.problems();
    QStringList effects = previewForceExpire(lock, names.callersOf(lock));
    const QString onHolder = holderEffect(lock);
    const QString risk = effects.contains(onHolder) ? onHolder : effects.value(0);
    effects.removeOne(risk);
    QLabel *consequence = addText(
        isComparable(lock) // which says what is compared
            ? risk
            : tr("Force-expires the lock only if owner and hold count are unchanged.") + u'\n' + risk);
    consequence->setObjectName(QStringLiteral("consequence"));
    QList<OwnerImpact> possible{impactOf(lock)};
    for (const Family candidate : candidatesOf(lock))
        possible.append(specOf(candidate).ownerImpact);
    if (std::ranges::any_of(possible, mayHarm))
        applyBannerStyle(consequence, StatusColor::Warning);
    if (effects.isEmpty())
        return;
    auto *unfold = new QPushButton(tr("De&tails"), this);
    unfold->setCheckable(true);
    body().addWidget(unfold, 0, Qt::AlignLeft);
    QLabel *details = addText(QStringLiteral("•  ") + effects.join(QStringLiteral("\n•  ")));
    details->setObjectName(QStringLiteral("details"));
    details->hide();
    connect(unfold, &QPushButton::toggled, this, [this, details](bool on) {
        details->setVisible(on);
        fitHeight();
    });
}

bool ForceExpireDialog::isForOne() const
{
    return m_which && m_which->currentIndex() > 0;
}

QList<LockOwner> ForceExpireDialog::toEnd() const
{
    return isForOne() ? QList<LockOwner>{m_seen.lock.owners.at(m_which->currentIndex() - 1)}
                      : m_seen.lock.owners;
}

/// True if the owners to expire are unchanged; other owners may come and go.
bool ForceExpireDialog::isAsSeen(const Lock &now) const
{
    return isForOne() ? now.owners.contains(toEnd().first()) : now.owners == m_seen.lock.owners;
}

void ForceExpireDialog::observe(const std::optional<WatchedLock> &now)
{
    if (isAsked())
        return;
    m_facts->observe(now);
    m_now = now;
    compare();
}

/// With a choice of holders a change may revert. Otherwise it is final: the user must look again.
void ForceExpireDialog::compare()
{
    if (isAsked() || (m_changed && !m_which))
        return;
    const std::optional<WatchedLock> &now = m_now;
    const bool changed = !now || !isAsSeen(now->lock);
    if (changed == m_changed && !changed)
        return;
    m_changed = changed;
    allow(!changed);
    if (!changed)
        return clearMessage();
    const auto hasOwner = [](const LockOwner &a, const LockOwner &b) { return a.owner == b.owner; };
    const QList<LockOwner> there = now ? now->lock.owners : QList<LockOwner>();
    const bool sameOwners = std::equal(there.begin(), there.end(), m_seen.lock.owners.begin(),
                                       m_seen.lock.owners.end(), hasOwner);
    const QString what = !now                        ? Texts::tr("The lock is gone")
                         : !sameOwners               ? tr("The owner has changed")
                         : isComparable(m_seen.lock) ? tr("The content has changed")
                                                     : tr("The hold count has changed");
    showMessage(StatusColor::Danger, tr("%1: nothing was done. Close and check the lock again.").arg(what));
}

std::optional<ActionRequest> ForceExpireDialog::request()
{
    ActionRequest asked = this->asked();
    if (m_later->isChecked()) {
        const auto grace = Lease::fromSeconds(m_grace->text().trimmed().toUtf8());
        if (!setFieldError(m_graceMessage,
                           grace ? QString() : tr("Type the grace period in seconds, such as 10."))) {
            m_grace->setFocus();
            return std::nullopt;
        }
        asked.grace = grace->value();
    }
    return asked;
}

} // namespace lockscope
