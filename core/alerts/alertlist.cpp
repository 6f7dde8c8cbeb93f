// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertlist.h"

#include <QCryptographicHash>

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

constexpr qsizetype digestBytes = 12;

/// A digest, since a stored snooze must not reveal an owner ID.
QByteArray digestOf(const Alert &alert, bool withOwners)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const QByteArray &part) {
        hash.addData(QByteArray::number(part.size()) + ':' + part);
    };
    add(ruleOf(alert.kind).name);
    add(alert.key.bytes);
    add(alert.server.toUtf8());
    for (const LockKey &key : alert.cycle)
        add(key.bytes);
    for (const LockOwner &owner : withOwners ? alert.owners : QList<LockOwner>())
        add(owner.owner.bytes);
    return hash.result().left(digestBytes);
}

bool concerns(const AlertSnooze &snooze, const AlertList::Entry &entry)
{
    const Alert &alert = entry.alert;
    switch (snooze.of) {
    case AlertSnooze::Of::Rule:
        return alert.kind == snooze.kind;
    case AlertSnooze::Of::Lock:
        return !snooze.key.isEmpty() && (alert.key == snooze.key || alert.cycle.contains(snooze.key));
    case AlertSnooze::Of::Alert:
        break;
    }
    return snooze.subject == (snooze.untilMs == AlertSnooze::untilItEnds ? entry.sameHold : entry.subject);
}

/// The latest end of a snooze.
qint64 lastMsOf(const AlertSnooze &snooze)
{
    return snooze.untilMs == AlertSnooze::untilItEnds
               ? snooze.madeMs + milliseconds(AlertList::longestSnooze).count()
               : snooze.untilMs;
}

} // namespace

void AlertList::take(const QList<AlertWatch::Change> &changes, TimePoint now, qint64 nowMs,
                     const std::function<End(const Alert &)> &endOf)
{
    const auto wall = [&](TimePoint at) {
        return nowMs - std::chrono::duration_cast<milliseconds>(now - at).count();
    };
    for (const auto &[what, alert] : changes) {
        if (what != AlertWatch::Change::What::Ended) {
            Entry entry;
            entry.alert = alert;
            entry.subject = digestOf(alert, false);
            entry.sameHold = ruleOf(alert.kind).isOfHold ? digestOf(alert, true) : entry.subject;
            entry.raisedMs = wall(alert.raisedAt);
            entry.endedMs = alert.endedAt ? wall(*alert.endedAt) : 0;
            m_entries.insert(alert.number, entry);
            if (m_told.remove(alert.number)) // of what was: it ended and was raised again at once
                m_notices.append({Notice::What::Withdraw, alert});
            continue;
        }
        const auto entry = m_entries.find(alert.number);
        if (entry == m_entries.end())
            continue;
        m_snoozes.removeIf([&](const AlertSnooze &snooze) {
            return snooze.of == AlertSnooze::Of::Alert && snooze.untilMs == AlertSnooze::untilItEnds &&
                   concerns(snooze, *entry);
        });
        entry->alert = alert;
        entry->endedMs = wall(alert.endedAt.value_or(now));
        entry->end = endOf ? endOf(alert) : End::Over;
        entry->acknowledgedMs = 0;
    }
    dropEnded();
    dropSnoozes(nowMs);
    settle();
}

void AlertList::advance(qint64 nowMs)
{
    const qsizetype before = m_snoozes.size();
    dropSnoozes(nowMs);
    if (m_snoozes.size() != before)
        settle();
}

void AlertList::acknowledge(const QList<quint64> &numbers, qint64 nowMs)
{
    Step step;
    for (const quint64 number : numbers) {
        const auto entry = m_entries.find(number);
        if (entry == m_entries.end() || !entry->isOpen() || entry->acknowledgedMs != 0)
            continue;
        entry->acknowledgedMs = nowMs;
        step.acknowledged.insert(number, nowMs);
    }
    keep(step);
}

bool AlertList::snooze(const QList<quint64> &numbers, qint64 untilMs, qint64 nowMs)
{
    QList<AlertSnooze> snoozes;
    for (const quint64 number : numbers) {
        const Entry *entry = find(number);
        const bool isUntilEnd = untilMs == AlertSnooze::untilItEnds;
        if (!entry || !entry->isOpen() || (isUntilEnd && entry->alert.endedAt))
            continue;
        snoozes.append({AlertSnooze::Of::Alert, entry->alert.kind, entry->alert.key,
                        isUntilEnd ? entry->sameHold : entry->subject, untilMs, nowMs});
    }
    return add(snoozes);
}

bool AlertList::snoozeRule(AlertKind kind, qint64 untilMs, qint64 nowMs)
{
    return add({{AlertSnooze::Of::Rule, kind, {}, {}, untilMs, nowMs}});
}

bool AlertList::snoozeLock(const LockKey &key, qint64 untilMs, qint64 nowMs)
{
    return add({{AlertSnooze::Of::Lock, {}, key, {}, untilMs, nowMs}});
}

bool AlertList::add(const QList<AlertSnooze> &snoozes)
{
    Step step;
    for (const AlertSnooze &snooze : snoozes) {
        if (!m_snoozes.contains(snooze) && !step.snoozes.contains(snooze))
            step.snoozes.append(snooze);
    }
    if (m_snoozes.size() + step.snoozes.size() > maxSnoozes)
        return false;
    m_snoozes += step.snoozes;
    keep(step);
    return true;
}

void AlertList::keep(const Step &step)
{
    if (step.acknowledged.isEmpty() && step.snoozes.isEmpty())
        return;
    m_steps.append(step);
    if (m_steps.size() > maxSteps)
        m_steps.removeFirst();
    settle();
}

void AlertList::undo(qint64 nowMs)
{
    bool hasChanged = false;
    while (!hasChanged && !m_steps.isEmpty()) {
        const Step step = m_steps.takeLast();
        for (auto made = step.acknowledged.cbegin(); made != step.acknowledged.cend(); ++made) {
            const auto entry = m_entries.find(made.key());
            if (entry == m_entries.end() || entry->acknowledgedMs != *made)
                continue;
            entry->acknowledgedMs = 0;
            hasChanged = true;
        }
        for (const AlertSnooze &snooze : step.snoozes)
            hasChanged = m_snoozes.removeOne(snooze) || hasChanged;
    }
    dropSnoozes(nowMs);
    settle();
}

void AlertList::unacknowledge(const QList<quint64> &numbers, qint64 nowMs)
{
    for (const quint64 number : numbers) {
        if (const auto entry = m_entries.find(number); entry != m_entries.end())
            entry->acknowledgedMs = 0;
    }
    dropSnoozes(nowMs);
    settle();
}

void AlertList::endSnoozes(const QList<AlertSnooze> &snoozes, qint64 nowMs)
{
    QList<AlertSnooze> others;
    std::ranges::copy_if(m_snoozes, std::back_inserter(others),
                         [&snoozes](const AlertSnooze &snooze) { return !snoozes.contains(snooze); });
    m_snoozes = others;
    dropSnoozes(nowMs);
    settle();
}

/// Drops expired snoozes. A clock that was set back prolongs none beyond its limit.
void AlertList::dropSnoozes(qint64 nowMs)
{
    const qint64 longest = milliseconds(longestSnooze).count();
    for (AlertSnooze &snooze : m_snoozes) {
        snooze.madeMs = std::min(snooze.madeMs, nowMs);
        snooze.untilMs = std::min(snooze.untilMs, nowMs + longest);
    }
    m_snoozes.removeIf([nowMs](const AlertSnooze &snooze) { return lastMsOf(snooze) <= nowMs; });
}

void AlertList::dropEnded()
{
    for (const bool areOpen : {false, true}) { // of those that are open: resets
        QList<std::pair<qint64, quint64>> ended;
        for (auto entry = m_entries.cbegin(); entry != m_entries.cend(); ++entry) {
            if (entry->endedMs != 0 && entry->isOpen() == areOpen)
                ended.append({entry->endedMs, entry.key()});
        }
        if (ended.size() <= maxEnded)
            continue;
        std::ranges::sort(ended);
        for (const auto &[at, number] : ended.first(ended.size() - maxEnded)) {
            if (m_told.remove(number))
                m_notices.append({Notice::What::Withdraw, m_entries[number].alert});
            m_entries.remove(number);
        }
    }
}

/// Updates the state of each alert, and the notices.
void AlertList::settle()
{
    QList<Notice> notices;
    for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry) {
        entry->snoozedUntilMs.reset();
        qint64 last = 0;
        for (const AlertSnooze &snooze : m_snoozes) {
            if (entry->isOpen() && concerns(snooze, *entry) && lastMsOf(snooze) > last) {
                last = lastMsOf(snooze);
                entry->snoozedUntilMs = snooze.untilMs;
            }
        }
        const bool isTold = m_told.contains(entry.key());
        if (isTold == !entry->isQuiet())
            continue;
        if (isTold) {
            m_told.remove(entry.key());
            notices.append({Notice::What::Withdraw, entry->alert});
        } else {
            m_told.insert(entry.key());
            notices.append({Notice::What::Tell, entry->alert});
        }
    }
    // The worst first: of many the last ones may only be counted.
    std::ranges::sort(notices, {}, [](const Notice &notice) {
        return std::tuple(notice.what == Notice::What::Tell, ruleOf(notice.alert.kind).severity,
                          notice.alert.number);
    });
    m_notices += notices;
}

QList<AlertList::Entry> AlertList::entries() const
{
    QList<Entry> all = m_entries.values();
    const auto order = [](const Entry &entry) {
        const bool isOpen = entry.isOpen();
        return std::tuple(!isOpen, isOpen ? ruleOf(entry.alert.kind).severity : AlertSeverity(),
                          isOpen ? entry.raisedMs : -entry.endedMs, entry.alert.number);
    };
    std::ranges::sort(all, {}, order);
    return all;
}

const AlertList::Entry *AlertList::find(quint64 number) const
{
    const auto entry = m_entries.constFind(number);
    return entry == m_entries.cend() ? nullptr : &*entry;
}

int AlertList::open() const
{
    return static_cast<int>(std::ranges::count_if(m_entries, &Entry::isOpen));
}

int AlertList::unattended() const
{
    return static_cast<int>(
        std::ranges::count_if(m_entries, [](const Entry &entry) { return !entry.isQuiet(); }));
}

} // namespace lockscope
