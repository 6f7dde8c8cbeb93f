// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder of replies: whatever comes, in whatever pieces, gives the same replies and the same end, within its limits; as RESP2
// and as RESP3.
#include "core/redis/resp.h"
#include "tests/fuzz/target.h"

using namespace lockscope;

namespace {

/// Everything that a reader makes of the bytes, written down.
QByteArray decoded(QByteArrayView bytes, qsizetype piece, RespVersion version)
{
    constexpr RespLimits small{
        .bulkBytes = 4096, .replyBytes = 64 * 1024, .replyElements = 1000, .lineBytes = 2048, .depth = 7};
    RespReader reader(small, version);
    QByteArray text;
    const auto write = [&text](const Reply &reply, const auto &self) -> void {
        text += QByteArray::number(int(reply.type)) + ',' + QByteArray::number(reply.integer) + ',' +
                QByteArray::number(reply.text.size()) + ':' + reply.text + '[';
        for (const Reply &element : reply.elements)
            self(element, self);
        text += ']';
    };
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        reader.feed(bytes.sliced(at, std::min(piece, bytes.size() - at)));
        for (;;) {
            const Result<std::optional<Reply>> next = reader.next();
            if (!next)
                return text + "error";
            if (!*next)
                break;
            insist((*next)->text.size() <= small.replyBytes);
            write(**next, write);
        }
    }
    return text;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArrayView bytes = bytesOf(data, size);
    for (const RespVersion version : {RespVersion::Resp2, RespVersion::Resp3}) {
        const QByteArray whole = decoded(bytes, std::max<qsizetype>(bytes.size(), 1), version);
        insist(decoded(bytes, 1, version) == whole);
        insist(decoded(bytes, 7, version) == whole);
    }
    return 0;
}
