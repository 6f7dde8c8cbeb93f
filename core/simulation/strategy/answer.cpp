// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/answer.h"

#include <QCoreApplication>

#include <utility>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::answer)
};

} // namespace

Result<Answer> answerFrom(Result<Reply> reply)
{
    if (!reply)
        return tl::unexpected(std::move(reply.error()));
    std::vector<Reply> &parts = reply->elements;
    if (parts.size() < 3 || !parts[0].isText() || !parts[2].isInteger())
        return tl::unexpected(
            Error{ErrorKind::UnexpectedReply, Words::tr("the script answered in an unknown form").toUtf8()});
    Answer answer;
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

} // namespace lockscope
