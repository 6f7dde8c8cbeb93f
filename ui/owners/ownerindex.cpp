// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/ownerindex.h"

#include "core/base/foldedsearch.h"
#include "core/base/printable.h"
#include "core/family/renewalhealth.h"
#include "core/state/severity.h"
#include "core/words/texts.h"

#include <QElapsedTimer>
#include <QVarLengthArray>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace lockscope {

namespace {

// The parts of an order, from its highest bits on: nobody in particular, damage, waiters, locks, since when.
constexpr int nobodyShift = 63, severityShift = 60, waiterShift = 43, heldShift = 26;
constexpr quint64 maxCounted = (quint64(1) << 17) - 1;
/// Limit of start times in seconds: a year before or after the start of this machine.
constexpr qint64 farthestSeconds = (qint64(1) << 25) - 1;
constexpr int rankSeverityShift = 61;
constexpr quint64 notWanted = ~quint64(0);
/// Interval for locks whose time stands still: their node may be connected again.
constexpr std::chrono::seconds lookAgain{10};
/// Maximum number of a group's locks with waiters, counted in one go; beyond it the count is a lower bound.
constexpr qsizetype maxWaitedFor = 4096;

quint64 capped(qint64 count)
{
    return std::min(quint64(std::max<qint64>(count, 0)), maxCounted);
}

size_t dueRoom(size_t keys)
{
    return keys + keys / 4 + 1024;
}

} // namespace

OwnerIndex::OwnerIndex(const LockTableModel &model, const DisplayClock &clock, const OwnerNames &names)
    : m_model(model), m_clock(clock), m_names(names)
{
}

void OwnerIndex::start(OwnerGrouping by)
{
    clear();
    m_by = by;
    // Where they grow step by step, all that is there is moved at once.
    const auto total = size_t(m_model.total());
    for (auto *list : {&m_dirty, &m_free})
        list->reserve(total);
    m_pending.reserve(total);
    m_groups.reserve(total);
    m_orders.reserve(total);
    m_known.reserve(qsizetype(total));
    m_slots.reserve(qsizetype(total));
    std::vector<Due> due;
    due.reserve(dueRoom(total));
    m_due = decltype(m_due)({}, std::move(due));
    m_model.visit([this](const WatchedLock &lock) {
        m_pending.push_back(lock.key());
        return true;
    });
}

QList<LockKey> OwnerIndex::Group::worstHeld(qsizetype most) const
{
    std::vector<const Held *> sorted(held.size());
    std::ranges::transform(held, sorted.begin(), [](const Held &each) { return &each; });
    const auto end = sorted.begin() + std::min<qsizetype>(most, std::ssize(sorted));
    std::ranges::partial_sort(sorted, end, {},
                              [](const Held *each) { return std::tie(each->rank, each->key.bytes); });
    QList<LockKey> keys;
    std::transform(sorted.begin(), end, std::back_inserter(keys), [](const Held *each) { return each->key; });
    return keys;
}

void OwnerIndex::clear()
{
    ++m_revision;
    m_slots.clear();
    m_groups.clear();
    m_orders.clear();
    m_free.clear();
    m_untold = 0;
    m_known.clear();
    m_pending.clear();
    m_again.clear();
    m_dirty.clear();
    m_waitedFor.clear();
    m_haveWaitsChanged = false;
    m_due = {};
}

void OwnerIndex::setFilter(const QString &text)
{
    m_text = text.trimmed();
    m_needle = m_text.toUtf8().toLower();
    markAll();
}

void OwnerIndex::apply(const LockDiff &diff)
{
    for (const LockKey &key : diff.removed)
        remove(key);
    for (const WatchedLock &lock : diff.changed) {
        if (const WatchedLock *known = m_model.find(lock.key())) // with what the table knows of it
            put(*known);
    }
    m_haveWaitsChanged = true;
}

void OwnerIndex::put(const WatchedLock &watched)
{
    const Lock &lock = watched.lock;
    const DisplayTime time = m_clock.of(lock.key()); // of a lost node it stands still
    const TimePoint now = time.now();
    if (isNoLock(lock))
        return remove(lock.key());
    QVarLengthArray<std::pair<quint32, bool>, 8> belongs;
    const auto add = [&](const OwnerGroup &whose, const OwnerId &id, bool isWait) {
        const std::pair place(slotOf(whose, lock, id), isWait);
        if (!belongs.contains(place))
            belongs.append(place);
    };
    for (const LockOwner &holder : lock.owners)
        add(holderGroup(m_by, lock, holder.owner), holder.owner, false);
    for (const Waiter &waiter : lock.companions->waiters.queue)
        add(ownerGroup(m_by, lock.family, lock.key(), waiter.id), waiter.id, true);

    Known &known = m_known[lock.key()];
    std::vector<Place> &places = known.places;
    const bool isSame = std::ranges::equal(places, belongs, [](const Place &place, const auto &belonging) {
        return std::pair(place.slot, place.isWait) == belonging;
    });
    if (!isSame) {
        const std::vector<Place> before = std::exchange(places, {});
        for (const auto &[slot, isWait] : belongs) {
            Group &group = *m_groups[slot];
            places.push_back({slot, quint32(isWait ? group.waits.size() : group.held.size()), isWait});
            if (isWait)
                group.waits.push_back(lock.key());
            else
                group.held.push_back({.key = lock.key(), .since = {}});
        }
        for (const Place &place : before)
            leave(place);
    }
    for (const Place &place : std::as_const(places)) {
        if (!place.isWait) {
            Held &held = m_groups[place.slot]->held[place.at];
            held.rank = severityRank(watched, now);
            held.since = watched.heldSince;
            held.isWaitedFor = lock.companions->waiters.count > 0;
        }
        mark(place.slot);
    }
    // A lease that was renewed is looked at again when it would have been overdue, and a hold when it is unusually long.
    TimePoint next = TimePoint::max();
    for (const TimePoint moment : {overdueAfter(watched), unusualDamageAfter(watched)})
        next = moment >= now ? std::min(next, moment) : next;
    if (next != TimePoint::max()) {
        const TimePoint due = time.isStopped() ? std::max(next, m_clock.now() + lookAgain) : next;
        if (due < known.dueAt) {
            known.dueAt = due;
            m_due.push({due, lock.key()});
            if (m_due.size() >= dueRoom(size_t(m_known.size())))
                dropStaleDue();
        }
    }
    if (places.empty() && known.dueAt == TimePoint::max())
        m_known.remove(lock.key());
}

/// Drops outdated entries: an earlier moment leaves the later entry in the queue until its time.
void OwnerIndex::dropStaleDue()
{
    std::vector<Due> due;
    due.reserve(dueRoom(size_t(m_known.size())));
    for (auto known = m_known.cbegin(); known != m_known.cend(); ++known) {
        if (known->dueAt != TimePoint::max())
            due.push_back({known->dueAt, known.key()});
    }
    m_due = decltype(m_due)({}, std::move(due));
}

void OwnerIndex::remove(const LockKey &key)
{
    const auto known = m_known.find(key);
    if (known == m_known.end())
        return;
    const std::vector<Place> places = std::exchange(known->places, {});
    if (known->dueAt == TimePoint::max())
        m_known.erase(known);
    for (const Place &place : places)
        leave(place);
}

void OwnerIndex::leave(const Place &place)
{
    Group &group = *m_groups[place.slot];
    const auto take = [&](auto &list, const auto &keyOf) {
        const auto last = quint32(list.size() - 1);
        if (place.at != last) {
            for (Place &moved : m_known[keyOf(list[last])].places) {
                if (moved.slot == place.slot && moved.isWait == place.isWait)
                    moved.at = place.at;
            }
            list[place.at] = std::move(list[last]);
        }
        list.pop_back();
    };
    if (place.isWait)
        take(group.waits, [](const LockKey &key) { return key; });
    else
        take(group.held, [](const Held &held) { return held.key; });
    if (group.held.empty() && group.waits.empty())
        drop(place.slot); // at once: of a busy server thousands would wait for the next work()
    else
        mark(place.slot);
}

void OwnerIndex::drop(quint32 slot)
{
    const Group &group = *m_groups[slot];
    ++m_revision;
    m_untold -= m_by != OwnerGrouping::Owner && group.whose.names == OwnerGroup::Names::Owner;
    m_waitedFor.remove(slot);
    m_slots.remove(group.whose);
    m_groups[slot].reset();
    m_orders[slot] = notWanted;
    m_free.push_back(slot);
}

quint32 OwnerIndex::slotOf(const OwnerGroup &whose, const Lock &lock, const OwnerId &owner)
{
    const auto known = m_slots.constFind(whose);
    if (known != m_slots.cend())
        return *known;
    quint32 slot = quint32(m_groups.size());
    if (m_free.empty()) {
        m_groups.emplace_back();
        m_orders.push_back(notWanted);
    } else {
        slot = m_free.back();
        m_free.pop_back();
    }
    m_groups[slot] = std::make_unique<Group>();
    Group &group = *m_groups[slot];
    group.whose = whose;
    group.number = ++m_lastNumber;
    group.family = lock.family;
    group.ownersLock = lock.key();
    group.owner = owner;
    m_slots.insert(whose, slot);
    m_untold += m_by != OwnerGrouping::Owner && whose.names == OwnerGroup::Names::Owner;
    return slot;
}

void OwnerIndex::mark(quint32 slot)
{
    if (std::exchange(m_groups[slot]->isDirty, true))
        return;
    m_dirty.push_back(slot);
}

void OwnerIndex::markAll()
{
    for (const quint32 slot : std::as_const(m_slots))
        mark(slot);
}

bool OwnerIndex::work(milliseconds budget)
{
    QElapsedTimer timer;
    timer.start();
    const TimePoint now = m_clock.now();
    // What time alone has done is not so before: of a recording, and where a lost connection is noticed.
    if (now < std::exchange(m_workedAt, now))
        m_again.assign(m_known.keyBegin(), m_known.keyEnd());
    int done = 0;
    const auto isLate = [&] { return ++done % 16 == 0 && timer.hasExpired(budget.count()); };
    for (; !m_pending.empty(); m_pending.pop_back()) {
        if (isLate())
            return false;
        const WatchedLock *lock = m_model.find(m_pending.back());
        if (lock && !m_known.contains(lock->key()))
            put(*lock);
    }
    for (; !m_again.empty(); m_again.pop_back()) {
        if (isLate())
            return false;
        if (const WatchedLock *lock = m_model.find(m_again.back()))
            put(*lock);
    }
    while (!m_due.empty() && m_due.top().at < now) {
        if (isLate())
            return false;
        const Due due = m_due.top();
        m_due.pop();
        const auto known = m_known.find(due.key);
        if (known == m_known.end() || known->dueAt != due.at)
            continue;
        known->dueAt = TimePoint::max();
        if (const WatchedLock *lock = m_model.find(due.key))
            put(*lock);
        else if (known->places.empty())
            m_known.erase(known);
    }
    // Who waits behind a lock is told by others' queues.
    if (std::exchange(m_haveWaitsChanged, false)) {
        for (const quint32 slot : std::as_const(m_waitedFor))
            mark(slot);
    }
    for (; !m_dirty.empty(); m_dirty.pop_back()) {
        if (isLate())
            return false;
        const quint32 slot = m_dirty.back();
        if (!m_groups[slot])
            continue; // dropped since
        Group &group = *m_groups[slot];
        group.isDirty = false;
        ++m_revision;
        reckon(slot);
        if (group.behind.count > 0)
            m_waitedFor.insert(slot);
        else
            m_waitedFor.remove(slot);
    }
    return true;
}

void OwnerIndex::reckon(quint32 slot)
{
    Group &group = *m_groups[slot];
    group.worst = group.longest = {};
    quint64 worst = ~quint64(0);
    TimePoint since = TimePoint::max();
    QList<LockKey> waitedFor;
    for (const Held &held : group.held) {
        if (held.rank < worst || group.worst.bytes.isEmpty()) {
            worst = held.rank;
            group.worst = held.key;
        }
        if (held.since < since || group.longest.bytes.isEmpty()) {
            since = held.since;
            group.longest = held.key;
        }
        if (held.isWaitedFor && waitedFor.size() <= maxWaitedFor)
            waitedFor.append(held.key);
    }
    const bool isCut = waitedFor.size() > maxWaitedFor;
    group.behind = m_model.waits().blockedBy(waitedFor);
    group.behind.isExact &= !isCut;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since.time_since_epoch()).count();
    group.order = quint64(group.whose.names == OwnerGroup::Names::Nobody) << nobodyShift |
                  (group.held.empty() ? quint64(Severity::None) : worst >> rankSeverityShift)
                      << severityShift |
                  (maxCounted - capped(group.behind.count)) << waiterShift |
                  (maxCounted - capped(qint64(group.held.size()))) << heldShift |
                  quint64(std::clamp<qint64>(seconds, -farthestSeconds, farthestSeconds) + farthestSeconds);
    m_orders[slot] = matches(group) ? group.order : notWanted;
}

bool OwnerIndex::matches(const Group &group) const
{
    if (m_needle.isEmpty() || containsFolded(group.whose.bytes, m_needle))
        return true;
    const auto isSought = [this](const LockKey &key) { return containsFolded(key.bytes, m_needle); };
    return nameOf(group).contains(m_text, Qt::CaseInsensitive) ||
           std::ranges::any_of(group.held, isSought, &Held::key) ||
           std::ranges::any_of(group.waits, isSought);
}

qsizetype OwnerIndex::wanted() const
{
    return std::ssize(m_orders) - std::ranges::count(m_orders, notWanted);
}

std::vector<const OwnerIndex::Group *> OwnerIndex::ranked(qsizetype most) const
{
    std::vector<std::pair<quint64, quint32>> order;
    order.reserve(m_orders.size());
    for (quint32 slot = 0; slot < m_orders.size(); ++slot) {
        if (m_orders[slot] != notWanted)
            order.emplace_back(m_orders[slot], slot);
    }
    const auto end = order.begin() + std::min<qsizetype>(most, std::ssize(order));
    std::partial_sort(order.begin(), end, order.end());
    std::vector<const Group *> groups;
    for (auto group = order.begin(); group != end; ++group)
        groups.push_back(m_groups[group->second].get());
    return groups;
}

const OwnerIndex::Group *OwnerIndex::find(const OwnerGroup &whose) const
{
    const auto slot = m_slots.constFind(whose);
    return slot == m_slots.cend() ? nullptr : m_groups[*slot].get();
}

QString OwnerIndex::nameOf(const Group &group) const
{
    if (group.whose.names == OwnerGroup::Names::Nobody)
        return Texts::tr("Owners unknown");
    if (group.whose.names == OwnerGroup::Names::Owner)
        return m_names.text(group.family, group.ownersLock, group.owner);
    const QString name = m_names.nameOf(group.whose.bytes);
    return name.isEmpty() ? printable(group.whose.bytes) : name;
}

} // namespace lockscope
