// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/actionseriesdialog.h"

#include "core/base/printable.h"
#include "core/family/ownergroup.h"
#include "core/family/registry.h"
#include "core/state/orphans.h"
#include "core/state/verdict.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/actions/mainactions.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope {

namespace {

enum SeriesColumn {
    KeyColumn,
    OwnerColumn,
    LifeColumn,
    HoldsColumn,
    TimeColumn,
    OutcomeColumn,
    seriesColumns
};

constexpr int locksInSight = 10;
constexpr int linesOfEffects = 9;
constexpr int restPerLook = 20; ///< limits the share of time spent on evaluating all locks of an owner

/// Describes the holder in a few words; the tool tip has the reasons.
QString holderLife(const HoldVerdict &verdict)
{
    switch (verdict.why) {
    case HoldReason::Renewed:
    case HoldReason::Slow:
        return ActionSeriesDialog::tr("renewing");
    case HoldReason::HolderDead:
        return ActionSeriesDialog::tr("no current heartbeat");
    default:
        return verdict.signs.contains(Sign::RenewalOverdue) ? ActionSeriesDialog::tr("renewal overdue")
                                                            : Texts::tr("unknown");
    }
}

bool isHeldAgain(const Lock &lock)
{
    return specOf(lock.family).countsHolds && std::ranges::any_of(lock.owners, [](const LockOwner &owner) {
               return owner.holdCount.value_or(1) > 1;
           });
}

} // namespace

ActionSeriesDialog::ActionSeriesDialog(Action action, const QList<WatchedLock> &seen,
                                       const DisplayClock &clock, const OwnerNames &names, Run run,
                                       QString serverName, QWidget *parent)
    : ConsentDialog(QString(), QString(), std::move(run), std::move(serverName), parent),
      m_action(action),
      m_names(names),
      m_table(new QTableWidget(this)),
      m_effects(plainLabel(this))
{
    for (const WatchedLock &lock : seen) {
        Entry entry{lock, whyNoAction(lock.lock, action)};
        if (entry.obstacle.isEmpty() && action == Action::Release && lock.lock.owners.size() > 1)
            entry.obstacle = tr("Several owners: release one by one");
        if (entry.obstacle.isEmpty() && action == Action::ForceExpire)
            takeOrphan(entry);
        m_entries.append(entry);
    }
    const int count = static_cast<int>(seen.size());
    setWindowTitle(action == Action::Release ? tr("Release %n lock(s)", nullptr, count)
                                             : tr("Force-expire %n lock(s)", nullptr, count));
    addTable(clock);
    if (action == Action::Release &&
        std::ranges::any_of(seen, [](const WatchedLock &lock) { return isHeldAgain(lock.lock); }))
        m_allLevels = new QCheckBox(tr("Release &all levels"), this);
    auto *effects = new QScrollArea(this);
    effects->setWidget(m_effects);
    effects->setWidgetResizable(true);
    effects->setFrameShape(QFrame::NoFrame);
    effects->setAccessibleName(tr("Effects on the selected lock"));
    effects->setFixedHeight(fontMetrics().lineSpacing() * linesOfEffects);
    m_effects->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_effects->setObjectName(QStringLiteral("consequence"));
    auto *rules = plainLabel(this, (action == Action::ForceExpire
                                        ? tr("Expires each lock only if owner and hold count are unchanged.")
                                        : tr("Releases each lock only if its owner still holds it.")) +
                                       u' ' + tr("Stops at a lost connection or an unknown outcome."));
    addParts(body(), {{m_table, 1}, m_allLevels, effects, rules});
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &ActionSeriesDialog::showEffects);
    m_table->selectRow(0);
    connect(this, &QDialog::finished, this, [this] {
        if (m_series)
            m_series->stop();
    });
    showPossible();
    resize(latinWidth(fontMetrics(), 124), sizeHint().height());
    // A key pressed without a look must not end a lock.
    closeButton().setDefault(true);
    closeButton().setFocus();
}

/// Of a lock whose holders' heartbeats have stopped, only their holds end, if they are still stopped then.
void ActionSeriesDialog::takeOrphan(Entry &entry)
{
    const Lock &lock = entry.seen.lock;
    const OrphanFinding finding = orphanFinding(lock, lock, orphanPatience(lock.family));
    entry.isOrphan = finding.verdict == OrphanFinding::Verdict::Orphan;
    if (entry.isOrphan && finding.isPart)
        entry.ended = finding.expected;
}

void ActionSeriesDialog::addTable(const DisplayClock &clock)
{
    m_table->setColumnCount(seriesColumns);
    m_table->setRowCount(static_cast<int>(m_entries.size()));
    m_table->setHorizontalHeaderLabels({Texts::tr("Key"), Texts::tr("Owner"), tr("Holder"),
                                        Texts::tr("Holds"), tr("Time left then"), Texts::tr("Outcome")});
    m_table->setAccessibleName(Texts::tr("Locks"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const WatchedLock &lock = m_entries[row].seen;
        const DisplayTime time = clock.of(lock.key());
        const QString texts[] = {printable(lock.key().bytes), ownerText(lock.lock, m_names),
                                 holderLife(time.isPast() ? HoldVerdict() : verdictOf(lock, time.now())),
                                 holdsText(lock.lock), ttlText(lock, time.now())};
        for (int column = 0; column < OutcomeColumn; ++column) {
            auto *item = new QTableWidgetItem(texts[column]);
            item->setToolTip(plainToolTip(texts[column]));
            m_table->setItem(row, column, item);
        }
        const StatusMessage life = time.isPast() ? lastKnown(lock, time) : liveness(lock, time.now());
        m_table->item(row, LifeColumn)->setToolTip(plainToolTip(life.text));
        m_table->item(row, LifeColumn)->setData(Qt::AccessibleDescriptionRole, life.text);
        m_table->setItem(row, OutcomeColumn, new QTableWidgetItem);
        if (!m_entries[row].obstacle.isEmpty())
            setOutcome(row, m_entries[row].obstacle, StatusColor::Muted);
    }
    const int character = latinWidth(fontMetrics(), 1);
    for (const auto &[column, characters] :
         {std::pair(KeyColumn, 30), std::pair(OwnerColumn, 24), std::pair(LifeColumn, 18),
          std::pair(HoldsColumn, 8), std::pair(TimeColumn, 18)})
        m_table->setColumnWidth(column, characters * character);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int rowHeight = fontMetrics().height() + 8;
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->setMinimumHeight(rowHeight * (std::min(locksInSight, m_table->rowCount()) + 1) + 12);
}

/// Shows the effects on the current row's lock, which depend on its family and waiters.
void ActionSeriesDialog::showEffects()
{
    const int row = m_table->currentRow();
    if (row < 0)
        return m_effects->clear();
    const Entry &entry = m_entries[row];
    QStringList effects;
    if (!entry.obstacle.isEmpty())
        effects << entry.obstacle;
    else if (m_action == Action::ForceExpire)
        effects = (isLeftOut(entry) ? QStringList{tr("Held by others, too: left out")} : QStringList()) +
                  effectsOf(entry);
    else
        effects << holderEffect(entry.seen.lock);
    m_effects->setText(m_table->item(row, KeyColumn)->text() + QStringLiteral("\n•  ") +
                       effects.join(QStringLiteral("\n•  ")));
}

QStringList ActionSeriesDialog::effectsOf(const Entry &entry) const
{
    const OwnerLabeler call = m_names.callersOf(entry.seen.lock);
    QStringList effects = previewForceExpire(entry.seen.lock, call);
    if (entry.endsOthers) {
        constexpr qsizetype most = 5;
        QStringList others;
        for (const LockOwner &holder : entry.seen.lock.owners) {
            if (!m_owner->isTheirs(entry.seen.lock, holder.owner))
                others << call(holder.owner);
        }
        const auto more = static_cast<int>(others.size() - most);
        others = others.mid(0, most);
        if (more > 0)
            others << Texts::tr("and %n more", nullptr, more);
        effects.prepend(
            tr("Other owners lose the lock too, unnotified: %1.").arg(others.join(QStringLiteral(", "))));
    } else if (!entry.ended.isEmpty()) {
        effects.prepend(tr("Ends only this owner's hold."));
    }
    if (entry.isOrphan)
        effects.prepend(tr("Checks first that the holder's heartbeat is still stopped."));
    return effects;
}

bool ActionSeriesDialog::isLeftOut(const Entry &entry) const
{
    return !entry.obstacle.isEmpty() || (entry.endsOthers && !m_withShared->isChecked());
}

void ActionSeriesDialog::setOwner(const OwnerEnd &owner)
{
    m_owner = owner;
    int shared = 0;
    for (Entry &entry : m_entries) {
        const Lock &lock = entry.seen.lock;
        entry.isOrphan = false; // the owner's own signs count
        entry.ended.clear();
        QList<LockOwner> theirs;
        std::ranges::copy_if(lock.owners, std::back_inserter(theirs),
                             [&](const LockOwner &holder) { return owner.isTheirs(lock, holder.owner); });
        if (!entry.obstacle.isEmpty())
            continue;
        if (theirs.isEmpty())
            entry.obstacle = tr("Changed: left out"); // since it was put together
        else if (!mayHaveOtherHolders(lock, theirs.size()))
            continue;
        else if (specOf(lock.family).scripts->canEndSome)
            entry.ended = theirs;
        else
            entry.endsOthers = true;
        shared += entry.endsOthers;
    }
    m_signs = plainLabel(this);
    m_signs->setObjectName(QStringLiteral("signs"));
    body().insertWidget(0, m_signs);
    m_ownerSigns = owner.signs();
    tellOwner();
    if (shared > 0) {
        m_withShared = new QCheckBox(
            tr("&Include %n lock(s) that other owners hold too; they lose it", nullptr, shared), this);
        m_withShared->setObjectName(QStringLiteral("withShared"));
        body().insertWidget(2, m_withShared);
        connect(m_withShared, &QCheckBox::toggled, this, &ActionSeriesDialog::showOutcomesToCome);
    }
    showOutcomesToCome();
}

void ActionSeriesDialog::tellOwner()
{
    QString text = tr("Owner: %1").arg(m_owner->name) + u'\n' + m_ownerSigns.sentence;
    if (!m_ownerSigns.isLikelyDead)
        text += u'\n' + tr("If still working, it continues without its locks.");
    if (m_owner->all > m_entries.size())
        text += u'\n' +
                tr("The list has %1 of its %2 locks.").arg(grouped(m_entries.size()), grouped(m_owner->all));
    m_signs->setText(text);
    applyBannerStyle(m_signs, m_ownerSigns.isLikelyDead ? StatusColor::Held : StatusColor::Danger);
}

/// Returns true, and shows it, if an owner presumed dead is alive after all.
bool ActionSeriesDialog::hasComeToLife()
{
    if (!m_owner || !m_ownerSigns.isLikelyDead)
        return false;
    const TimePoint began = Clock::now();
    m_ownerSigns = m_owner->signs();
    m_nextLook = Clock::now() + restPerLook * (Clock::now() - began);
    tellOwner();
    return !m_ownerSigns.isLikelyDead;
}

void ActionSeriesDialog::showOutcomesToCome()
{
    for (int row = 0; row < m_entries.size(); ++row) {
        const Entry &entry = m_entries[row];
        if (entry.obstacle.isEmpty())
            setOutcome(row, isLeftOut(entry) ? tr("Held by others, too: left out") : QString(),
                       StatusColor::Muted);
        else
            setOutcome(row, entry.obstacle, StatusColor::Muted);
    }
    showPossible();
    showEffects();
}

ActionRequest ActionSeriesDialog::requestFor(const Entry &entry) const
{
    const Lock &lock = entry.seen.lock;
    ActionRequest asked = ActionRequest::on(lock, m_action);
    asked.consent = consent();
    asked.consent.isOneOfSeveral = true;
    if (m_action == Action::ForceExpire) {
        asked.expected = entry.ended.isEmpty() ? lock.owners : entry.ended;
        asked.onlyExpected = !entry.ended.isEmpty();
        if (entry.isOrphan)
            asked.orphanSince = m_openedAt;
    } else {
        asked.owner = lock.owners.first().owner;
        asked.allLevels = m_allLevels && m_allLevels->isChecked();
    }
    return asked;
}

void ActionSeriesDialog::setOutcome(int row, const QString &text, StatusColor statusColor)
{
    QTableWidgetItem *item = m_table->item(row, OutcomeColumn);
    item->setText(text);
    item->setToolTip(plainToolTip(text));
    item->setForeground(textColor(statusColor, palette()));
}

void ActionSeriesDialog::observe(const std::function<const WatchedLock *(const LockKey &)> &find)
{
    if (m_series)
        return;
    if (Clock::now() >= m_nextLook)
        hasComeToLife();
    bool isOther = false;
    for (int row = 0; row < m_entries.size(); ++row) {
        Entry &entry = m_entries[row];
        if (!entry.obstacle.isEmpty())
            continue;
        const WatchedLock *now = find(entry.seen.key());
        // Of owners that keep the lock nothing is asked.
        const auto isThere = [now](const LockOwner &holder) { return now->lock.owners.contains(holder); };
        if (now && (entry.ended.isEmpty() ? now->lock.owners == entry.seen.lock.owners
                                          : std::ranges::all_of(entry.ended, isThere)))
            continue;
        entry.obstacle = now ? tr("Changed: left out") : tr("Gone: left out");
        setOutcome(row, entry.obstacle, StatusColor::Warning);
        isOther = true;
    }
    if (!isOther)
        return;
    showPossible();
    showEffects();
}

void ActionSeriesDialog::showPossible()
{
    const auto count = static_cast<int>(
        std::ranges::count_if(m_entries, [this](const Entry &entry) { return !isLeftOut(entry); }));
    actButton().setText(m_action == Action::Release ? tr("&Release %n lock(s)", nullptr, count)
                                                    : tr("&Force-expire %n lock(s)", nullptr, count));
    allowAct(count > 0);
}

/// While requests are sent, the button stops them.
void ActionSeriesDialog::leave()
{
    if (!isUnderWay())
        return reject();
    m_series->stop();
    closeButton().setEnabled(false); // until the answer to what is sent is there
}

void ActionSeriesDialog::submit()
{
    if (m_series || hasComeToLife()) // the user decides anew
        return;
    QList<ActionRequest> requests;
    for (int row = 0; row < m_entries.size(); ++row) {
        if (isLeftOut(m_entries[row]))
            continue;
        requests.append(requestFor(m_entries[row]));
        m_rows.append(row);
        setOutcome(row, tr("Waiting"), StatusColor::Muted);
    }
    actButton().setEnabled(false);
    for (QCheckBox *choice : {m_allLevels, m_withShared}) {
        if (choice)
            choice->setEnabled(false);
    }
    freezeConsent();
    closeButton().setText(tr("&Stop"));
    actButton().setDefault(true); // Enter pressed twice is no wish to stop
    m_table->setFocus();
    m_series = new ActionSeries(requests, m_run, this);
    connect(m_series, &ActionSeries::ended, this, &ActionSeriesDialog::take);
    connect(m_series, &ActionSeries::finished, this, &ActionSeriesDialog::finish);
    m_series->start();
}

void ActionSeriesDialog::take(qsizetype index)
{
    const Result<ActionResult> &result = m_series->results()[index];
    const int row = m_rows[index];
    StatusColor statusColor = result ? toneOf(*result) : StatusColor::Danger;
    if (result && result->outcome == Outcome::Unwound) // the owner holds it still
        statusColor = StatusColor::Warning;
    ++(!result                               ? m_failed
       : result->outcome == Outcome::Unknown ? m_unknown
       : !succeeded(result->outcome)         ? m_rejected
       : statusColor == StatusColor::Good    ? m_done
                                             : m_partly);
    setOutcome(row, result ? describe(*result) : describe(result.error(), m_serverName), statusColor);
    m_table->scrollToItem(m_table->item(row, OutcomeColumn));
    showMessage(StatusColor::Muted,
                tr("%1 of %2 requests answered").arg(grouped(index + 1), grouped(m_series->size())));
}

void ActionSeriesDialog::finish()
{
    const qsizetype unsent = m_series->size() - m_series->results().size();
    for (qsizetype i = m_series->results().size(); i < m_rows.size(); ++i)
        setOutcome(m_rows[i], tr("Not sent"), StatusColor::Muted);
    QStringList parts;
    const auto add = [&parts](qsizetype count, const QString &text) {
        if (count > 0)
            parts.append(text.arg(grouped(count)));
    };
    parts.append(
        (m_action == Action::Release ? tr("released: %1") : tr("force-expired: %1")).arg(grouped(m_done)));
    add(m_partly, tr("in part: %1"));
    add(m_rejected, tr("rejected: %1"));
    add(m_failed, tr("failed: %1"));
    add(m_unknown, tr("outcome unknown: %1"));
    add(unsent, tr("not sent: %1"));
    const StatusColor statusColor = m_unknown + m_failed > 0                  ? StatusColor::Danger
                                    : m_partly + m_rejected > 0 || unsent > 0 ? StatusColor::Warning
                                                                              : StatusColor::Good;
    QString text = parts.join(QStringLiteral(", "));
    text[0] = text[0].toUpper();
    showEnd(statusColor, text, windowTitle());
}

} // namespace lockscope
