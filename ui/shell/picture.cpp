// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/picture.h"

#include "core/base/match.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/momenttext.h"

#include <algorithm>
#include <utility>

namespace lockscope {

Picture::Picture(const WatchSource &source, LocksPage &locks, Words words, QObject *parent)
    : QObject(parent), m_source(source), m_locks(locks), m_words(std::move(words))
{
    m_locks.setHoldTimes(source.watched().holdTimes());
    connect(&source, &WatchSource::told, this, [this](const WatchEvent &event) { take(event); });
}

milliseconds Picture::ageOf(TimePoint at) const
{
    return std::chrono::duration_cast<milliseconds>(std::max(m_source.now(), at) - at);
}

std::optional<milliseconds> Picture::age() const
{
    const auto moment = at();
    return moment ? std::optional(ageOf(*moment)) : std::nullopt;
}

void Picture::take(const WatchEvent &event)
{
    std::visit(Match{[this](const LockDiff &diff) {
                         m_history.apply(diff, m_source.wallNow());
                         isHeld() ? hold(diff) : show(diff);
                     },
                     [this](const Confirmed &confirmed) {
                         m_history.confirm(m_source.wallNow() - ageOf(confirmed.at).count());
                     },
                     [this](const ClusterStatus &cluster) {
                         m_history.setUnknownSlots(cluster.unknownSlots, m_source.wallNow());
                     },
                     [this](const QList<Deadlock> &deadlocks) {
                         if (!isHeld())
                             showDeadlocks(deadlocks);
                     },
                     [this](const WatchMoment &moment) {
                         const auto *deadlock = std::get_if<Deadlock>(&moment.what);
                         addMoment({moment.kind,
                                    momentText(moment, m_words.server, m_source.watched().status().server,
                                               deadlock ? m_words.cycle(*deadlock) : QStringList()),
                                    moment.wallMs, deadlock ? deadlock->cycle.first().lock : LockKey()});
                     },
                     [](const auto &) {}},
               event);
}

void Picture::addMoment(const Moment &moment)
{
    m_history.add(moment);
    if (isHeld())
        m_held.add(moment);
    else
        m_log.append({}, {moment});
}

void Picture::hold(const LockDiff &diff)
{
    m_held.add(diff, [this](const LockKey &key) { return m_locks.model().find(key) != nullptr; });
}

void Picture::show(const LockDiff &diff, const QList<Moment> &moments)
{
    m_log.append(diff.events, moments);
    emit changing();
    m_locks.apply(diff);
    emit changed();
}

void Picture::showHeld()
{
    m_log.addLost(m_held.takeLost());
    const QList<Moment> moments = m_held.takeMoments();
    show(m_held.take(), moments);
}

void Picture::showDeadlocks(const QList<Deadlock> &deadlocks)
{
    m_deadlocks = deadlocks;
    emit deadlocksChanged();
}

} // namespace lockscope
