// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategy.h"

#include <utility>

namespace lockscope {

namespace {

using Verdict = ReleaseResult::Verdict;

Result<ReleaseResult> deleteKey(const StrategyContext &context, const QByteArray & /*token*/)
{
    return context.links.commands().send({"DEL", context.key.bytes}).map([](const Reply &deleted) {
        return ReleaseResult{.verdict = Verdict::Released, .deleted = deleted.integer == 1};
    });
}

Result<ReleaseResult> checkThenDelete(const StrategyContext &context, const QByteArray &token)
{
    const Result<Reply> stored = context.links.commands().send({"GET", context.key.bytes});
    if (!stored)
        return tl::unexpected(stored.error());
    if (!stored->isText() || stored->text != token)
        return ReleaseResult{};
    if (!context.faultHook.pass(FaultHook::Moment::BeforeDelete))
        return ReleaseResult{.verdict = Verdict::Died};
    return deleteKey(context, token);
}

template <bool goneIsDone>
Result<ReleaseResult> compareAndDelete(const StrategyContext &context, const QByteArray &token)
{
    static const Script script("token/release.lua");
    const Result<ScriptReply> answer = answerFrom(script.run(
        context.links.commands(), {context.key.bytes}, {token, goneIsDone ? "done" : "deleted", "named"}));
    if (!answer)
        return tl::unexpected(answer.error());
    if (answer->outcome == "released")
        return ReleaseResult{.verdict = Verdict::Released, .deleted = true};
    if (goneIsDone && answer->outcome == "not-held")
        return ReleaseResult{.verdict = Verdict::Released};
    return ReleaseResult{};
}

Result<ReleaseResult> watchedTransaction(const StrategyContext &context, const QByteArray &token)
{
    BlockingConnection &connection = context.links.commands();
    const QByteArray &key = context.key.bytes;
    if (const Result<Reply> watched = connection.send({"WATCH", key}); !watched)
        return tl::unexpected(watched.error());
    const Result<Reply> stored = connection.send({"GET", key});
    if (!stored || !stored->isText() || stored->text != token) {
        // A watch left behind would fail the next transaction.
        const Result<Reply> unwatched = connection.send({"UNWATCH"});
        if (!stored || !unwatched)
            return tl::unexpected(stored ? unwatched.error() : stored.error());
        return ReleaseResult{};
    }
    if (!context.faultHook.pass(FaultHook::Moment::BeforeDelete))
        return ReleaseResult{.verdict = Verdict::Died};
    CommandBatch transaction{"MULTI"};
    transaction.add({"DEL", key});
    transaction.add({"EXEC"});
    Result<std::vector<Reply>> replies = connection.send(transaction);
    if (!replies)
        return tl::unexpected(std::move(replies.error()));
    const Reply &executed = replies->back();
    if (executed.isError())
        return tl::unexpected(serverError(executed.text));
    const bool deleted = executed.elements.size() == 1 && executed.elements[0].integer == 1;
    return ReleaseResult{.verdict = deleted ? Verdict::Released : Verdict::NotHeld,
                         .deleted = deleted,
                         .execRefused = executed.isNil()};
}

} // namespace

LockReleaser releaserOf(ReleaseMethod form)
{
    switch (form) {
    case ReleaseMethod::Usual:
        break;
    case ReleaseMethod::CheckThenDelete:
        return checkThenDelete;
    case ReleaseMethod::CompareAndDelete:
        return compareAndDelete<false>;
    case ReleaseMethod::CompareAndDeleteDone:
        return compareAndDelete<true>;
    case ReleaseMethod::WatchedTransaction:
        return watchedTransaction;
    case ReleaseMethod::UncheckedDelete:
        return deleteKey;
    }
    return nullptr;
}

} // namespace lockscope
