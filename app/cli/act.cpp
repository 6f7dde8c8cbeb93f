// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/words.h"
#include "core/act/acquirerefusal.h"
#include "core/act/deploymentoperations.h"
#include "core/act/scriptcall.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/journal/auditlog.h"
#include "core/read/companions.h"
#include "core/redis/whendone.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"

#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>

namespace lockscope {

namespace {

// Contenders that wait must not come in step.
constexpr int shortestPauseMs = 50;
constexpr int longestPauseMs = 100;
constexpr milliseconds betweenGraceLooks(1000); // at a lock whose grace period runs
constexpr milliseconds clocksDiffer(200);       // ours and the server's

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
    case Verb::Wake:
        return Action::Wake;
    default:
        return Action::Acquire;
    }
}

ExitStatus exitStatusOf(const ActionResult &report)
{
    // What was done on a majority is done; a server that did not answer leaves it incomplete.
    const bool ends = report.action != Action::Acquire && report.action != Action::Extend;
    const bool isIncomplete = ends && succeeded(report.outcome) &&
                              std::ranges::any_of(report.servers, [](const ServerResult &server) {
                                  return server.error.has_value();
                              });
    if (report.outcome == Outcome::Unknown || isIncomplete)
        return ExitStatus::Unavailable;
    return succeeded(report.outcome) ? ExitStatus::Done : ExitStatus::Rejected;
}

/// Returns the family whose script to use. A value that is no recognized lock may still be the token of the
/// user's lock, which can then be released or extended.
Family familyToAct(const Lock &seen, Action action)
{
    const bool isByOwner = action == Action::Release || action == Action::Extend;
    return isByOwner && isNoLock(seen) && seen.type == KeyType::String ? plainToken() : seen.family;
}

QString notActedOn(const Lock &seen, Action action)
{
    if (isPossible(seen) && action != Action::ForceExpire)
        return Words::tr("nothing was sent: possibly no lock; use --family to act");
    return Words::tr("nothing was sent: not a recognized lock");
}

class LockActionCommand : public KeyCommand
{
public:
    explicit LockActionCommand(Options options)
        : KeyCommand(std::move(options)), m_operations(deployment(), m_audit)
    {
        const Options &given = this->options();
        m_request.action = actionOf(given.verb);
        m_request.family = given.family.value_or(countedHash());
        m_request.key = given.key;
        m_request.owner = given.owner;
        m_request.lease = given.lease;
        m_request.allLevels = given.all;
        m_request.expected = given.expected;
        m_request.onlyExpected = given.onlyExpected;
        // Whoever types a command has agreed to it, if not to where it goes.
        m_request.consent = {given.confirmedName.isEmpty() ? Consent::Confirmed : Consent::Named,
                             ActionGuard::nameOf(LockKey(given.confirmedName))};
        m_operations.setGuard(ActionGuard(environmentOf(given)));
        if (given.grace && given.grace->count() > 0)
            m_request.grace = given.grace;
        m_nextTry.setSingleShot(true);
        connect(&m_nextTry, &QTimer::timeout, this, &LockActionCommand::act);
    }

private:
    void run() override
    {
        m_waitUntil = Clock::now() + options().wait.value_or(milliseconds(0));
        if (m_request.action == Action::Acquire || options().readOnly)
            act(); // read-only is refused by the operations themselves: no look is needed for that
        else
            look(m_request.key, [this](const LookedAt &seen) { takeLook(seen); });
    }

    void connectionLost(const Error &why) override
    {
        if (!m_asked)
            fail(why);
    }

    /// An answer of the script stays valid if a later reading or try fails.
    void fail(const Error &why) override
    {
        if (!m_answer || isFinished())
            return KeyCommand::fail(why);
        console::printError(describe(why, serverName()));
        print(*m_answer);
    }

    /// Without a pending request, prints what is known. Otherwise closing the connection makes the outcome
    /// unknown, and records it.
    void interrupted() override
    {
        if (m_asked) {
            console::printError(Words::tr("interrupted before the reply: check %1 with get before retrying")
                                    .arg(printable(m_request.key.bytes)));
            return deployment().close();
        }
        if (m_answer)
            return print(*m_answer);
        console::printError(Words::tr("interrupted: nothing was sent"));
        finish(ExitStatus::Unavailable);
    }

    /// The request depends on the lock, whose kind may depend on companion data.
    void takeLook(const LookedAt &seen)
    {
        if (!seen.lock || !companions::decidesHowToAct(*seen.lock) || seen.missing.isEmpty())
            return takeSeen(seen.lock);
        warnOfUnread(seen);
        console::printError(Words::tr("nothing was sent"));
        fail(Error{ErrorKind::NoPermission, seen.missing.first().said});
    }

    void takeSeen(const std::optional<Lock> &seen)
    {
        m_request.seen = seen;
        ActionResult unsent;
        unsent.action = m_request.action;
        unsent.key = m_request.key;
        unsent.message = Words::tr("nothing was sent").toUtf8();
        // Of an absent key no family is known: any script finds it gone, and the record is written.
        if (seen) {
            m_request.family = isNoLock(*seen) && options().family ? *options().family
                                                                   : familyToAct(*seen, m_request.action);
            const bool isCompared = m_request.action == Action::ForceExpire && isComparable(*seen);
            if (m_request.family.isUnknown() && !isCompared) {
                unsent.outcome = Outcome::WrongType;
                unsent.message = notActedOn(*seen, m_request.action).toUtf8();
                return print(unsent);
            }
            takeBytes(*seen);
            takeHolds(*seen);
            if (const std::optional<Outcome> mismatch = mismatchOf(m_request)) {
                unsent.outcome = *mismatch;
                return print(unsent);
            }
        } else if (isForWaiters(m_request.action) && !options().family && !deployment().isGroup()) {
            return lookForQueue();
        }
        act();
    }

    /// Looks for the queue of a lock that is gone, to find its family. Without one, any script finds nothing.
    void lookForQueue()
    {
        CommandBatch batch;
        QList<Family> families;
        for (const Family family : allFamilies()) {
            const FamilySpec &spec = specOf(family);
            if (!spec.companions.queue || !scriptFile(*spec.scripts, m_request.action).path)
                continue;
            families.append(family);
            batch.add({"EXISTS", spec.companions.queue(m_request.key)});
        }
        whenDone(listener(), deployment().link().forKey(m_request.key.bytes).send(batch),
                 [this, families](const Result<std::vector<Reply>> &replies) {
                     if (!replies)
                         return fail(replies.error());
                     qsizetype at = 0;
                     while (at + 1 < families.size() && !isThere((*replies)[static_cast<size_t>(at)]))
                         ++at;
                     m_request.family = families[at];
                     act();
                 });
    }

    /// Decodes owner IDs of raw bytes, which users know in hex from logs.
    void takeBytes(const Lock &seen)
    {
        const auto take = [&seen](OwnerId &owner) {
            const OwnerId id(QByteArray::fromHex(owner.bytes));
            const bool isOne = std::ranges::find(seen.owners, id, &LockOwner::owner) != seen.owners.end();
            if (isOne && id.bytes.toHex() == owner.bytes.toLower())
                owner = id;
        };
        take(m_request.owner);
        for (LockOwner &expected : m_request.expected)
            take(expected.owner);
    }

    /// Users name owners and maybe hold counts; the mode comes from the lock. An owner with two modes is
    /// listed twice.
    void takeHolds(const Lock &seen)
    {
        QList<LockOwner> left = seen.owners;
        for (LockOwner &expected : m_request.expected) {
            const auto isSame = [&](const LockOwner &holder) { return holder.owner == expected.owner; };
            const auto isAlike = [&](const LockOwner &holder) {
                return isSame(holder) && holder.holdCount == expected.holdCount;
            };
            auto same = std::ranges::find_if(left, isAlike);
            if (same == left.end())
                same = std::ranges::find_if(left, isSame);
            if (same == left.end())
                continue;
            expected.mode = same->mode;
            // All of what is stored is compared, of records as well.
            const bool isCompared = isPossible(seen) || specOf(seen.family).forms;
            if (isCompared && expected.rawHoldCount.isEmpty())
                expected.rawHoldCount = same->rawHoldCount;
            left.erase(same);
        }
    }

    void act()
    {
        m_asked = true;
        whenDone(listener(), m_operations.run(m_request),
                 [this](const Result<ActionResult> &report) { answered(report); });
    }

    void answered(const Result<ActionResult> &report)
    {
        m_asked = false;
        if (!report && report.error().kind == ErrorKind::NotAgreed)
            return finishWithout(ExitStatus::RefusedByReadOnly,
                                 Words::tr("Nothing was sent: production actions need --confirm KEY."));
        if (!report)
            return fail(report.error());
        m_answer = *report;
        if (report->outcome == Outcome::Expired && m_request.grace) {
            m_graceEnd = Clock::now() + *m_request.grace;
            return watchGrace();
        }
        if (report->outcome == Outcome::WrongType && m_request.action == Action::Acquire)
            return explainRefusal(*report);
        const TimePoint now = Clock::now();
        if (report->outcome != Outcome::HeldByOther || m_request.action != Action::Acquire ||
            now >= m_waitUntil)
            return print(*report);
        const milliseconds pause(QRandomGenerator::global()->bounded(shortestPauseMs, longestPauseMs + 1));
        m_nextTry.start(std::min(pause, std::chrono::ceil<milliseconds>(m_waitUntil - now)));
    }

    /// A renewal undoes a grace period: reads the lock until the period has ended.
    void watchGrace()
    {
        const auto left = std::chrono::ceil<milliseconds>(m_graceEnd - Clock::now());
        if (left.count() <= 0)
            return printEnded();
        console::progress(Words::tr("%1 until the lock expires", "a time").arg(describe(left)));
        QTimer::singleShot(std::min(left, betweenGraceLooks), Qt::PreciseTimer, this, [this] {
            look(m_request.key, [this](const LookedAt &seen) {
                const auto isExpected = [this](const LockOwner &holder) {
                    return std::ranges::find(m_request.expected, holder.owner, &LockOwner::owner) !=
                           m_request.expected.end();
                };
                if (!seen.lock || std::ranges::none_of(seen.lock->owners, isExpected))
                    return printEnded();
                if (seen.lock->deadline && seen.lock->deadline->earliest <= m_graceEnd + clocksDiffer)
                    return watchGrace();
                m_answer->outcome = Outcome::Renewed;
                m_answer->ttl = seen.lock->ttl;
                print(*m_answer);
            });
        });
    }

    void printEnded()
    {
        m_answer->ttl.reset();
        print(*m_answer);
    }

    /// Explains a rejection: the key may hold a lock that cannot be acquired.
    void explainRefusal(ActionResult report)
    {
        look(m_request.key, [this, report](const LookedAt &seen) mutable {
            const Phrase reason = seen.lock ? acquireRefusal(seen.lock->family) : Phrase();
            if (!reason.isEmpty())
                report.notes.append(reason);
            print(report);
        });
    }

    void print(const ActionResult &report)
    {
        const QString inWords = QStringLiteral("%1: %2").arg(printable(report.key.bytes), describe(report));
        QStringList lines{inWords};
        for (const ServerResult &server : report.servers)
            lines.append(QStringLiteral("  ") + describe(server));
        const QByteArray text =
            options().json ? jsonLine(toJson(report, m_request.owner)) : (lines.join(u'\n') + u'\n').toUtf8();
        if (isFinished())
            return;
        const ExitStatus status = deliver(text, exitStatusOf(report));
        if (status == ExitStatus::NotWritten) // it has happened, and can't be asked for again
            console::printError(inWords);
        console::progress({});
        finish(status);
    }

    AuditLog m_audit;
    DeploymentOperations m_operations;
    ActionRequest m_request;
    TimePoint m_waitUntil;
    TimePoint m_graceEnd;
    QTimer m_nextTry;
    bool m_asked = false;                 ///< an answer or an error will arrive
    std::optional<ActionResult> m_answer; ///< last answer
};

} // namespace

std::unique_ptr<Command> lockActionCommand(const Options &options)
{
    return std::make_unique<LockActionCommand>(options);
}

} // namespace lockscope
