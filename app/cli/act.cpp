// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/redis/whendone.h"
#include "core/text/effects.h"
#include "core/text/words.h"

#include <QRandomGenerator>

#include <algorithm>

namespace lockscope {

namespace {

// Contenders that wait must not come in step.
constexpr int shortestPauseMs = 50;
constexpr int longestPauseMs = 100;

Action actionOf(Verb verb)
{
    switch (verb) {
    case Verb::Release:
        return Action::Release;
    case Verb::Extend:
        return Action::Extend;
    case Verb::ForceExpire:
        return Action::ForceExpire;
    case Verb::RemoveWaiter:
        return Action::RemoveWaiter;
    default:
        return Action::Acquire;
    }
}

ExitStatus exitStatusOf(Outcome outcome)
{
    if (outcome == Outcome::Unknown)
        return ExitStatus::NotKnown;
    return succeeded(outcome) ? ExitStatus::Done : ExitStatus::StateSaidNo;
}

} // namespace

ActOnLock::ActOnLock(Options options)
    : Command(std::move(options), false), m_operations(connection(), m_audit)
{
    const Options &given = this->options();
    m_request.action = actionOf(given.verb);
    m_request.family = given.family.value_or(Family::Reentrant);
    m_request.key = given.key;
    m_request.owner = given.owner;
    m_request.lease = given.lease;
    m_request.allLevels = given.all;
    m_request.expected = given.expected;
    m_request.onlyExpected = given.onlyExpected;
    if (given.grace && given.grace->count() > 0)
        m_request.grace = given.grace;
    m_nextTry.setSingleShot(true);
    connect(&m_nextTry, &QTimer::timeout, this, &ActOnLock::act);
}

void ActOnLock::run()
{
    m_waitUntil = Clock::now() + options().wait.value_or(milliseconds(0));
    if (m_request.action == Action::Acquire || options().readOnly)
        act(); // read-only is refused by the operations themselves: no look is needed for that
    else
        look(m_request.key, [this](const std::optional<Lock> &seen) { takeSeen(seen); });
}

void ActOnLock::connectionLost(const Error &why)
{
    if (!m_asked)
        fail(why);
}

void ActOnLock::takeSeen(const std::optional<Lock> &seen)
{
    m_request.seen = seen;
    if (seen && seen->family == Family::Unknown) {
        ActionReport report;
        report.action = m_request.action;
        report.key = m_request.key;
        report.outcome = Outcome::WrongType;
        report.message = Words::tr("nothing was sent").toUtf8();
        return print(report);
    }
    // Of an absent key no family is known: any script finds it gone, and the record is written.
    if (seen) {
        m_request.family = seen->family;
        takePermits(*seen);
        takeModes(*seen);
    }
    act();
}

/// A permit is raw bytes, which applications log in hex: that is what a user has.
void ActOnLock::takePermits(const Lock &seen)
{
    for (Holder &expected : m_request.expected) {
        const OwnerId id(QByteArray::fromHex(expected.owner.bytes));
        if (seen.beside->permitOf(id) && id.bytes.toHex() == expected.owner.bytes.toLower())
            expected.owner = id;
    }
}

/// A user names owners; in which way they hold the lock is as it was seen.
void ActOnLock::takeModes(const Lock &seen)
{
    QList<Holder> left = seen.holders;
    for (Holder &expected : m_request.expected) {
        const auto same = std::ranges::find(left, expected.owner, &Holder::owner);
        if (same == left.end())
            continue;
        expected.mode = same->mode;
        left.erase(same);
    }
}

void ActOnLock::act()
{
    m_asked = true;
    whenDone(listener(), m_operations.run(m_request),
             [this](const Result<ActionReport> &report) { answered(report); });
}

void ActOnLock::answered(const Result<ActionReport> &report)
{
    m_asked = false;
    if (!report)
        return fail(report.error());
    if (report->outcome == Outcome::WrongType && m_request.action == Action::Acquire)
        return explainRefusal(*report);
    const TimePoint now = Clock::now();
    if (report->outcome != Outcome::HeldByOther || m_request.action != Action::Acquire || now >= m_waitUntil)
        return print(*report);
    const milliseconds pause(QRandomGenerator::global()->bounded(shortestPauseMs, longestPauseMs + 1));
    m_nextTry.start(std::min(pause, std::chrono::ceil<milliseconds>(m_waitUntil - now)));
}

/// What stands there instead may be a lock that is not to be taken at all.
void ActOnLock::explainRefusal(ActionReport report)
{
    look(m_request.key, [this, report](const std::optional<Lock> &lock) mutable {
        const QString reason = lock ? acquireRefusal(lock->family) : QString();
        if (!reason.isEmpty())
            report.message += (report.message.isEmpty() ? "" : "; ") + reason.toUtf8();
        print(report);
    });
}

void ActOnLock::print(const ActionReport &report)
{
    if (options().json)
        console::out(jsonLine(toJson(report, m_request.owner)));
    else
        console::out(QStringLiteral("%1: %2\n").arg(printable(report.key.bytes), describe(report)));
    finish(exitStatusOf(report.outcome));
}

} // namespace lockscope
