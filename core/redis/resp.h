// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/reply.h"

#include <QByteArray>
#include <QByteArrayView>

#include <memory>
#include <optional>
#include <span>

namespace lockscope {

/// Limits on what a server may send. hiredis has none of its own for sizes: a header that announces a
/// terabyte would be waited for. A reply that breaks a limit is a protocol error, found at its header, before
/// memory is spent.
struct RespLimits
{
    qint64 bulkBytes = 16 * 1024 * 1024;
    qint64 replyBytes = 64 * 1024 * 1024;
    qint64 replyElements = 500'000; // one of four bytes on the wire takes sixty-four here
    qint64 lineBytes = 64 * 1024;
    int depth = 7;
};

/// Appends one command, encoded as RESP, to `wire`.
void appendCommand(QByteArray &wire, std::span<const QByteArrayView> command);

/// Turns bytes into replies. RESP2 only (hiredis 0.14 knows no other). Not thread-safe; one per connection.
/// After an error the reader is spent: a stream that is out of step can't be trusted again.
class RespReader
{
public:
    explicit RespReader(RespLimits limits = {});
    ~RespReader();
    RespReader(RespReader &&) noexcept;
    RespReader &operator=(RespReader &&) noexcept;

    /// Adds bytes in the order of their arrival, of any length, split anywhere.
    void feed(QByteArrayView bytes);

    /// The next complete reply; nullopt where more bytes are needed; ErrorKind::ProtocolError where the bytes are
    /// no RESP2 or break a limit.
    Result<std::optional<Reply>> next();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
