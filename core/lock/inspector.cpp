// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/inspector.h"

#include "core/lock/family.h"

namespace lockscope {

namespace {

constexpr QByteArrayView fieldsAsked = "65";
constexpr QByteArrayView lastByteAsked = "1023";
constexpr qsizetype bytesAsked = 1024;
constexpr size_t fieldsShown = 64;

bool isWrongType(const Reply &reply)
{
    return reply.isError() && reply.text.startsWith("WRONGTYPE");
}

/// HSCAN answers [cursor, [field, value, …]]; a cursor other than 0 says that there is more.
std::optional<HashContent> hashContent(const Reply &reply)
{
    if (!reply.isArray() || reply.elements.size() != 2 || !reply.elements[1].isArray())
        return std::nullopt;
    const std::vector<Reply> &flat = reply.elements[1].elements;
    HashContent content;
    content.complete = reply.elements[0].text == "0" && flat.size() <= 2 * fieldsShown;
    for (size_t i = 0; i + 1 < flat.size() && i < 2 * fieldsShown; i += 2)
        content.fields.append({flat[i].text, flat[i + 1].text});
    return content;
}

} // namespace

KeyType typeOf(const Lock &lock)
{
    switch (lock.family) {
    case Family::Reentrant:
        return KeyType::Hash;
    case Family::Token:
        return KeyType::String;
    case Family::Unknown:
        return lock.problems.testFlag(Problem::WrongType) ? KeyType::Other : KeyType::NotKnown;
    }
    return KeyType::NotKnown;
}

namespace inspector {

void appendRead(CommandBatch &batch, const Target &target)
{
    batch.add({"PTTL", target.key.bytes});
    if (target.type == KeyType::Hash || target.type == KeyType::NotKnown || target.type == KeyType::Other)
        batch.add({"HSCAN", target.key.bytes, "0", "COUNT", fieldsAsked});
    if (target.type == KeyType::String || target.type == KeyType::NotKnown || target.type == KeyType::Other)
        batch.add({"GETRANGE", target.key.bytes, "0", lastByteAsked});
}

int commandCount(KeyType type)
{
    return type == KeyType::NotKnown || type == KeyType::Other ? 3 : 2;
}

Result<std::optional<Inspection>> interpret(const LockAddress &address, KeyType type,
                                            std::span<const Reply> replies, TimePoint asked, TimePoint heard)
{
    Q_ASSERT(static_cast<int>(replies.size()) == commandCount(type));
    for (const Reply &reply : replies) {
        if (reply.isError() && !isWrongType(reply))
            return tl::unexpected(serverError(reply.text));
    }
    if (!replies[0].isInteger())
        return tl::unexpected(Error{ErrorKind::UnexpectedReply, "PTTL did not answer a number"});
    const qint64 pttl = replies[0].integer;
    if (pttl == -2)
        return Inspection{address.key, std::nullopt};

    const bool known = type == KeyType::Hash || type == KeyType::String;
    if (known && isWrongType(replies[1]))
        return std::nullopt;
    KeyContent content = OtherContent{};
    const Reply *const hash = type == KeyType::String ? nullptr : &replies[1];
    const Reply *const string = type == KeyType::Hash ? nullptr : &replies.back();
    if (hash && !isWrongType(*hash)) {
        std::optional<HashContent> fields = hashContent(*hash);
        if (!fields)
            return tl::unexpected(
                Error{ErrorKind::UnexpectedReply, "HSCAN did not answer a cursor and fields"});
        // An absent key reads as an empty hash and as an empty string: it went between PTTL and here.
        if (fields->fields.isEmpty())
            return Inspection{address.key, std::nullopt};
        content = std::move(*fields);
    } else if (string && !isWrongType(*string)) {
        content = StringContent{string->text, string->text.size() < bytesAsked};
    }

    const Recognition recognition = recognise(content);
    Lock lock;
    lock.address = address;
    lock.family = recognition.family;
    lock.holders = recognition.holders;
    lock.problems = recognition.problems;
    lock.readAt = heard;
    if (pttl >= 0) {
        lock.ttl = milliseconds(pttl);
        lock.deadline = Deadline::from(*lock.ttl, asked, heard);
    } else if (lock.family != Family::Unknown) {
        lock.problems |= Problem::NoExpiry;
    }
    return Inspection{address.key, lock};
}

QFuture<Result<Inspection>> inspect(Connection &connection, const LockKey &key)
{
    CommandBatch batch;
    appendRead(batch, {key, KeyType::NotKnown});
    const LockAddress address{key, connection.address().database, {}};
    const TimePoint asked = Clock::now();
    return connection.send(std::move(batch))
        .then([address, asked](Result<std::vector<Reply>> replies) -> Result<Inspection> {
            if (!replies)
                return tl::unexpected(replies.error());
            auto inspection = interpret(address, KeyType::NotKnown, *replies, asked, Clock::now());
            if (!inspection)
                return tl::unexpected(inspection.error());
            return std::move(**inspection);
        });
}

} // namespace inspector

} // namespace lockscope
