// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertwatch.h"
#include "tests/support/familyliteral.h"
#include "tests/support/told.h"

#include <QStringList>

namespace lockscope {

using namespace std::chrono_literals;
using What = AlertWatch::Change::What;

inline const TimePoint start = TimePoint() + 1000h;

inline WatchedLock lockOf(const QByteArray &key, TimePoint heldSince = start, const QByteArray &owner = "me")
{
    WatchedLock watched;
    watched.lock.address.key = LockKey(key);
    watched.lock.family = "reentrant"_family;
    watched.lock.type = KeyType::Hash;
    watched.lock.owners.append({OwnerId(owner), "1", 1});
    watched.lock.deadline = Deadline{start + 1000h, start + 1000h};
    watched.heldSince = heldSince;
    return watched;
}

inline WatchedLock awaited(WatchedLock watched, qint64 count,
                           WaiterCertainty certainty = WaiterCertainty::Exact)
{
    CompanionState companions;
    companions.waiters.certainty = certainty;
    companions.waiters.count = count;
    watched.lock.companions = CompanionStatePtr(companions);
    return watched;
}

inline LockDiff changed(const QList<WatchedLock> &locks)
{
    return {locks, {}, {}};
}

inline LockDiff removed(const QByteArray &key)
{
    return {{}, {LockKey(key)}, {}};
}

/// So that it is there before the alerts of it.
struct FedWatch
{
    MonitorState watched;
};

/// Alerts of a watch that is told of by hand; ready and scanned, if not said otherwise.
class FedAlerts : private FedWatch, public AlertWatch
{
public:
    explicit FedAlerts(const AlertRules &rules, bool isRead = true) : AlertWatch(FedWatch::watched, rules)
    {
        if (!isRead)
            return;
        take(statusOf(Link::State::Ready), start);
        take(wholeScan(), start);
    }
    void take(const MonitorReport &event, TimePoint now)
    {
        watched.take(event, now, 0);
        AlertWatch::take(event, now);
    }
    void takeConnection(bool isReady, TimePoint now)
    {
        take(statusOf(isReady ? Link::State::Ready : Link::State::Backoff), now);
    }
};

inline AlertRules only(void (*set)(AlertRules &))
{
    AlertRules rules;
    for (const AlertRule &rule : alertRuleTable())
        rules[rule.kind].reset();
    set(rules);
    return rules;
}

/// "+no-expiry a", "-max-held a", "*…" where it came again.
inline QStringList reported(AlertWatch &watch)
{
    QStringList lines;
    for (const auto &[what, alert] : watch.takeChanges())
        lines
            << QString::fromLatin1(what == What::Raised        ? "+"
                                   : what == What::RaisedAgain ? "*"
                                                               : "-") +
                   QString::fromLatin1(QByteArray(ruleOf(alert.kind).name) + ' ' + alert.key.bytes).trimmed();
    return lines;
}

inline QStringList lines(std::initializer_list<const char *> texts)
{
    QStringList all;
    for (const char *text : texts)
        all << QString::fromLatin1(text);
    return all;
}

inline Deadlock deadlockOf(const QByteArray &a, const QByteArray &b)
{
    return {{{LockKey(a), "1", "2"}, {LockKey(b), "2", "1"}}};
}

} // namespace lockscope
