// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/serverreset.h"

#include <QByteArrayView>
#include <QList>

#include <optional>

namespace lockscope {

/// What an alert is raised for.
enum class AlertKind : quint8 {
    NoExpiry,          ///< of a lock whose library gives its locks an expiry
    HeldTooLong,       ///< longer than AlertRules::maxHeld
    HeldUnusuallyLong, ///< than the last holds seen of its key, and so many times the usual
    ManyWaiters,       ///< more than AlertRules::maxWaiters, as far as they can be counted
    Deadlock,          ///< confirmed
    StalledHolder,     ///< the owner's renewal is overdue while others wait: likely dead, or it hangs
    ConnectionLost,    ///< to the server, or to one of several: nothing is known of its locks meanwhile
    Reset,             ///< locks went at once: the server was flushed, restarted, swapped or replaced
};
constexpr int alertKinds = static_cast<int>(AlertKind::Reset) + 1;

/// As programs read it: "no-expiry".
QByteArray alertName(AlertKind kind);
std::optional<AlertKind> alertFromName(QByteArrayView name);

/// The worst first.
enum class AlertSeverity : quint8 {
    Critical, ///< nothing goes on by itself, or nothing is known
    Warning,  ///< a lock that nobody may end
    Notice,   ///< what may be over soon
};
AlertSeverity severityOf(AlertKind kind);
/// It is of the lock, whoever holds it: one alert while the owners of a busy lock change.
constexpr bool outlastsOwners(AlertKind kind)
{
    return kind == AlertKind::NoExpiry || kind == AlertKind::ManyWaiters;
}

struct AlertRules
{
    bool noExpiry = true;
    std::optional<milliseconds> maxHeld;
    std::optional<int> timesUsual = 10; ///< at least 2
    std::optional<qint64> maxWaiters = 20;
    bool deadlock = true;
    bool stalledHolder = true;
    bool connectionLost = true;
    bool reset = true;

    friend bool operator==(const AlertRules &, const AlertRules &) = default;
};

/// Calls `take` with each rule and what it is in AlertRules: a bool, or an optional limit; absent: it is off.
template <typename Take>
void visitRules(const Take &take)
{
    take(AlertKind::NoExpiry, &AlertRules::noExpiry);
    take(AlertKind::HeldTooLong, &AlertRules::maxHeld);
    take(AlertKind::HeldUnusuallyLong, &AlertRules::timesUsual);
    take(AlertKind::ManyWaiters, &AlertRules::maxWaiters);
    take(AlertKind::Deadlock, &AlertRules::deadlock);
    take(AlertKind::StalledHolder, &AlertRules::stalledHolder);
    take(AlertKind::ConnectionLost, &AlertRules::connectionLost);
    take(AlertKind::Reset, &AlertRules::reset);
}

bool isOn(const AlertRules &rules, AlertKind kind);

/// One thing that somebody should know of, from when it was seen until it is over.
struct Alert
{
    quint64 number = 0; ///< never used again while the program runs
    AlertKind kind = AlertKind::NoExpiry;
    LockKey key{};   ///< of a deadlock the first of `cycle`; empty: it concerns the server
    Family family{}; ///< as the rest, when it was raised last
    QList<LockOwner> owners{};
    milliseconds held{0};                 ///< HeldTooLong, HeldUnusuallyLong: at least
    milliseconds limit{0};                ///< likewise: what it is longer than
    qint64 waiters = 0;                   ///< ManyWaiters, StalledHolder
    bool isAtLeast = false;               ///< there may be more waiters
    QList<LockKey> cycle{};               ///< Deadlock
    QString server{};                     ///< ConnectionLost of one of several servers: its address
    std::optional<ServerReset> resetOf{}; ///< Reset
    TimePoint raisedAt{};
    std::optional<TimePoint> endedAt{}; ///< its condition was seen to be over
    int times = 1; ///< raised, over and raised again, each within AlertWatch::sameAlert of the end before
};

} // namespace lockscope
