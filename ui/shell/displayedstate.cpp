// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/displayedstate.h"

#include "core/base/match.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/momenttext.h"

#include <algorithm>
#include <utility>

namespace lockscope {

DisplayedState::DisplayedState(const MonitorSource &source, LocksPage &locks, Words words, QObject *parent)
    : QObject(parent), m_source(source), m_locks(locks), m_words(std::move(words))
{
    m_locks.setHoldTimes(source.watched().holdTimes());
    connect(&source, &MonitorSource::reported, this, [this](const MonitorReport &event) { take(event); });
}

milliseconds DisplayedState::ageOf(TimePoint at) const
{
    return std::chrono::duration_cast<milliseconds>(std::max(m_source.now(), at) - at);
}

std::optional<milliseconds> DisplayedState::age() const
{
    const auto moment = at();
    return moment ? std::optional(ageOf(*moment)) : std::nullopt;
}

void DisplayedState::take(const MonitorReport &event)
{
    std::visit(Match{[this](const LockDiff &diff) {
                         m_history.apply(diff, m_source.wallNow());
                         isHeld() ? hold(diff) : show(diff);
                     },
                     [this](const DataConfirmed &confirmed) {
                         m_history.confirm(m_source.wallNow() - ageOf(confirmed.at).count());
                     },
                     [this](const ClusterStatus &cluster) {
                         m_history.setUnknownSlots(cluster.unknownSlots, m_source.wallNow());
                     },
                     [this](const QList<Deadlock> &deadlocks) {
                         if (!isHeld())
                             showDeadlocks(deadlocks);
                     },
                     [this](const SourceEvent &moment) {
                         const auto *deadlock = std::get_if<Deadlock>(&moment.what);
                         addMoment({moment.kind,
                                    momentText(moment, m_words.server, m_source.watched().status().server,
                                               deadlock ? m_words.cycle(*deadlock) : QStringList()),
                                    moment.wallMs, deadlock ? deadlock->cycle.first().lock : LockKey()});
                     },
                     [](const auto &) {}},
               event);
}

void DisplayedState::addMoment(const MonitorEvent &moment)
{
    m_history.add(moment);
    if (isHeld())
        m_held.add(moment);
    else
        m_log.append({}, {moment});
}

void DisplayedState::hold(const LockDiff &diff)
{
    m_held.add(diff, [this](const LockKey &key) { return m_locks.model().find(key) != nullptr; });
}

void DisplayedState::show(const LockDiff &diff, const QList<MonitorEvent> &moments)
{
    m_log.append(diff.events, moments);
    emit changing();
    m_locks.apply(diff);
    emit changed();
}

void DisplayedState::showHeld()
{
    m_log.addLost(m_held.takeLost());
    const QList<MonitorEvent> moments = m_held.takeMoments();
    show(m_held.take(), moments);
}

void DisplayedState::showDeadlocks(const QList<Deadlock> &deadlocks)
{
    m_deadlocks = deadlocks;
    emit deadlocksChanged();
}

} // namespace lockscope
