// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/link.h"

#include <utility>

namespace lockscope {

namespace {

Result<Reply> singleReply(Result<std::vector<Reply>> replies)
{
    if (!replies)
        return tl::unexpected(std::move(replies.error()));
    Reply &reply = replies->front();
    if (reply.isError())
        return tl::unexpected(serverError(std::move(reply.text)));
    return std::move(reply);
}

} // namespace

Link &Link::forKey(QByteArrayView)
{
    return *this;
}

QFuture<Result<Reply>> Link::send(std::initializer_list<QByteArrayView> command)
{
    return send(std::span(command.begin(), command.size()));
}

QFuture<Result<Reply>> Link::send(std::span<const QByteArrayView> command)
{
    CommandBatch batch;
    batch.add(command);
    return send(batch).then(
        [](Result<std::vector<Reply>> replies) { return singleReply(std::move(replies)); });
}

} // namespace lockscope
