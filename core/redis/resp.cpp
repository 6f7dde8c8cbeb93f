// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/resp.h"

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#include <QCoreApplication>
#include <QVarLengthArray>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::resp)
};

// hiredis moves the unread rest of its buffer after every reply; large feeds make that quadratic.
constexpr qsizetype feedBytes = 64 * 1024;

/// Walks over the framing of the stream without decoding it and refuses what breaks a limit, or what hiredis
/// would let pass (a bulk without its terminator), before hiredis sees it.
class FramingCheck
{
public:
    explicit FramingCheck(RespLimits limits) : m_limits(limits) {}

    /// How many of these bytes can be accepted; reason() says what is wrong with the rest.
    qsizetype pass(QByteArrayView bytes)
    {
        qsizetype passed = 0;
        while (passed < bytes.size()) {
            const QByteArrayView rest = bytes.sliced(passed);
            const qsizetype used = m_bulkLeft > 0 ? passBulk(rest) : passLine(rest);
            if (used < 0)
                break;
            passed += used;
            m_replyBytes += used;
            if (m_replyBytes > m_limits.replyBytes) {
                refuse(Words::tr("a reply is larger than %1 bytes").arg(m_limits.replyBytes));
                break;
            }
        }
        return passed;
    }

    /// Empty while nothing is wrong.
    const QByteArray &reason() const { return m_reason; }

private:
    qsizetype refuse(const QString &reason)
    {
        m_reason = reason.toUtf8();
        return -1;
    }

    /// Bytes of a bulk string and of the CR LF behind it.
    qsizetype passBulk(QByteArrayView bytes)
    {
        const qsizetype used = std::min<qsizetype>(bytes.size(), m_bulkLeft);
        for (qsizetype i = std::max<qsizetype>(0, m_bulkLeft - 2); i < used; ++i) {
            if (bytes[i] != (m_bulkLeft - i == 2 ? '\r' : '\n'))
                return refuse(Words::tr("a bulk string does not end where its length says"));
        }
        m_bulkLeft -= used;
        if (m_bulkLeft == 0)
            elementEnded();
        return used;
    }

    qsizetype passLine(QByteArrayView bytes)
    {
        const void *end = std::memchr(bytes.data(), '\n', static_cast<size_t>(bytes.size()));
        const qsizetype used = end ? static_cast<const char *>(end) - bytes.data() + 1 : bytes.size();
        // Only the head of a line matters here: its type and, for $ and *, a length.
        const qsizetype room = m_head.capacity() - m_head.size();
        m_head.append(bytes.data(), std::min(room, used));
        m_lineBytes += used;
        if (m_lineBytes > m_limits.lineBytes)
            return refuse(Words::tr("a line is longer than %1 bytes").arg(m_limits.lineBytes));
        if (!m_head.isEmpty() && !QByteArrayView("+-:$*").contains(m_head[0]))
            return refuse(Words::tr("a reply starts with byte %1, which RESP2 does not know")
                              .arg(static_cast<uchar>(m_head[0])));
        const bool afterCr = used > 1 ? bytes[used - 2] == '\r' : m_endsWithCr;
        m_endsWithCr = bytes[used - 1] == '\r';
        if (!end)
            return used;
        if (!lineEnded())
            return -1;
        // hiredis reads on to the next CR LF: what we take for values would be replies to it, past all limits.
        if (!afterCr)
            return refuse(Words::tr("a line does not end with CR LF"));
        m_head.clear();
        m_lineBytes = 0;
        return used;
    }

    bool lineEnded()
    {
        const char type = m_head[0];
        if (type != '$' && type != '*') {
            elementEnded();
            return true;
        }
        qint64 length = 0;
        const char *last = m_head.data() + m_head.size() - 2;
        const auto [stop, failure] = std::from_chars(m_head.data() + 1, last, length);
        if (m_head.size() < 4 || failure != std::errc() || stop != last || *last != '\r' || length < -1) {
            refuse(Words::tr("a length is no number"));
            return false;
        }
        return type == '$' ? bulkBegins(length) : arrayBegins(length);
    }

    bool bulkBegins(qint64 length)
    {
        if (length > m_limits.bulkBytes) {
            refuse(Words::tr("a value of %1 bytes was announced").arg(length));
            return false;
        }
        if (length < 0)
            elementEnded();
        else
            m_bulkLeft = length + 2;
        return true;
    }

    bool arrayBegins(qint64 length)
    {
        m_replyElements += std::max<qint64>(0, length);
        if (m_replyElements > m_limits.replyElements) {
            refuse(Words::tr("a reply of more than %1 elements was announced").arg(m_limits.replyElements));
            return false;
        }
        if (length <= 0) {
            elementEnded();
            return true;
        }
        if (m_open.size() == m_limits.depth) {
            refuse(Words::tr("a reply is nested deeper than %1 levels").arg(m_limits.depth));
            return false;
        }
        m_open.append(length);
        return true;
    }

    void elementEnded()
    {
        while (!m_open.isEmpty()) {
            if (--m_open.last() > 0)
                return;
            m_open.removeLast();
        }
        m_replyBytes = 0;
        m_replyElements = 0;
    }

    RespLimits m_limits;
    QByteArray m_reason;
    QVarLengthArray<char, 32> m_head; // never grows past its capacity
    qint64 m_lineBytes = 0;
    bool m_endsWithCr = false; // the part of a line that has come so far
    qint64 m_bulkLeft = 0;
    qint64 m_replyBytes = 0;
    qint64 m_replyElements = 0;
    QVarLengthArray<qint64, 8> m_open; // elements still to come, per open array
};

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
    explicit Private(RespLimits limits)
        : framing(limits), reader(redisReaderCreateWithFunctions(replyFunctions()), redisReaderFree)
    {
    }

    FramingCheck framing;
    std::unique_ptr<redisReader, void (*)(redisReader *)> reader;
    QByteArray waiting; // checked, not yet given to hiredis
    qsizetype given = 0;
};

RespReader::RespReader(RespLimits limits) : d(std::make_unique<Private>(limits)) {}
RespReader::~RespReader() = default;
RespReader::RespReader(RespReader &&) noexcept = default;
RespReader &RespReader::operator=(RespReader &&) noexcept = default;

void RespReader::feed(QByteArrayView bytes)
{
    if (d->framing.reason().isEmpty())
        d->waiting.append(bytes.first(d->framing.pass(bytes)));
}

Result<std::optional<Reply>> RespReader::next()
{
    for (;;) {
        void *decoded = nullptr;
        if (redisReaderGetReply(d->reader.get(), &decoded) != REDIS_OK)
            return tl::unexpected(Error{ErrorKind::NotRedis, d->reader->errstr});
        if (decoded) {
            const std::unique_ptr<Reply> reply(static_cast<Reply *>(decoded));
            return std::optional<Reply>(std::move(*reply));
        }
        if (d->given == d->waiting.size()) {
            d->waiting.resize(0); // keeps its room
            d->given = 0;
            // Replies that came whole before the bad bytes have been handed out by now.
            if (!d->framing.reason().isEmpty())
                return tl::unexpected(Error{ErrorKind::NotRedis, d->framing.reason()});
            return std::optional<Reply>();
        }
        const qsizetype size = std::min(feedBytes, d->waiting.size() - d->given);
        redisReaderFeed(d->reader.get(), d->waiting.constData() + d->given, static_cast<size_t>(size));
        d->given += size;
    }
}

} // namespace lockscope
