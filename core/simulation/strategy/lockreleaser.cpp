// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/lockreleaser.h"

#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/workerconnections.h"

#include <array>
#include <utility>

namespace lockscope {

namespace {

using Verdict = ReleaseResult::Verdict;

Result<ReleaseResult> deleteKey(const StrategyContext &context)
{
    const Result<Reply> deleted = context.links.commands().send({"DEL", context.key.bytes});
    if (!deleted)
        return tl::unexpected(deleted.error());
    return ReleaseResult{.verdict = Verdict::Released, .deleted = deleted->integer == 1};
}

class UncheckedDelete : public LockReleaser
{
public:
    explicit UncheckedDelete(const StrategyContext &context) : m_context(context) {}

    Result<ReleaseResult> release(const QByteArray &) override { return deleteKey(m_context); }

private:
    StrategyContext m_context;
};

class CheckThenDelete : public LockReleaser
{
public:
    explicit CheckThenDelete(const StrategyContext &context) : m_context(context) {}

    Result<ReleaseResult> release(const QByteArray &token) override
    {
        const Result<Reply> stored = m_context.links.commands().send({"GET", m_context.key.bytes});
        if (!stored)
            return tl::unexpected(stored.error());
        if (!stored->isText() || stored->text != token)
            return ReleaseResult{};
        if (!m_context.faultHook.pass(FaultHook::Moment::BeforeDelete))
            return ReleaseResult{.verdict = Verdict::Died};
        return deleteKey(m_context);
    }

private:
    StrategyContext m_context;
};

class CompareAndDelete : public LockReleaser
{
public:
    CompareAndDelete(const StrategyContext &context, bool goneIsDone)
        : m_context(context), m_goneIsDone(goneIsDone)
    {
    }

    Result<ReleaseResult> release(const QByteArray &token) override
    {
        static const Script script("token/release.lua");
        const std::array<QByteArrayView, 1> keys{m_context.key.bytes};
        const std::array<QByteArrayView, 3> arguments{token, m_goneIsDone ? "done" : "deleted", "named"};
        const Result<ScriptReply> answer =
            answerFrom(script.run(m_context.links.commands(), keys, arguments));
        if (!answer)
            return tl::unexpected(answer.error());
        if (answer->outcome == "released")
            return ReleaseResult{.verdict = Verdict::Released, .deleted = true};
        if (m_goneIsDone && answer->outcome == "not-held")
            return ReleaseResult{.verdict = Verdict::Released};
        return ReleaseResult{};
    }

private:
    StrategyContext m_context;
    bool m_goneIsDone;
};

class WatchedTransaction : public LockReleaser
{
public:
    explicit WatchedTransaction(const StrategyContext &context) : m_context(context) {}

    Result<ReleaseResult> release(const QByteArray &token) override
    {
        BlockingConnection &connection = m_context.links.commands();
        const QByteArray &key = m_context.key.bytes;
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
        if (!m_context.faultHook.pass(FaultHook::Moment::BeforeDelete))
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

private:
    StrategyContext m_context;
};

} // namespace

std::unique_ptr<LockReleaser> makeReleaser(ReleaseMethod form, const StrategyContext &context)
{
    switch (form) {
    case ReleaseMethod::Usual:
        break;
    case ReleaseMethod::CheckThenDelete:
        return std::make_unique<CheckThenDelete>(context);
    case ReleaseMethod::CompareAndDelete:
        return std::make_unique<CompareAndDelete>(context, false);
    case ReleaseMethod::CompareAndDeleteDone:
        return std::make_unique<CompareAndDelete>(context, true);
    case ReleaseMethod::WatchedTransaction:
        return std::make_unique<WatchedTransaction>(context);
    case ReleaseMethod::UncheckedDelete:
        return std::make_unique<UncheckedDelete>(context);
    }
    return nullptr;
}

} // namespace lockscope
