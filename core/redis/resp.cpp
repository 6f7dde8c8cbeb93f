// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/resp.h"

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#include <algorithm>
#include <charconv>

namespace lockscope {

namespace {

// hiredis moves the unread rest of its buffer after every reply; large feeds make that quadratic.
constexpr qsizetype feedBytes = 64 * 1024;

// hiredis builds its tree through these, so a reply is decoded straight into our type.

Reply *place(const redisReadTask *task)
{
    if (!task->parent)
        return new Reply; // NOLINT(cppcoreguidelines-owning-memory): hiredis hands it back to next() or
                          // destroyReply()
    auto *parent = static_cast<Reply *>(task->parent->obj);
    return &parent->elements[static_cast<size_t>(task->idx)];
}

void *createString(const redisReadTask *task, char *text, size_t length)
{
    Reply *reply = place(task);
    reply->type = task->type == REDIS_REPLY_STATUS  ? Reply::Type::Status
                  : task->type == REDIS_REPLY_ERROR ? Reply::Type::Error
                                                    : Reply::Type::Text;
    reply->text = QByteArray(text, static_cast<qsizetype>(length));
    return reply;
}

#if HIREDIS_MAJOR >= 1
using ArrayLength = size_t;
#else
using ArrayLength = int;
#endif

void *createArray(const redisReadTask *task, ArrayLength length)
{
    Reply *reply = place(task);
    reply->type = Reply::Type::Array;
    reply->elements.resize(static_cast<size_t>(length));
    return reply;
}

void *createInteger(const redisReadTask *task, long long value)
{
    Reply *reply = place(task);
    reply->type = Reply::Type::Integer;
    reply->integer = value;
    return reply;
}

void *createNil(const redisReadTask *task)
{
    return place(task);
}

void destroyReply(void *reply)
{
    delete static_cast<Reply *>(reply); // NOLINT(cppcoreguidelines-owning-memory)
}

redisReplyObjectFunctions *replyFunctions()
{
    static redisReplyObjectFunctions functions = [] {
        redisReplyObjectFunctions f{};
        f.createString = createString;
        f.createArray = createArray;
        f.createInteger = createInteger;
        f.createNil = createNil;
        f.freeObject = destroyReply;
        return f;
    }();
    return &functions;
}

} // namespace

void appendCommand(QByteArray &wire, std::span<const QByteArrayView> command)
{
    // Neither by hiredis, which prints each length with printf, nor by QByteArray::append(): they were half of what
    // a worker's round trip cost here.
    constexpr qsizetype headBytes = 24; // type, length and line ends
    qsizetype room = headBytes;
    for (const QByteArrayView argument : command)
        room += headBytes + argument.size();
    const qsizetype before = wire.size();
    wire.resize(before + room);
    char *at = wire.data() + before;
    const auto put = [&at](QByteArrayView bytes) { at = std::ranges::copy(bytes, at).out; };
    const auto putHead = [&](char type, qsizetype length) {
        *at++ = type;
        at = std::to_chars(at, at + headBytes, length).ptr;
        put("\r\n");
    };
    putHead('*', static_cast<qsizetype>(command.size()));
    for (const QByteArrayView argument : command) {
        putHead('$', argument.size());
        put(argument);
        put("\r\n");
    }
    wire.truncate(at - wire.data());
}

struct RespReader::Private
{
    Private(RespLimits limits, RespVersion version)
        : framing(limits, version), reader(redisReaderCreateWithFunctions(replyFunctions()), redisReaderFree)
    {
    }

    RespFraming framing;
    std::unique_ptr<redisReader, void (*)(redisReader *)> reader;
    QByteArray waiting; // checked, not yet given to hiredis
    qsizetype given = 0;
};

RespReader::RespReader(RespLimits limits, RespVersion version) : d(std::make_unique<Private>(limits, version))
{
}
RespReader::~RespReader() = default;
RespReader::RespReader(RespReader &&) noexcept = default;
RespReader &RespReader::operator=(RespReader &&) noexcept = default;

void RespReader::feed(QByteArrayView bytes)
{
    if (d->framing.reason().isEmpty())
        d->framing.pass(bytes, d->waiting);
}

Result<std::optional<Reply>> RespReader::next()
{
    for (;;) {
        void *decoded = nullptr;
        if (redisReaderGetReply(d->reader.get(), &decoded) != REDIS_OK)
            return tl::unexpected(Error{ErrorKind::ProtocolError, d->reader->errstr});
        if (decoded) {
            const std::unique_ptr<Reply> reply(static_cast<Reply *>(decoded));
            if (d->framing.nextIsPush())
                reply->type = Reply::Type::Push;
            return std::optional<Reply>(std::move(*reply));
        }
        if (d->given == d->waiting.size()) {
            d->waiting.resize(0); // keeps its room
            d->given = 0;
            // Replies that came whole before the bad bytes have been handed out by now.
            if (!d->framing.reason().isEmpty())
                return tl::unexpected(Error{ErrorKind::ProtocolError, d->framing.reason()});
            return std::optional<Reply>();
        }
        const qsizetype size = std::min(feedBytes, d->waiting.size() - d->given);
        redisReaderFeed(d->reader.get(), d->waiting.constData() + d->given, static_cast<size_t>(size));
        d->given += size;
    }
}

} // namespace lockscope
