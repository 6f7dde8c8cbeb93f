// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/deploymentoperations.h"

#include "core/act/groupoutcome.h"
#include "core/family/registry.h"
#include "core/redis/readyfuture.h"
#include "core/redis/whendone.h"

#include <QPromise>

#include <algorithm>

namespace lockscope {

class DeploymentOperations::GroupRun : public std::enable_shared_from_this<GroupRun>
{
public:
    GroupRun(DeploymentOperations &operations, ActionRequest request)
        : m_operations(operations), m_request(std::move(request))
    {
        m_promise.start();
        for (const Shard *shard : operations.m_deployment.shards())
            m_servers.append(shard->nodeName());
    }

    QFuture<Result<ActionResult>> start()
    {
        const TimePoint begun = Clock::now();
        runOnEach(
            m_request, [](qsizetype) { return true; },
            [self = shared_from_this(), begun](const QList<Result<ActionResult>> &results) {
                self->decide(results, Clock::now() - begun);
            });
        return m_promise.future();
    }

private:
    using Results = QList<Result<ActionResult>>;

    /// The request for one server, by the state seen there: a repeating token is recognized by its time left.
    /// If the lock was not seen there, it has none: a lock found there is a new one.
    static ActionRequest requestFor(const ActionRequest &request, qsizetype server)
    {
        ActionRequest own = request;
        if (!own.seen || !own.seen->quorum || server >= own.seen->quorum->members.size())
            return own;
        const MemberReading &reading = own.seen->quorum->members[server];
        const bool isHeld = reading.state == MemberReading::State::Held;
        const TimePoint now = Clock::now();
        own.seen->owners = reading.owners;
        // Where the servers disagree, each expects whom it names, if that one is among those given.
        const auto isElsewhere = [&](const LockOwner &expected) {
            return std::ranges::find(reading.owners, expected.owner, &LockOwner::owner) ==
                   reading.owners.end();
        };
        if (!std::ranges::all_of(own.expected, isElsewhere))
            own.expected.removeIf(isElsewhere);
        else if (own.seen->type == KeyType::String)
            own.expected = own.expected.first(std::min<qsizetype>(own.expected.size(), 1));
        own.seen->deadline = isHeld ? reading.deadline : Deadline::fromPttl(milliseconds(0), now, now);
        own.seen->ttl = own.seen->deadline ? CompactOptional(own.seen->deadline->remaining(now))
                                           : CompactOptional<milliseconds>();
        return own;
    }

    void runOnEach(const ActionRequest &request, const std::function<bool(qsizetype)> &isAsked,
                   const std::function<void(const Results &)> &then)
    {
        struct Gathered
        {
            Results results;
            qsizetype left = 0;
        };
        const auto gathered = std::make_shared<Gathered>();
        const auto servers = static_cast<qsizetype>(m_operations.m_operations.size());
        gathered->results.resize(servers, tl::unexpected(Error(ErrorKind::Canceled)));
        gathered->left = servers;
        for (qsizetype i = 0; i < servers; ++i) {
            const auto take = [gathered, i, then](const Result<ActionResult> &result) {
                gathered->results[i] = result;
                if (--gathered->left == 0)
                    then(gathered->results);
            };
            if (isAsked(i))
                whenDone(&m_operations, m_operations.m_operations[size_t(i)]->run(requestFor(request, i)),
                         take);
            else
                take(tl::unexpected(Error(ErrorKind::Canceled)));
        }
    }

    void decide(const Results &results, Clock::duration took)
    {
        Result<ActionResult> combined = combinedResult(m_request, results, m_servers);
        const bool isAcquired =
            combined && m_request.action == Action::Acquire && succeeded(combined->outcome);
        if (isAcquired) {
            // The holder may count on no more than this (Redlock: lease less the time it took and the drift of clocks).
            const milliseconds lease = m_request.lease->value();
            const auto valid = lease - std::chrono::ceil<milliseconds>(took) - Quorum::drift(lease);
            combined->ttl = std::min(valid, combined->ttl.value_or(valid));
            if (valid <= milliseconds::zero()) {
                combined->outcome = Outcome::Unknown;
                combined->cause =
                    Error(ErrorKind::InvalidArgument,
                          Phrase(QT_TRANSLATE_NOOP(
                              "phrases", "The answers came after the lease's end. Give a longer lease.")));
                return takeBack(*combined, results);
            }
        }
        if (isPartial(combined, results))
            return takeBack(*combined, results);
        finish(combined);
    }

    /// Releases an acquisition that failed, so that nobody waits for its lease. With an unknown outcome,
    /// counted holds are left: a release could end an earlier one.
    void takeBack(ActionResult failed, const Results &results)
    {
        ActionRequest release;
        release.action = Action::Release;
        release.family = m_request.family;
        release.key = m_request.key;
        release.owner = m_request.owner;
        const auto isGranted = [results](qsizetype i) {
            return results[i] && succeeded(results[i]->outcome);
        };
        const auto mayBeGranted = [results](qsizetype i) {
            return results[i] && results[i]->outcome == Outcome::Unknown;
        };
        const bool counts = specOf(m_request.family).scripts->keepsCounts;
        runOnEach(
            release, [=](qsizetype i) { return isGranted(i) || (mayBeGranted(i) && !counts); },
            [self = shared_from_this(), failed, isGranted, mayBeGranted](const Results &released) mutable {
                failed.ttl.reset();
                failed.holdCount.reset();
                int left = 0;
                int back = 0;
                for (qsizetype i = 0; i < released.size(); ++i) {
                    if (!isGranted(i) && !mayBeGranted(i))
                        continue;
                    const bool isBack =
                        released[i] && (succeeded(released[i]->outcome) ||
                                        (isGranted(i) && released[i]->outcome != Outcome::Unknown));
                    ++(isBack ? back : left);
                    failed.servers[i].isTakenBack = isBack;
                }
                if (left == 0 && failed.outcome == Outcome::Unknown) // nothing is left of it
                    return self->finish(tl::unexpected(failed.cause));
                if (back > 0)
                    failed.notes.append(Phrase(
                        QT_TRANSLATE_NOOP("phrases", "the lock was released again on %1 servers"), back));
                if (left > 0)
                    failed.notes.append(Phrase(
                        QT_TRANSLATE_NOOP("phrases", "servers that may keep it until the lease expires: %1"),
                        left));
                self->finish(failed);
            });
    }

    void finish(const Result<ActionResult> &result)
    {
        m_promise.addResult(result);
        m_promise.finish();
    }

    DeploymentOperations &m_operations;
    ActionRequest m_request;
    QStringList m_servers;
    QPromise<Result<ActionResult>> m_promise;
};

DeploymentOperations::DeploymentOperations(Deployment &deployment, AuditLog &audit, QObject *parent)
    : QObject(parent), m_deployment(deployment)
{
    const auto add = [&](Link &link) {
        LockOperations &operations =
            *m_operations.emplace_back(std::make_unique<LockOperations>(link, audit));
        operations.setParent(this); // so that it moves to another thread with us
        const int server = static_cast<int>(m_operations.size()) - 1;
        connect(&operations, &LockOperations::underway, this,
                [this, server](const LockKey &key) { emit underway(key, server); });
        connect(&operations, &LockOperations::touched, this,
                [this, server](const LockKey &key) { emit touched(key, server); });
        connect(&operations, &LockOperations::ended, this,
                [this, server](const LockKey &key, const QList<LockOwner> &owners) {
                    emit ended(key, owners, server);
                });
    };
    if (!deployment.isGroup())
        add(deployment.link());
    for (Shard *shard : deployment.isGroup() ? deployment.shards() : QList<Shard *>())
        add(*shard);
}

DeploymentOperations::~DeploymentOperations() = default;

QFuture<Result<ActionResult>> DeploymentOperations::run(const ActionRequest &request)
{
    if (!m_deployment.link().isReadOnly()) { // what may not be sent at all needs no consent
        if (const std::optional<Error> refusal = m_guard.refusal(request))
            return readyFuture(Result<ActionResult>(tl::unexpected(*refusal)));
    }
    if (!m_deployment.isGroup())
        return m_operations.front()->run(request);
    const QList<Shard *> &shards = m_deployment.shards();
    const auto ready = std::ranges::count(shards, Link::State::Ready, &Shard::state);
    // Without a majority nothing can be acquired, and what is tried would only keep others out.
    if (request.action == Action::Acquire && ready < Quorum::majorityOf(shards.size()))
        return readyFuture(Result<ActionResult>(
            failedWith(ErrorKind::NotConnected,
                       QT_TRANSLATE_NOOP("phrases", "%1 of %2 servers are available, and %3 are needed"),
                       ready, shards.size(), Quorum::majorityOf(shards.size()))));
    return std::make_shared<GroupRun>(*this, request)->start();
}

} // namespace lockscope
