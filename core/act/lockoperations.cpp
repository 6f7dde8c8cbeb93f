// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/lockoperations.h"

#include "core/act/actionnames.h"
#include "core/act/auditrecord.h"
#include "core/act/keyrecheck.h"
#include "core/act/scriptcall.h"
#include "core/base/ascii.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/registry.h"
#include "core/read/companions.h"
#include "core/read/serverwrites.h"
#include "core/redis/readyfuture.h"
#include "core/redis/scripterror.h"
#include "core/redis/whendone.h"
#include "core/state/orphans.h"

#include <QPromise>
#include <QTimer>

#include <algorithm>
#include <memory>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto lookPatience = 5s;

/// True if scripts can return this hold count with the outcome; -1: none.
bool canHaveHolds(Outcome outcome, qint64 holds)
{
    switch (outcome) {
    case Outcome::Acquired:
        return holds == 1;
    case Outcome::Reentered:
        return holds > 1;
    case Outcome::Released:
        return holds == 0;
    case Outcome::Unwound:
    case Outcome::Extended:
        return holds > 0;
    default:
        return holds >= -1;
    }
}

/// Reads {outcome, holds, pttl[, message]} of a script with named answers; a handoff lock's also has the
/// fencing token. Absent: not an answer to this action.
std::optional<ActionResult> interpret(const ActionRequest &request, const Reply &reply)
{
    const auto &parts = reply.elements;
    if (!reply.isArray() || parts.size() < 3 || parts.size() > 5 || !parts[0].isText() ||
        !parts[1].isInteger() || !parts[2].isInteger() || (parts.size() > 3 && !parts[3].isText()) ||
        (parts.size() > 4 && !parts[4].isInteger()))
        return std::nullopt;
    const std::optional<Outcome> outcome = outcomeName.valueOf(parts[0].text);
    constexpr qint64 absent = -2; // as PTTL says it
    if (!outcome || !canEndIn(request.action, *outcome) || !canHaveHolds(*outcome, parts[1].integer) ||
        parts[2].integer < absent)
        return std::nullopt;
    ActionResult report;
    report.action = request.action;
    report.key = request.key;
    report.outcome = *outcome;
    if (parts[1].integer >= 0)
        report.holdCount = parts[1].integer;
    if (parts[2].integer >= 0)
        report.ttl = milliseconds(parts[2].integer);
    if (parts.size() > 3)
        report.message = parts[3].text;
    return report;
}

/// True for an error reply with a first word in capitals. Otherwise it is part of another reply, and the
/// stream is out of step.
bool isWellFormed(const Error &error)
{
    const qsizetype end = error.detail.indexOf(' ');
    return end > 1 && std::ranges::all_of(error.detail.first(end), isUpperLetter);
}

/// True if the request names this as an owner, whatever it looks like.
bool names(const ActionRequest &asked, const OwnerId &owner)
{
    const auto isOwner = [&](const LockOwner &holder) { return holder.owner == owner; };
    return asked.owner == owner || std::ranges::any_of(asked.expected, isOwner) ||
           (asked.seen && std::ranges::any_of(asked.seen->owners, isOwner));
}

} // namespace

/// One action from its audit record to its outcome; lives until its future has finished.
class LockOperations::Run : public std::enable_shared_from_this<Run>
{
public:
    Run(LockOperations &operations, ActionRequest request)
        : m_operations(operations), m_request(std::move(request))
    {
        m_promise.start();
    }

    QFuture<Result<ActionResult>> start()
    {
        if (!m_request.orphanSince)
            return begin();
        whenDone(&m_operations,
                 readServerWrites(m_operations.m_connection, {m_request.seen.value_or(Lock())}),
                 [self = shared_from_this()](const Result<ServerWrites> &writes) {
                     if (!writes || writes->refusal) // is read again, and refused, once there is a record
                         return static_cast<void>(self->begin());
                     self->m_writes = *writes;
                     self->beginAfter(std::max(*self->m_request.orphanSince, self->unrefusedSince()));
                 });
        return m_promise.future();
    }

private:
    /// Since when the servers are known to have refused no write.
    TimePoint unrefusedSince() const
    {
        TimePoint latest{};
        for (const auto &[server, refusals] : m_writes.refusals.asKeyValueRange()) {
            auto &known = m_operations.m_unrefused[server];
            if (known.second == TimePoint() || known.first != refusals)
                known = {refusals, Clock::now()};
            latest = std::max(latest, known.second);
        }
        return latest;
    }

    void beginAfter(TimePoint since)
    {
        const auto wait = since + orphanPatience(m_request.family) - Clock::now();
        QTimer::singleShot(std::chrono::ceil<milliseconds>(std::max(wait, Clock::duration::zero())),
                           Qt::PreciseTimer, &m_operations, [self = shared_from_this()] { self->begin(); });
    }

    QFuture<Result<ActionResult>> begin()
    {
        Link &connection = link();
        const Result<QByteArray> id = m_operations.m_audit.begin(sentRecord(m_request, connection));
        if (!id) {
            m_promise.addResult(Result<ActionResult>(tl::unexpected(id.error())));
            m_promise.finish();
            return m_promise.future();
        }
        m_id = *id;
        emit m_operations.underway(m_request.key);
        // The script asks its own node alone.
        if (m_request.action == Action::RemoveWaiter && connection.server().countsAllNodes)
            countListeners();
        else if (m_request.orphanSince)
            recheckHolders();
        else
            send(false);
        return m_promise.future();
    }

    void send(bool isHeardNowhere)
    {
        const ScriptCall call = scriptCall(m_request, link().server(), isHeardNowhere);
        whenDone(&m_operations, call.script->run(link(), call.keys, call.arguments),
                 [self = shared_from_this()](const Result<Reply> &reply) { self->answered(reply); });
    }

    /// Reads the heartbeats again. A failed reading is no unknown outcome: nothing was sent.
    void recheckHolders()
    {
        const auto fail = [self = shared_from_this()](const Error &why) { self->failUnsent(why); };
        whenDone(&m_operations, inspector::inspect(link(), m_request.key),
                 [self = shared_from_this(), fail](const Result<Inspection> &read) {
                     if (!read)
                         return fail(read.error());
                     if (!read->lock) // the script tells that it is gone
                         return self->send(false);
                     whenDone(&self->m_operations,
                              companions::inspect(self->m_operations.m_connection, {*read->lock}),
                              [self, fail](const Result<companions::Seen> &seen) {
                                  seen ? self->checkWrites(seen->locks.first()) : fail(seen.error());
                              });
                 });
    }

    void failUnsent(const Error &why)
    {
        finish(tl::unexpected(why.kind == ErrorKind::OutcomeUnknown ? Error(ErrorKind::NotConnected, why)
                                                                    : why));
    }

    /// A server that refuses heartbeats, for lack of memory, replicas or disk, may still end a lock.
    void checkWrites(const Lock &lock)
    {
        whenDone(&m_operations,
                 readServerWrites(m_operations.m_connection, {m_request.seen.value_or(Lock())}),
                 [self = shared_from_this(), lock](const Result<ServerWrites> &writes) {
                     if (!writes)
                         return self->failUnsent(writes.error());
                     if (writes->refusal)
                         return self->failUnsent(Error(*writes->refusal));
                     self->takeHolders(lock, *writes);
                 });
    }

    void takeHolders(const Lock &lock, const ServerWrites &writes)
    {
        const auto apart = std::chrono::floor<milliseconds>(Clock::now() - *m_request.orphanSince);
        const OrphanFinding found = orphanFinding(
            m_request.seen.value_or(Lock()), lock, apart,
            {writes.mayEvict, link().server().isReplica(), !writes.areUnrefusedSince(m_writes)});
        const auto isGone = [&found](const LockOwner &owner) { return isAmong(found.expected, owner); };
        if (found.verdict == OrphanFinding::Verdict::Orphan &&
            std::ranges::all_of(m_request.expected, isGone))
            return send(false);
        ActionResult report;
        report.action = m_request.action;
        report.key = m_request.key;
        report.outcome = Outcome::EvidenceChanged;
        finish(report);
    }

    /// Counts the waiter's subscribers on every node. If one cannot be counted, the script answers unknown.
    void countListeners()
    {
        const QByteArray channel = waiterChannel(m_request.family, m_request.key, m_request.owner);
        CommandBatch counts;
        counts.add({"PUBSUB", "NUMSUB", channel});
        if (link().server().major >= 7)
            counts.add({"PUBSUB", "SHARDNUMSUB", channel});
        whenDone(&m_operations, link().send(counts),
                 [self = shared_from_this()](const Result<std::vector<Reply>> &replies) {
                     const auto isNobody = [](const Reply &reply) {
                         return reply.elements.size() == 2 && reply.elements[1].isInteger() &&
                                reply.elements[1].integer == 0;
                     };
                     self->send(replies && std::ranges::all_of(*replies, isNobody));
                 });
    }

    Link &link() { return m_operations.m_connection.forKey(m_request.key.bytes); }

    void answered(const Result<Reply> &reply)
    {
        Link &connection = link();
        if (!reply && provesNothingWasDone(reply.error()))
            return finish(tl::unexpected(reply.error()));
        if (!reply) {
            if (reply.error().kind != ErrorKind::OutcomeUnknown && !isWellFormed(reply.error()))
                connection.distrust(
                    Phrase(QT_TRANSLATE_NOOP("phrases", "the server sent an unexpected reply")));
            const bool isOurEnd = connection.state() == Connection::State::Closed &&
                                  connection.lastError().kind == ErrorKind::Canceled;
            return lookAfter(isOurEnd ? Error(ErrorKind::Canceled) : reply.error());
        }
        if (std::optional<ActionResult> report = interpret(m_request, *reply)) {
            const bool isPossible = m_request.seen && isComparable(*m_request.seen);
            if (isPossible) // what is compared as holds counts none
                report->holdCount.reset();
            if (isPossible && succeeded(report->outcome))
                report->notes.append(Phrase(QT_TRANSLATE_NOOP(
                    "phrases", "Whether this was a lock is unknown; its content was unchanged.")));
            return finish(*report);
        }
        // What follows such an answer can't be trusted either, the look least of all.
        connection.distrust(Phrase(QT_TRANSLATE_NOOP("phrases", "the server sent an unexpected reply")));
        lookAfter({ErrorKind::UnexpectedReply});
    }

    /// Rechecks the key after an unknown outcome; nothing is sent again.
    void lookAfter(const Error &why)
    {
        ActionResult report;
        report.action = m_request.action;
        report.key = m_request.key;
        report.cause = why;
        report.message = why.detail;
        whenDone(&m_operations, KeyRecheck::start(link(), m_request.key, lookPatience),
                 [self = shared_from_this(), report](const Result<Inspection> &look) mutable {
                     report.found = Found::from(look, self->m_request);
                     self->finish(report);
                 });
    }

    void finish(Result<ActionResult> report)
    {
        const Result<void> recorded = m_operations.m_audit.complete(m_id, completedRecord(report));
        // The action has happened: a record that can't be completed must not hide how it ended.
        if (!recorded && report)
            report->notes.append(
                Phrase(QT_TRANSLATE_NOOP("phrases", "the outcome is not in the audit log: %1"),
                       recorded.error().because()));
        const bool hasEnded = report && report->action == Action::ForceExpire &&
                              report->outcome == Outcome::Expired &&
                              m_request.grace.value_or(milliseconds(0)) == milliseconds(0);
        if (hasEnded)
            emit m_operations.ended(m_request.key, m_request.expected);
        emit m_operations.touched(m_request.key);
        m_promise.addResult(std::move(report));
        m_promise.finish();
    }

    LockOperations &m_operations;
    ActionRequest m_request;
    QByteArray m_id;
    ServerWrites m_writes; ///< before the wait for an orphan's end
    QPromise<Result<ActionResult>> m_promise;
};

Found Found::from(const Result<Inspection> &look, const ActionRequest &asked)
{
    if (!look) {
        const ErrorKind kind = look.error().kind;
        const bool isAnswer = kind >= ErrorKind::AuthRequired && kind <= ErrorKind::UnexpectedReply;
        return {isAnswer ? State::Unreadable : State::Unreachable, {}, look.error()};
    }
    if (!look->lock) // a key that belongs to another lock is there, and none itself
        return {look->attachedTo.isEmpty() ? State::Absent : State::Unreadable, {}, {}, look->attachedTo};
    Found found{look->lock->owners.isEmpty() ? State::Unreadable : State::Held, look->lock, {}};
    const auto isNamed = [&](const LockOwner &holder) { return names(asked, holder.owner); };
    if (isNoLock(*found.lock) && std::ranges::none_of(found.lock->owners, isNamed)) {
        found.state = State::Unreadable;
        found.looksLikeNoLock = true;
        found.lock->owners.clear(); // a value that says "unlocked" is no owner
    }
    if (asked.action == Action::ForceExpire)
        found.expected = asked.expected;
    return found;
}

bool canEndIn(Action action, Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
    case Outcome::Reentered:
        return action == Action::Acquire;
    case Outcome::HeldByOther:
        return action == Action::Acquire || action == Action::Release || action == Action::Extend ||
               action == Action::Wake;
    case Outcome::Released:
    case Outcome::Unwound:
        return action == Action::Release;
    case Outcome::NotHeld:
        return action == Action::Release || action == Action::Extend;
    case Outcome::Extended:
        return action == Action::Extend;
    case Outcome::Expired:
    case Outcome::AlreadyGone:
    case Outcome::OwnerChanged:
    case Outcome::HoldsChanged:
    case Outcome::LeaseChanged:
        return action == Action::ForceExpire;
    case Outcome::BadCount:
        return action == Action::Acquire || action == Action::Release || action == Action::Extend;
    case Outcome::WrongType:
        return true;
    case Outcome::Removed:
    case Outcome::StillListens:
        return action == Action::RemoveWaiter;
    case Outcome::NotWaiting:
    case Outcome::NotHeard:
        return isForWaiters(action);
    case Outcome::Woken:
        return action == Action::Wake;
    case Outcome::Renewed:
    case Outcome::EvidenceChanged:
    case Outcome::Unknown:
        break;
    }
    return false;
}

bool succeeded(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
    case Outcome::Reentered:
    case Outcome::Released:
    case Outcome::Unwound:
    case Outcome::Extended:
    case Outcome::Expired:
    case Outcome::Removed:
    case Outcome::Woken:
        return true;
    default:
        return false;
    }
}

namespace {

/// The family of readers and writers in a hash of an unproven family: it is stored like theirs.
Family familyStoredAs(const ActionRequest &request)
{
    const auto hasMode = [](const LockOwner &holder) { return holder.mode != HoldMode::Exclusive; };
    if (request.family != countedHash() || std::ranges::none_of(request.expected, hasMode))
        return request.family;
    for (const Family family : familiesWith<&FamilySpec::matchOwners>()) {
        const FamilySpec &spec = specOf(family);
        if (spec.scripts->writesMode && spec.matchOwners({request.key.bytes, request.expected, {}}))
            return family;
    }
    return request.family;
}

} // namespace

LockOperations::LockOperations(Link &connection, AuditLog &audit, QObject *parent)
    : QObject(parent), m_connection(connection), m_audit(audit)
{
}

QFuture<Result<ActionResult>> LockOperations::run(ActionRequest request)
{
    const auto refuse = [](const Error &why) {
        return readyFuture(Result<ActionResult>(tl::unexpected(why)));
    };
    if (m_connection.isReadOnly())
        return refuse({ErrorKind::ReadOnlyMode, Phrase(QT_TRANSLATE_NOOP("phrases", "read-only mode"))});
    request.family = familyStoredAs(request);
    if (const std::optional<Phrase> reason = validationError(request))
        return refuse({ErrorKind::InvalidArgument, *reason});
    if (const Link &link = m_connection.forKey(request.key.bytes); link.state() != Link::State::Ready)
        return refuse({ErrorKind::NotConnected, link.lastError()});
    return std::make_shared<Run>(*this, std::move(request))->start();
}

} // namespace lockscope
