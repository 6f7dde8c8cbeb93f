// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/link.h"

#include <utility>

namespace lockscope {

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
    return send(batch).then(&singleReply);
}

} // namespace lockscope
