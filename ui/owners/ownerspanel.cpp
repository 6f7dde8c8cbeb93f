// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/ownerspanel.h"

#include "core/base/printable.h"
#include "core/table/displayclock.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/words/texts.h"
#include "ui/locks/lockselection.h"
#include "ui/widgets/plaintext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr milliseconds partOfWork{5};
constexpr milliseconds longestWork{1000}; ///< after this, partial results are shown
constexpr milliseconds soonest{500};
constexpr milliseconds latest{5000};
constexpr int restPerWork = 20;
constexpr qsizetype filterNameLetters = 40;

bool isHeldBy(const CrashAftermath::IsTheirs &isTheirs, const Lock &lock)
{
    return std::ranges::any_of(lock.owners,
                               [&](const LockOwner &holder) { return isTheirs(lock, holder.owner); });
}

/// Returns the line before other signs; empty if no process is known.
QString lineOf(const SignsOfProcesses &processes, const ReportTime &at)
{
    const QString sentence = processesSentence(processes, at);
    return sentence.isEmpty() ? sentence : sentence + u'\n';
}

} // namespace

OwnersPanel::~OwnersPanel()
{
    // The tree outlives the members: what it says while it goes is no longer heard.
    m_tree->selectionModel()->disconnect(this);
    m_tree->disconnect(this);
}

QString OwnersPanel::aftermath() const
{
    return m_text->toPlainText();
}

void OwnersPanel::restart()
{
    if (!m_isShown)
        return;
    m_index.start(static_cast<OwnerGrouping>(m_grouping->currentIndex()));
    m_due.stop();
    m_hasChanged = m_isIndexed = false;
    m_workedSince.start();
    m_working.start();
}

void OwnersPanel::schedule()
{
    if (m_isShown && !m_due.isActive() && !m_working.isActive())
        m_due.start();
}

/// Does a part of the work. The window runs in between; longer work is followed by longer rest.
void OwnersPanel::work()
{
    QElapsedTimer part;
    part.start();
    const bool isDone = workOnce();
    m_cost += std::chrono::nanoseconds(part.nsecsElapsed());
    if (!isDone)
        return;
    m_working.stop();
    const auto cost = std::chrono::duration_cast<milliseconds>(std::exchange(m_cost, {}));
    m_due.setInterval(std::clamp(restPerWork * cost, soonest, latest));
    if (m_hasChanged)
        schedule();
}

bool OwnersPanel::workOnce()
{
    if (!m_isIndexed) {
        const bool isDone = m_index.work(partOfWork);
        if (!isDone && !m_workedSince.hasExpired(longestWork.count()))
            return false;
        m_isIndexed = isDone;
        showGroups();
        beginReckoning();
        if (!isDone)
            m_workedSince.start();
        return false;
    }
    return reckon();
}

void OwnersPanel::showGroups()
{
    // What is chosen stays so where it is not among the first any more: only the user chooses.
    m_isRefreshing = true;
    if (std::exchange(m_shownRevision, m_index.revision()) != m_index.revision())
        m_model.refresh();
    if (m_chosen && !selected().isValid()) {
        if (const QModelIndex index = m_model.indexOf(*m_chosen); index.isValid())
            m_tree->setCurrentIndex(index);
    }
    m_isRefreshing = false;
    tellSummary();
}

/// Ignores the current row: a view that gets the focus sets it without the user.
QModelIndex OwnersPanel::selected() const
{
    return m_tree->selectionModel()->selectedRows().value(0);
}

void OwnersPanel::choose()
{
    const OwnerGroup *group = m_model.groupAt(selected());
    if (m_isRefreshing || !group || m_chosen == *group)
        return;
    m_chosen = *group;
    const OwnerIndex::Group *now = m_index.find(*m_chosen);
    m_chosenName = now ? m_index.nameOf(*now) : QString();
    // What was told is of another one.
    m_isTold = false;
    m_title->setText(m_chosenName);
    m_text->clear();
    allowActions();
    beginReckoning();
    m_working.start();
}

void OwnersPanel::beginReckoning()
{
    m_reckoning.reset();
    if (!m_chosen)
        return tellGroup();
    const DisplayTime &time = m_clock;
    m_reckoning.emplace(Reckoning{.locks = {},
                                  .at = {time.now(), time.wallMs()},
                                  .aftermath = CrashAftermath(time.now(), time.wallMs()),
                                  .signs = {},
                                  .processes = {}});
    const OwnerIndex::Group *group = m_index.find(*m_chosen);
    if (!group || m_chosen->names == OwnerGroup::Names::Nobody)
        return;
    m_chosenName = m_index.nameOf(*group);
    std::vector<LockKey> &locks = m_reckoning->locks;
    locks.reserve(group->held.size() + group->waits.size());
    std::ranges::transform(group->held, std::back_inserter(locks), &OwnerIndex::Held::key);
    m_reckoning->held = locks.size();
    locks.insert(locks.end(), group->waits.begin(), group->waits.end());
    m_reckoning->signs.isOfSeveral = mayBeSeveral(*m_chosen, std::ssize(group->held));
}

/// Returns nullopt for a lock whose time stands still: it may have been renewed.
std::optional<TimePoint> OwnersPanel::knownNow(const LockKey &key) const
{
    const DisplayTime time = m_clock.of(key);
    return time.isStopped() ? std::nullopt : std::optional(time.now());
}

/// Computes the signs at once from the index; owner IDs are examined only for a host.
OwnerSigns OwnersPanel::signsOf(const OwnerGroup &whose) const
{
    const ReportTime at{m_clock.now(), m_clock.wallMs()};
    const OwnerIndex::Group *group = m_index.find(whose);
    LivenessSigns signs{.overdueSince = {},
                        .actedAt = {},
                        .isOfSeveral = group && mayBeSeveral(whose, std::ssize(group->held))};
    SignsOfProcesses processes;
    const bool isHost = whose.names == OwnerGroup::Names::Host;
    const CrashAftermath::IsTheirs isTheirs = [&](const Lock &lock, const OwnerId &id) {
        return belongsTo(whose, m_index.grouping(), lock, id);
    };
    if (!group)
        return {signsSentence(signs, at), false};
    for (const OwnerIndex::Held &held : group->held) {
        const WatchedLock *lock = m_locks.find(held.key);
        const auto now = knownNow(held.key);
        if (lock && now)
            signs.addHold(*lock, *now);
        if (lock && isHost)
            processes.add(*lock, isTheirs, now);
    }
    for (const LockKey &key : group->waits) {
        const WatchedLock *lock = m_locks.find(key);
        const auto now = knownNow(key);
        if (lock && isHost && !isHeldBy(isTheirs, lock->lock))
            processes.add(*lock, isTheirs, now);
        if (!lock || !now)
            continue;
        for (const Waiter &waiter : lock->lock.companions->waiters.queue) {
            if (isTheirs(lock->lock, waiter.id))
                signs.addPlace(waiter);
        }
    }
    return {lineOf(processes, at) + signsSentence(signs, at),
            signs.verdict(at.now) == LivenessSigns::Verdict::LikelyDead};
}

bool OwnersPanel::reckon()
{
    if (!m_reckoning)
        return true;
    QElapsedTimer timer;
    timer.start();
    Reckoning &reckoning = *m_reckoning;
    const auto isTheirs = [this](const Lock &lock, const OwnerId &id) {
        return belongsTo(*m_chosen, m_index.grouping(), lock, id);
    };
    for (int done = 0; reckoning.next < reckoning.locks.size(); ++reckoning.next) {
        if (++done % 64 == 0 && timer.hasExpired(partOfWork.count()))
            return false;
        const WatchedLock *lock = m_locks.find(reckoning.locks[reckoning.next]);
        const bool isPlace = reckoning.next >= reckoning.held;
        if (!lock || (isPlace && isHeldBy(isTheirs, lock->lock))) // each once
            continue;
        reckoning.aftermath.add(*lock, isTheirs);
        const auto now = knownNow(lock->key());
        if (now)
            reckoning.signs.add(*lock, isTheirs, *now);
        if (m_chosen->names == OwnerGroup::Names::Host)
            reckoning.processes.add(*lock, isTheirs, now);
    }
    tellGroup();
    return true;
}

void OwnersPanel::tellGroup()
{
    const bool isThere = m_chosen && m_index.find(*m_chosen);
    m_title->setText(m_chosen ? m_chosenName : tr("Select an owner to see what a crash would leave."));
    QStringList lines;
    if (m_chosen && !isThere) {
        lines << tr("It holds no known lock and waits in no queue.");
    } else if (isThere && m_chosen->names == OwnerGroup::Names::Nobody) {
        lines << aftermathHeading(m_chosen->names);
    } else if (isThere && m_reckoning) {
        lines << lineOf(m_reckoning->processes, m_reckoning->at) +
                     signsSentence(m_reckoning->signs, m_reckoning->at)
              << QString() << aftermathHeading(m_chosen->names);
        for (const QString &sentence : aftermathSentences(m_reckoning->aftermath, m_reckoning->at))
            lines << QStringLiteral("•  ") + sentence;
        lines << QString();
        if (m_chosen->names == OwnerGroup::Names::Owner && m_index.grouping() != OwnerGrouping::Owner)
            lines << tr("The process is unknown; it may hold more locks.");
        lines << (m_clock.isPast() ? tr("By data that is %1 old.").arg(countdown(m_clock.pastFor()))
                                   : tr("By what is known of its locks."));
    }
    const QString text = lines.join(u'\n');
    if (text != m_text->toPlainText()) // what is selected in it stays
        m_text->setPlainText(text);
    m_isTold = m_chosen.has_value();
    allowActions();
}

void OwnersPanel::allowActions()
{
    const OwnerIndex::Group *group = m_chosen ? m_index.find(*m_chosen) : nullptr;
    m_copy->setEnabled(m_isTold);
    m_filterTable->setEnabled(group);
    QString why = m_whyBlocked ? m_whyBlocked() : QString();
    if (!group || group->held.empty())
        why = tr("Select an owner that holds a lock.");
    else if (m_chosen->names == OwnerGroup::Names::Nobody)
        why = tr("These locks may belong to different owners.");
    m_end->setEnabled(why.isEmpty() && m_isTold);
    setPlainToolTip(*m_end,
                    why.isEmpty() ? tr("Force-expire all locks of this group; lists them first") : why);
}

void OwnersPanel::tellSummary()
{
    const QString told = grouped(m_index.reported());
    const qsizetype wanted = m_index.wanted();
    QStringList parts;
    switch (m_index.grouping()) {
    case OwnerGrouping::Owner:
        parts << Texts::tr("owners: %1").arg(told);
        break;
    case OwnerGrouping::Process:
        parts << tr("processes: %1").arg(told);
        break;
    case OwnerGrouping::Host:
        parts << tr("hosts and processes: %1").arg(told);
        break;
    }
    if (m_index.untold() > 0)
        parts << tr("owners of unknown processes: %1").arg(grouped(m_index.untold()));
    if (wanted < m_index.size())
        parts << tr("matching: %1").arg(grouped(wanted));
    if (wanted > OwnersModel::maxGroups)
        parts << tr("list shortened to the worst %1").arg(grouped(OwnersModel::maxGroups));
    if (!m_isIndexed)
        parts << tr("still counting");
    showSummary(parts);
    showListOr(wanted > 0 || !m_isIndexed ? QString()
               : m_index.size() > 0       ? tr("Nothing matches.")
                                          : tr("No lock is known to be held or waited for."));
}

void OwnersPanel::tick()
{
    m_model.setStale(m_clock.isStopped());
    m_tree->viewport()->update(); // how long locks are held
    schedule();                   // signs of life end with time alone
}

void OwnersPanel::copyText() const
{
    QGuiApplication::clipboard()->setText(m_chosenName + u'\n' + m_text->toPlainText());
}

void OwnersPanel::activate(const QModelIndex &index)
{
    if (const auto key = m_model.lockAt(index))
        emit chosen(*key);
    else if (index.isValid())
        m_tree->setExpanded(index.siblingAtColumn(0), !m_tree->isExpanded(index.siblingAtColumn(0)));
}

void OwnersPanel::filterTable()
{
    const OwnerIndex::Group *group = m_chosen ? m_index.find(*m_chosen) : nullptr;
    if (!group)
        return;
    QSet<LockKey> locks(group->waits.begin(), group->waits.end());
    for (const OwnerIndex::Held &held : group->held)
        locks.insert(held.key);
    emit filterRequested(shortened(m_chosenName, filterNameLetters), locks);
}

void OwnersPanel::endLocks()
{
    allowActions();
    const OwnerIndex::Group *group = m_chosen ? m_index.find(*m_chosen) : nullptr;
    if (!group || !m_end->isEnabled())
        return;
    OwnerEnd asked{.name = m_chosenName,
                   .locks = group->worstHeld(LockSelection::most),
                   .all = std::ssize(group->held),
                   .signs = [panel = QPointer<const OwnersPanel>(this),
                             whose = *m_chosen] { return panel ? panel->signsOf(whose) : OwnerSigns(); },
                   .isTheirs =
                       [by = m_index.grouping(), whose = *m_chosen](const Lock &lock, const OwnerId &id) {
                           return belongsTo(whose, by, lock, id);
                       }};
    emit endRequested(asked);
}

void OwnersPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_isShown = true;
    m_ticking.start();
    restart();
}

void OwnersPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_isShown = false;
    for (QTimer *timer : {&m_ticking, &m_due, &m_working})
        timer->stop();
    m_reckoning.reset();
    m_index.clear();
}

} // namespace lockscope
