// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/locksummary.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/words/familymessages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/plaintext.h"

#include <QComboBox>

namespace lockscope {

namespace {

constexpr qsizetype ownersShown = 8;
constexpr qsizetype choiceCharacters = 48; ///< fits a UUID with a thread

QString ownersOf(const Lock &lock, const OwnerNames &names)
{
    QStringList owners;
    for (const LockOwner &holder : lock.owners.first(std::min(ownersShown, lock.owners.size())))
        owners << holderText(lock, holder, names);
    if (lock.owners.size() > ownersShown)
        owners << Texts::tr("and %n more", nullptr, static_cast<int>(lock.owners.size() - ownersShown));
    return owners.join(u'\n');
}

} // namespace

LockSummary::LockSummary(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                         QWidget *parent)
    : PropertyGrid(parent), m_seen(seen), m_now(seen), m_clock(clock)
{
    QLabel *key = add(tr("Lock"));
    key->setFont(fixedLike(font()));
    key->setObjectName(QStringLiteral("seenKey"));
    set(key, printable(seen.key().bytes));
    QLabel *owner = add(isPossible(seen.lock) ? tr("Expected content") : tr("Expected owner"));
    owner->setFont(fixedLike(font()));
    owner->setObjectName(QStringLiteral("seenOwner"));
    set(owner, ownersOf(seen.lock, names));
    QLabel *holds = add(Texts::tr("Holds"));
    holds->setObjectName(QStringLiteral("seenHolds"));
    set(holds, mayCountInClient(seen.lock) && !seen.lock.owners.isEmpty()
                   ? holdsInWords(seen.lock, seen.lock.owners.first())
                   : holdsText(seen.lock));
    if (seen.lock.quorum) {
        QLabel *servers = add(Texts::tr("Servers"));
        servers->setObjectName(QStringLiteral("seenServers"));
        set(servers, describe(*seen.lock.quorum));
    }
    QLabel *waiters = add(Texts::tr("Waiters"));
    waiters->setObjectName(QStringLiteral("seenWaiters"));
    set(waiters, waitersSentence(seen.lock));
    m_ttl = add(Texts::tr("Time left"));
    m_ttl->setObjectName(QStringLiteral("seenTtl"));
    showTime();
    m_timer.setInterval(100);
    connect(&m_timer, &QTimer::timeout, this, &LockSummary::showTime);
    m_timer.start();
}

void LockSummary::observe(const std::optional<WatchedLock> &now)
{
    m_now = now;
    showTime();
}

void LockSummary::tellLiveness(QLabel *label)
{
    m_liveness = label;
    showTime();
}

void LockSummary::showTime()
{
    set(m_ttl, m_now ? ttlText(*m_now, m_clock.of(m_now->key()).now()) : tr("the lock is gone"));
    if (!m_liveness || !m_now)
        return;
    const DisplayTime time = m_clock.of(m_now->key());
    const StatusMessage statement = time.isPast() ? lastKnown(*m_now, time) : liveness(*m_now, time.now());
    if (m_liveness->text() == statement.text)
        return;
    m_liveness->setText(statement.text);
    applyTextColor(m_liveness, statement.statusColor);
}

QComboBox *ownerChoice(const Lock &lock, const OwnerNames &names, QWidget *parent)
{
    auto *choice = new QComboBox(parent);
    choice->setObjectName(QStringLiteral("owner"));
    // The dialog is as wide as it is: what is longer is marked, and read in the tool tip.
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const LockOwner &holder : lock.owners) {
        const QString whole = holderText(lock, holder, names);
        choice->addItem(shortened(whole, choiceCharacters), holder.owner.bytes);
        choice->setItemData(choice->count() - 1, plainToolTip(whole), Qt::ToolTipRole);
        choice->setItemData(choice->count() - 1, whole, Qt::AccessibleTextRole);
    }
    const auto tell = [choice] {
        choice->setToolTip(choice->currentData(Qt::ToolTipRole).toString());
        choice->setAccessibleDescription(choice->currentData(Qt::AccessibleTextRole).toString());
    };
    QObject::connect(choice, &QComboBox::currentIndexChanged, choice, tell);
    tell();
    return choice;
}

QString holderText(const Lock &lock, const LockOwner &holder, const OwnerNames &names)
{
    const QString id = names.text(lock.family, lock.key(), holder.owner);
    switch (holder.mode) {
    case HoldMode::Read:
        return LockSummary::tr("%1 (reader)").arg(id);
    case HoldMode::Write:
        return LockSummary::tr("%1 (writer)").arg(id);
    case HoldMode::Exclusive:
        break;
    }
    return id;
}

OwnerId chosenOwner(const QComboBox &choice)
{
    return OwnerId(choice.currentData().toByteArray());
}

} // namespace lockscope
