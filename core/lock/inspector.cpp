// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/inspector.h"

#include "core/lock/family/recognise.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::inspector)
};

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

namespace inspector {

void appendRead(CommandBatch &batch, const Target &target)
{
    if (target.announced)
        batch.add({"CLIENT", "CACHING", "YES"}); // for the one command that follows
    batch.add({"PTTL", target.key.bytes});
    if (target.type == KeyType::Other)
        batch.add({"TYPE", target.key.bytes});
    if (target.type == KeyType::Hash || target.type == KeyType::NotKnown)
        batch.add({"HSCAN", target.key.bytes, "0", "COUNT", fieldsAsked});
    if (target.type == KeyType::String || target.type == KeyType::NotKnown)
        batch.add({"GETRANGE", target.key.bytes, "0", lastByteAsked});
}

int commandCount(const Target &target)
{
    return (target.announced ? 1 : 0) + (target.type == KeyType::NotKnown ? 3 : 2);
}

Result<std::optional<Inspection>> interpret(const Target &target, int database,
                                            std::span<const Reply> replies, TimePoint asked, TimePoint heard)
{
    Q_ASSERT(static_cast<int>(replies.size()) == commandCount(target));
    const KeyType type = target.type;
    // Keyed tracking may have ended meanwhile; whoever reads finds out by itself.
    if (target.announced)
        replies = replies.subspan(1);
    for (const Reply &reply : replies) {
        if (reply.isError() && !isWrongType(reply))
            return tl::unexpected(serverError(reply.text));
    }
    if (!replies[0].isInteger())
        return tl::unexpected(
            Error{ErrorKind::UnexpectedReply, Words::tr("PTTL did not answer a number").toUtf8()});
    const qint64 pttl = replies[0].integer;
    if (pttl == -2)
        return Inspection{target.key, std::nullopt};

    // The key is not what it was: another type took its name, or it went between the commands.
    const bool retyped =
        (type == KeyType::Other && (replies[1].text == "hash" || replies[1].text == "string")) ||
        (type == KeyType::Hash && isWrongType(replies[1])) ||
        (type == KeyType::String && (isWrongType(replies[1]) || replies[1].text.isEmpty()));
    if (retyped)
        return std::nullopt;

    Lock lock;
    KeyContent content = OtherContent{};
    lock.type = KeyType::Other;
    const bool isHash = type == KeyType::Hash || (type == KeyType::NotKnown && !isWrongType(replies[1]));
    const bool isString =
        type == KeyType::String || (type == KeyType::NotKnown && !isWrongType(replies.back()));
    if (isHash) {
        std::optional<HashContent> fields = hashContent(replies[1]);
        if (!fields)
            return tl::unexpected(Error{ErrorKind::UnexpectedReply,
                                        Words::tr("HSCAN did not answer a cursor and fields").toUtf8()});
        if (fields->fields.isEmpty()) // an absent key reads so: it went after PTTL had seen it
            return Inspection{target.key, std::nullopt};
        content = std::move(*fields);
        lock.type = KeyType::Hash;
    } else if (isString) {
        const QByteArray &value = replies.back().text;
        content = StringContent{value, value.size() < bytesAsked};
        lock.type = KeyType::String;
    }

    const Recognition recognition =
        recognise(target.key, content, pttl >= 0 ? Maybe(milliseconds(pttl)) : Maybe<milliseconds>(),
                  QDateTime::currentMSecsSinceEpoch());
    lock.address = {target.key, database};
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
    return Inspection{target.key, lock};
}

QFuture<Result<Inspection>> inspect(Connection &connection, const LockKey &key)
{
    CommandBatch batch;
    appendRead(batch, {key});
    const TimePoint asked = Clock::now();
    return connection.send(batch).then([key, database = connection.address().database,
                                        asked](Result<std::vector<Reply>> replies) -> Result<Inspection> {
        if (!replies)
            return tl::unexpected(replies.error());
        auto inspection = interpret({key}, database, *replies, asked, Clock::now());
        if (!inspection)
            return tl::unexpected(inspection.error());
        return std::move(**inspection);
    });
}

} // namespace inspector

} // namespace lockscope
