// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/lockreleaser.h"

#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/workerconnections.h"

#include <array>
#include <utility>

namespace lockscope {

namespace {

using Verdict = Returned::Verdict;

Result<Returned> deleteKey(const Hands &hands)
{
    const Result<Reply> deleted = hands.links.commands().send({"DEL", hands.key.bytes});
    if (!deleted)
        return tl::unexpected(deleted.error());
    return Returned{.verdict = Verdict::Released, .deleted = deleted->integer == 1};
}

class UncheckedDelete : public Releasing
{
public:
    explicit UncheckedDelete(const Hands &hands) : m_hands(hands) {}

    Result<Returned> release(const QByteArray &) override { return deleteKey(m_hands); }

private:
    Hands m_hands;
};

class CheckThenDelete : public Releasing
{
public:
    explicit CheckThenDelete(const Hands &hands) : m_hands(hands) {}

    Result<Returned> release(const QByteArray &token) override
    {
        const Result<Reply> stored = m_hands.links.commands().send({"GET", m_hands.key.bytes});
        if (!stored)
            return tl::unexpected(stored.error());
        if (!stored->isText() || stored->text != token)
            return Returned{};
        if (!m_hands.interlude.pass(Interlude::Moment::BeforeDelete))
            return Returned{.verdict = Verdict::Died};
        return deleteKey(m_hands);
    }

private:
    Hands m_hands;
};

class CompareAndDelete : public Releasing
{
public:
    CompareAndDelete(const Hands &hands, bool goneIsDone) : m_hands(hands), m_goneIsDone(goneIsDone) {}

    Result<Returned> release(const QByteArray &token) override
    {
        static const Script script("token/release.lua");
        const std::array<QByteArrayView, 1> keys{m_hands.key.bytes};
        const std::array<QByteArrayView, 3> arguments{token, m_goneIsDone ? "done" : "deleted", "named"};
        const Result<Answer> answer = answerFrom(script.run(m_hands.links.commands(), keys, arguments));
        if (!answer)
            return tl::unexpected(answer.error());
        if (answer->outcome == "released")
            return Returned{.verdict = Verdict::Released, .deleted = true};
        if (m_goneIsDone && answer->outcome == "not-held")
            return Returned{.verdict = Verdict::Released};
        return Returned{};
    }

private:
    Hands m_hands;
    bool m_goneIsDone;
};

class WatchedTransaction : public Releasing
{
public:
    explicit WatchedTransaction(const Hands &hands) : m_hands(hands) {}

    Result<Returned> release(const QByteArray &token) override
    {
        BlockingConnection &connection = m_hands.links.commands();
        const QByteArray &key = m_hands.key.bytes;
        if (const Result<Reply> watched = connection.send({"WATCH", key}); !watched)
            return tl::unexpected(watched.error());
        const Result<Reply> stored = connection.send({"GET", key});
        if (!stored || !stored->isText() || stored->text != token) {
            // A watch left behind would fail the next transaction.
            const Result<Reply> unwatched = connection.send({"UNWATCH"});
            if (!stored || !unwatched)
                return tl::unexpected(stored ? unwatched.error() : stored.error());
            return Returned{};
        }
        if (!m_hands.interlude.pass(Interlude::Moment::BeforeDelete))
            return Returned{.verdict = Verdict::Died};
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
        return Returned{.verdict = deleted ? Verdict::Released : Verdict::NotHeld,
                        .deleted = deleted,
                        .execRefused = executed.isNil()};
    }

private:
    Hands m_hands;
};

} // namespace

std::unique_ptr<Releasing> makeReleasing(ReleaseForm form, const Hands &hands)
{
    switch (form) {
    case ReleaseForm::Usual:
        break;
    case ReleaseForm::CheckThenDelete:
        return std::make_unique<CheckThenDelete>(hands);
    case ReleaseForm::CompareAndDelete:
        return std::make_unique<CompareAndDelete>(hands, false);
    case ReleaseForm::CompareAndDeleteDone:
        return std::make_unique<CompareAndDelete>(hands, true);
    case ReleaseForm::WatchedTransaction:
        return std::make_unique<WatchedTransaction>(hands);
    case ReleaseForm::UncheckedDelete:
        return std::make_unique<UncheckedDelete>(hands);
    }
    return nullptr;
}

} // namespace lockscope
