// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/forceexpiredialog.h"

#include "ui/actions/seenlock.h"
#include "ui/inspector/explanation.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope {

ForceExpireDialog::ForceExpireDialog(const WatchedLock &seen, const ViewClock &clock, Run run,
                                     QString serverName, QWidget *parent)
    : ActionDialog(tr("Force-expire a lock"), tr("Force-expire"), std::move(run), std::move(serverName),
                   parent),
      m_seen(seen),
      m_facts(new SeenLock(seen, clock, this)),
      m_later(new QCheckBox(tr("&Leave it so many seconds:"), this)),
      m_grace(new QLineEdit(QStringLiteral("10"), this))
{
    body().addWidget(m_facts);

    auto *alive = plainLabel(this);
    const Statement statement = liveness(seen, clock.now());
    alive->setText(statement.text);
    tint(alive, statement.tone);
    auto *consequence = plainLabel(this);
    consequence->setObjectName(QStringLiteral("consequence"));
    consequence->setText(tr("The holder is not told and may still be working: from then on it works without "
                            "the lock, beside whoever takes "
                            "it next. ") +
                         (seen.lock.family == Family::Reentrant
                              ? tr("Waiters that listen are woken; those that poll find it free.")
                              : tr("Waiters find it free at their next try.")) +
                         u'\n' +
                         tr("If its owner or its holds are no longer what is shown here, the server refuses "
                            "and nothing is done."));
    body().addWidget(alive);
    body().addWidget(consequence);

    m_later->setObjectName(QStringLiteral("later"));
    m_grace->setObjectName(QStringLiteral("grace"));
    m_grace->setEnabled(false);
    m_grace->setAccessibleName(tr("Seconds until it ends"));
    connect(m_later, &QCheckBox::toggled, m_grace, &QLineEdit::setEnabled);
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->addRow(m_later, m_grace);
    m_graceMessage = plainLabel(this);
    tint(m_graceMessage, Tone::Danger);
    m_graceMessage->hide();
    form->addRow(m_graceMessage);
    body().addLayout(form);

    // A key pressed without a look must not end a lock.
    actButton().setAutoDefault(false);
    closeButton().setDefault(true);
    closeButton().setFocus();
}

void ForceExpireDialog::observe(const std::optional<WatchedLock> &now)
{
    if (isAnswered())
        return;
    m_facts->observe(now);
    if (m_changed)
        return;
    if (now && now->lock.holders == m_seen.lock.holders)
        return;
    m_changed = true;
    actButton().setEnabled(false);
    const bool sameOwners =
        now && std::equal(now->lock.holders.begin(), now->lock.holders.end(), m_seen.lock.holders.begin(),
                          m_seen.lock.holders.end(),
                          [](const Holder &a, const Holder &b) { return a.owner == b.owner; });
    const QString what = !now         ? tr("The lock ended while this was open")
                         : sameOwners ? tr("The number of holds changed while this was open")
                                      : tr("The owner changed while this was open");
    say(Tone::Danger, tr("%1: nothing will be done. Close this and look again.").arg(what));
}

std::optional<ActionRequest> ForceExpireDialog::request()
{
    ActionRequest asked;
    if (m_later->isChecked()) {
        const auto grace = Lease::fromSeconds(m_grace->text().trimmed().toUtf8());
        if (!complain(m_graceMessage,
                      grace ? QString() : tr("This is a number of seconds, such as 10 or 0.5."))) {
            m_grace->setFocus();
            return std::nullopt;
        }
        asked.grace = grace->value();
    }
    asked.action = Action::ForceExpire;
    asked.family = m_seen.lock.family;
    asked.key = m_seen.key();
    asked.expected = m_seen.lock.holders;
    asked.seen = m_seen.lock;
    return asked;
}

} // namespace lockscope
