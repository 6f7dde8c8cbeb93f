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

/// Turns bytes into replies. hiredis 0.14 knows RESP2 only, so it is given RESP3 as RESP2. Not thread-safe; one per connection.
/// After an error the reader is spent: a stream that is out of step can't be trusted again.
class RespReader
{
public:
    explicit RespReader(RespLimits limits = {}, RespVersion version = RespVersion::Resp2);
    ~RespReader();
    RespReader(RespReader &&) noexcept;
    RespReader &operator=(RespReader &&) noexcept;

    /// Adds bytes in the order of their arrival, of any length, split anywhere.
    void feed(QByteArrayView bytes);

    /// The next complete reply; nullopt where more bytes are needed; ErrorKind::ProtocolError where the bytes are
    /// not of that version or break a limit. Pushes come in between, wherever the server sent them.
    Result<std::optional<Reply>> next();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
