// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/reply.h"
#include "core/redis/respframing.h"

#include <QByteArray>
#include <QByteArrayView>

#include <memory>
#include <optional>
#include <span>

namespace lockscope {

/// Appends one command, encoded as RESP, to `wire`.
void appendCommand(QByteArray &wire, std::span<const QByteArrayView> command);

/// Decodes bytes to replies. hiredis 0.14 only knows RESP2, and gets RESP3 translated. Not thread-safe; one
/// per connection. Unusable after an error: the stream may be out of step.
class RespReader
{
public:
    explicit RespReader(RespLimits limits = {}, RespVersion version = RespVersion::Resp2);
    ~RespReader();
    RespReader(RespReader &&) noexcept;
    RespReader &operator=(RespReader &&) noexcept;

    /// Adds received bytes, of any length, split anywhere.
    void feed(QByteArrayView bytes);

    /// The next complete reply; absent if more bytes are needed; ErrorKind::ProtocolError if the bytes are
    /// invalid or exceed a limit. Includes pushes, in the server's order.
    Result<std::optional<Reply>> next();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
