// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/groupoutcome.h"

#include "core/model/quorum.h"

#include <algorithm>

namespace lockscope {

namespace {

using Results = QList<Result<ActionResult>>;

bool hasEndedIn(const Result<ActionResult> &result, Outcome outcome)
{
    return result && result->outcome == outcome;
}

bool hasSucceeded(const Result<ActionResult> &result)
{
    return result && succeeded(result->outcome);
}

template <typename IsSo>
int count(const Results &results, IsSo isSo)
{
    return static_cast<int>(std::ranges::count_if(results, isSo));
}

int countOf(const Results &results, Outcome outcome)
{
    return count(results, [outcome](const auto &result) { return hasEndedIn(result, outcome); });
}

/// The most frequent answer among those that match.
template <typename IsSo>
const ActionResult *maxFrequent(const Results &results, IsSo isSo)
{
    const ActionResult *best = nullptr;
    int most = 0;
    for (const Result<ActionResult> &result : results) {
        if (!result || !isSo(result->outcome))
            continue;
        if (const int times = countOf(results, result->outcome); times > most) {
            most = times;
            best = &*result;
        }
    }
    return best;
}

const Error &firstError(const Results &results)
{
    return std::ranges::find_if(results, [](const auto &result) { return !result; })->error();
}

/// The time after which fewer than a majority of the servers that did it have the lock.
std::optional<milliseconds> majorityTtl(const Results &results)
{
    QList<milliseconds> left;
    for (const Result<ActionResult> &result : results) {
        if (hasSucceeded(result) && result->ttl)
            left.append(*result->ttl);
    }
    const int majority = Quorum::majorityOf(results.size());
    if (left.size() < majority)
        return std::nullopt;
    std::ranges::sort(left, std::greater());
    return left[majority - 1];
}

ActionResult unknownResult(const ActionRequest &request, const Results &results)
{
    ActionResult unknown;
    unknown.action = request.action;
    unknown.key = request.key;
    const auto cause = std::ranges::find_if(
        results, [](const auto &result) { return hasEndedIn(result, Outcome::Unknown); });
    if (cause == results.end()) {
        unknown.cause = Error(ErrorKind::NotConnected, firstError(results));
        return unknown;
    }
    unknown.cause = (*cause)->cause;
    unknown.found = (*cause)->found;
    return unknown;
}

} // namespace

ServerResult serverResult(const QString &server, const Result<ActionResult> &result)
{
    ServerResult one;
    one.server = server;
    if (!result) {
        one.error = result.error();
        return one;
    }
    one.outcome = result->outcome;
    one.message = result->message;
    if (result->outcome == Outcome::Unknown)
        one.error = result->cause;
    one.found = result->found;
    return one;
}

Result<ActionResult> combinedResult(const ActionRequest &request, const Results &results,
                                    const QStringList &servers)
{
    const int majority = Quorum::majorityOf(results.size());
    const int unknown = countOf(results, Outcome::Unknown);
    const int errors = count(results, [](const auto &result) { return !result; });
    const int done = count(results, hasSucceeded);
    if (errors == results.size())
        return tl::unexpected(firstError(results));

    const bool grants = request.action == Action::Acquire || request.action == Action::Extend;
    const ActionResult *told = nullptr;
    if (grants && done >= majority) {
        told = maxFrequent(results, succeeded);
    } else if (grants) {
        // What did not answer may have granted it, too; of a server that was not asked that is not so.
        if (done + unknown < majority)
            told = maxFrequent(
                results, [](Outcome outcome) { return !succeeded(outcome) && outcome != Outcome::Unknown; });
    } else if (unknown + errors < majority) { // so many may have it still
        const ActionResult *refused = maxFrequent(
            results, [](Outcome outcome) { return !succeeded(outcome) && outcome != Outcome::Unknown; });
        // Where it is gone, or another's, it has ended: whose it is there was not expected.
        const bool hasEnded =
            refused && (refused->outcome == Outcome::AlreadyGone || refused->outcome == Outcome::NotHeld ||
                        (refused->outcome == Outcome::OwnerChanged && request.action == Action::ForceExpire));
        const bool isRefused =
            refused && (done == 0 || (countOf(results, refused->outcome) >= majority && !hasEnded));
        told = isRefused ? refused : maxFrequent(results, succeeded);
    }

    ActionResult combined = told ? *told : unknownResult(request, results);
    if (told && succeeded(told->outcome) && combined.ttl)
        combined.ttl = majorityTtl(results);
    const int ofOthers = countOf(results, Outcome::OwnerChanged);
    if (ofOthers > 0 && succeeded(combined.outcome))
        combined.notes.append(Phrase(
            QT_TRANSLATE_NOOP("phrases", "another owner has the lock on %1 servers; expect that owner, too"),
            ofOthers));
    for (qsizetype i = 0; i < results.size(); ++i) {
        combined.servers.append(serverResult(servers[i], results[i]));
        if (results[i] && &*results[i] != told)
            combined.notes += results[i]->notes;
    }
    return combined;
}

bool isPartial(const Result<ActionResult> &combined, const Results &results)
{
    return combined && combined->action == Action::Acquire && !succeeded(combined->outcome) &&
           std::ranges::any_of(results, [](const auto &result) {
               return hasSucceeded(result) || hasEndedIn(result, Outcome::Unknown);
           });
}

} // namespace lockscope
