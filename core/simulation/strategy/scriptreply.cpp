// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/scriptreply.h"

#include <utility>

namespace lockscope {

Result<ScriptReply> answerFrom(Result<Reply> reply)
{
    if (!reply)
        return tl::unexpected(std::move(reply.error()));
    std::vector<Reply> &parts = reply->elements;
    if (parts.size() < 3 || !parts[0].isText() || !parts[2].isInteger())
        return tl::unexpected(Error{ErrorKind::UnexpectedReply,
                                    Phrase(QT_TRANSLATE_NOOP("phrases", "unknown reply of the script"))});
    ScriptReply answer;
    answer.outcome = std::move(parts[0].text);
    if (parts[2].integer >= 0)
        answer.ttl = std::chrono::milliseconds(parts[2].integer);
    if (parts.size() > 4)
        answer.fence = parts[4].integer;
    const bool isWrongType = answer.outcome == "wrong-type";
    if (isWrongType || answer.outcome == "bad-count")
        return tl::unexpected(Error{isWrongType ? ErrorKind::WrongType : ErrorKind::ServerError,
                                    parts.size() > 3 ? parts[3].text : answer.outcome});
    return answer;
}

ReleaseResult levelReleased(const ScriptReply &answer)
{
    using Verdict = ReleaseResult::Verdict;
    if (answer.outcome == "unwound")
        return {.verdict = Verdict::Unwound};
    const bool released = answer.outcome == "released";
    return {.verdict = released ? Verdict::Released : Verdict::NotHeld, .deleted = released};
}

} // namespace lockscope
