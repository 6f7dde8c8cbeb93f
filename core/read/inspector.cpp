// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/inspector.h"

#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/redis/readyfuture.h"

#include <QDateTime>
#include <QPointer>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr QByteArrayView fieldsAsked = "65";
constexpr QByteArrayView lastMemberAsked = "64";
constexpr QByteArrayView lastByteAsked = "1023";
constexpr qsizetype bytesAsked = 1024;
constexpr size_t fieldsShown = 64;

bool isWrongType(const Reply &reply)
{
    return reply.isError() && reply.text.startsWith("WRONGTYPE");
}

tl::unexpected<Error> unexpected(const char *why)
{
    return failedWith(ErrorKind::UnexpectedReply, why);
}

tl::unexpected<Error> unexpectedReplyTo(const QByteArray &command)
{
    return failedWith(ErrorKind::UnexpectedReply, QT_TRANSLATE_NOOP("phrases", "unexpected reply to %1"),
                      command);
}

/// True for replies to HSCAN and SSCAN: [cursor, [element, …]]; a cursor other than 0 means more.
bool isPage(const Reply &reply)
{
    return reply.isArray() && reply.elements.size() == 2 && reply.elements[1].isArray();
}

Result<KeyContent> hashContent(const Reply &reply)
{
    if (!isPage(reply))
        return unexpectedReplyTo("HSCAN");
    const std::vector<Reply> &flat = reply.elements[1].elements;
    HashContent content;
    content.complete = reply.elements[0].text == "0" && flat.size() <= 2 * fieldsShown;
    for (size_t i = 0; i + 1 < flat.size() && i < 2 * fieldsShown; i += 2)
        content.fields.append({flat[i].text, flat[i + 1].text});
    return content;
}

Result<KeyContent> sortedSetContent(const Reply &reply)
{
    if (!reply.isArray())
        return unexpectedReplyTo("ZRANGE");
    const std::vector<Reply> &flat = reply.elements;
    SortedSetContent content;
    content.complete = flat.size() <= 2 * fieldsShown;
    for (size_t i = 0; i + 1 < flat.size() && i < 2 * fieldsShown; i += 2)
        content.members.append({flat[i].text, flat[i + 1].text.toDouble()});
    return content;
}

Result<KeyContent> setContent(const Reply &reply)
{
    if (!isPage(reply))
        return unexpectedReplyTo("SSCAN");
    const std::vector<Reply> &members = reply.elements[1].elements;
    SetContent content;
    content.complete = reply.elements[0].text == "0" && members.size() <= fieldsShown;
    for (size_t i = 0; i < members.size() && i < fieldsShown; ++i)
        content.members.append(members[i].text);
    return content;
}

/// The type by TYPE's name for it.
KeyType typeNamed(QByteArrayView name)
{
    return name == "hash"     ? KeyType::Hash
           : name == "string" ? KeyType::String
           : name == "zset"   ? KeyType::SortedSet
           : name == "set"    ? KeyType::Set
                              : KeyType::Other;
}

bool isRefused(const Reply &reply)
{
    return reply.isError() && serverError(reply.text).kind == ErrorKind::NoPermission;
}

/// The content of a key, with its actual type.
struct Stored
{
    KeyType type = KeyType::Other;
    KeyContent content = OtherContent{};
    bool isAbsent = false;
    std::optional<KeyType> readAs; ///< another type than assumed
};

bool isEmpty(const KeyContent &content)
{
    if (const auto *hash = std::get_if<HashContent>(&content))
        return hash->fields.isEmpty();
    if (const auto *sorted = std::get_if<SortedSetContent>(&content))
        return sorted->members.isEmpty();
    const auto *set = std::get_if<SetContent>(&content);
    return set && set->members.isEmpty();
}

Stored storedAsOther(const Reply &type)
{
    const KeyType named = typeNamed(type.text);
    return {KeyType::Other, OtherContent{}, type.text == "none",
            named == KeyType::Other ? std::nullopt : std::optional(named)};
}

/// An empty text: an empty string, or a missing or retyped key.
Stored storedAsString(const Reply &value)
{
    if (isWrongType(value) || value.text.isEmpty())
        return {KeyType::String, OtherContent{}, false, KeyType::Unknown};
    return {KeyType::String, StringContent{value.text, value.text.size() < bytesAsked}, false, {}};
}

Result<Stored> storedAs(KeyType asked, const Reply &reply)
{
    if (isWrongType(reply))
        return Stored{asked, OtherContent{}, false, KeyType::Unknown};
    Result<KeyContent> content = asked == KeyType::Hash        ? hashContent(reply)
                                 : asked == KeyType::SortedSet ? sortedSetContent(reply)
                                                               : setContent(reply);
    if (!content)
        return tl::unexpected(content.error());
    const bool isAbsent = isEmpty(*content); // an absent key reads so: it went after PTTL had seen it
    return Stored{asked, std::move(*content), isAbsent, {}};
}

/// Read as a hash and as a string. If one is refused, the other may be enough; otherwise TYPE decides.
Result<Stored> storedAsEither(const Reply &hash, const Reply &value)
{
    const bool isHash = !isWrongType(hash) && !isRefused(hash);
    const bool isString = !isWrongType(value) && !isRefused(value);
    if (isHash && isString && value.text.isEmpty() && isPage(hash) && hash.elements[1].elements.empty())
        return Stored{KeyType::Hash, OtherContent{}, true, {}};
    if (isHash)
        return storedAs(KeyType::Hash, hash);
    if (isString)
        return Stored{KeyType::String, StringContent{value.text, value.text.size() < bytesAsked}, false, {}};
    return Stored{KeyType::Other, OtherContent{}, false, KeyType::Other};
}

} // namespace

namespace inspector {

namespace {

/// Limit for a key that is retyped repeatedly.
constexpr int maxRounds = 6;

/// Also determines support for field TTLs with the reading that needs them.
QFuture<Result<Inspection>> inspectAs(Link &connection, Target target, int rounds)
{
    using Answer = Result<Inspection>;
    CommandBatch batch;
    const bool asksWhether = target.fieldLeases == FieldLeases::Unknown && target.type == KeyType::Hash;
    if (asksWhether)
        fieldlease::appendQuestion(batch);
    appendRead(batch, target);
    const TimePoint asked = Clock::now();
    const auto answer = [](Answer value) { return readyFuture(std::move(value)); };
    return connection.send(batch)
        .then([=, connection = QPointer(&connection)](const Result<std::vector<Reply>> &answers) mutable {
            if (!answers)
                return answer(tl::unexpected(answers.error()));
            std::span<const Reply> replies(*answers);
            if (asksWhether) {
                target.fieldLeases = fieldlease::answerIn(replies.front());
                replies = replies.subspan(1);
            }
            const int database = connection ? connection->address().database : 0;
            Result<Reading> reading = interpret(target, database, replies, asked, Clock::now());
            if (!reading)
                return answer(tl::unexpected(reading.error()));
            const bool isLast = rounds == 0 || !connection;
            if (reading->inspection && (reading->fields.isEmpty() || isLast))
                return answer(std::move(*reading->inspection));
            if (isLast)
                return answer(unexpected(QT_TRANSLATE_NOOP("phrases", "the key's type keeps changing")));
            return inspectAs(*connection,
                             {target.key, reading->readAs, false, target.fieldLeases, reading->fields},
                             rounds - 1);
        })
        .unwrap();
}

constexpr std::array typed{std::pair{KeyType::Hash, Read::Hscan}, std::pair{KeyType::String, Read::Getrange},
                           std::pair{KeyType::SortedSet, Read::Zrange}, std::pair{KeyType::Set, Read::Sscan},
                           std::pair{KeyType::Other, Read::Type}};

/// The substitute reply for a command that was not sent.
const Reply &unsent()
{
    static const Reply reply{Reply::Type::Error, 0, "NOPERM", {}};
    return reply;
}

} // namespace

QVarLengthArray<Read, 3> readsOf(const Target &target)
{
    QVarLengthArray<Read, 3> reads;
    const auto add = [&](Read read) {
        if (!target.without.testFlag(read))
            reads.append(read);
    };
    add(Read::Pttl);
    if (target.type == KeyType::Unknown) {
        add(Read::Hscan);
        add(Read::Getrange);
    } else {
        add(std::ranges::find(typed, target.type, [](const auto &row) { return row.first; })->second);
    }
    return reads;
}

bool isUnreadable(const Target &target)
{
    return target.without.testFlag(Read::Pttl) || readsOf(target).size() < 2;
}

void appendRead(CommandBatch &batch, const Target &target)
{
    if (target.announced)
        batch.add({"CLIENT", "CACHING", "YES"}); // for the one command that follows
    const QByteArray &key = target.key.bytes;
    for (const Read read : readsOf(target)) {
        switch (read) {
        case Read::Pttl:
            batch.add({"PTTL", key});
            break;
        case Read::Hscan:
            batch.add({"HSCAN", key, "0", "COUNT", fieldsAsked});
            break;
        case Read::Getrange:
            batch.add({"GETRANGE", key, "0", lastByteAsked});
            break;
        case Read::Zrange:
            batch.add({"ZRANGE", key, "0", lastMemberAsked, "WITHSCORES"});
            break;
        case Read::Sscan:
            batch.add({"SSCAN", key, "0", "COUNT", fieldsAsked});
            break;
        case Read::Type:
            batch.add({"TYPE", key});
            break;
        }
    }
    if (!target.fields.isEmpty())
        fieldlease::append(batch, target.key, target.fields);
}

int commandCount(const Target &target)
{
    const int fields = target.fields.isEmpty() ? 0 : 1;
    if (!target.without)
        return (target.announced ? 1 : 0) + (target.type == KeyType::Unknown ? 3 : 2) + fields;
    return (target.announced ? 1 : 0) + static_cast<int>(readsOf(target).size()) + fields;
}

Result<Reading> interpret(const Target &target, int database, std::span<const Reply> replies, TimePoint asked,
                          TimePoint heard)
{
    Q_ASSERT(static_cast<int>(replies.size()) == commandCount(target));
    // Keyed tracking may have ended meanwhile; whoever reads finds out by itself.
    if (target.announced)
        replies = replies.subspan(1);
    const Reply *fieldTtls = target.fields.isEmpty() ? nullptr : &replies.back();
    if (fieldTtls)
        replies = replies.first(replies.size() - 1);
    const auto reads = readsOf(target);
    const auto replyTo = [&](Read read) -> const Reply & {
        const auto sent = std::ranges::find(reads, read);
        return sent == reads.end() ? unsent() : replies[static_cast<size_t>(sent - reads.begin())];
    };
    const Reply &time = replyTo(Read::Pttl);
    const bool isEither = target.type == KeyType::Unknown;
    const Reply *refused = nullptr; // the first one that nothing is known without
    for (const Reply &reply : replies) {
        if (!reply.isError() || isWrongType(reply))
            continue;
        if (!isRefused(reply))
            return tl::unexpected(serverError(reply.text));
        if (!refused && (!isEither || &reply == &time))
            refused = &reply;
    }
    if (refused)
        return tl::unexpected(serverError(refused->text));
    if (!time.isInteger())
        return time.isError() ? tl::unexpected(serverError(time.text)) : unexpectedReplyTo("PTTL");
    const qint64 pttl = time.integer;
    const Reading gone{Inspection{target.key, std::nullopt}};
    if (pttl == -2)
        return gone;
    const Reply &content = isEither ? unsent() : replies.back();
    const Result<Stored> stored = isEither ? storedAsEither(replyTo(Read::Hscan), replyTo(Read::Getrange))
                                  : target.type == KeyType::Other  ? storedAsOther(content)
                                  : target.type == KeyType::String ? storedAsString(content)
                                                                   : storedAs(target.type, content);
    if (!stored)
        return tl::unexpected(stored.error());
    if (stored->isAbsent)
        return gone;
    if (stored->readAs)
        return Reading{std::nullopt, *stored->readAs};

    Lock lock;
    lock.address = {target.key, database};
    lock.type = stored->type;
    lock.readAt = heard;
    if (pttl >= 0) {
        lock.ttl = milliseconds(pttl);
        lock.deadline = Deadline::fromPttl(*lock.ttl, asked, heard);
    }
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    Recognition found = recognize(target.key, stored->content, lock.ttl, nowMs);
    if (!found.attachedTo.isEmpty())
        return Reading{Inspection{target.key, std::nullopt, found.attachedTo}};
    Reading reading;
    takeRecognition(lock, found);
    if (const QByteArrayList fields = fieldlease::fieldsOf(lock);
        !fields.isEmpty() && target.fieldLeases != FieldLeases::NotThere) {
        if (target.fieldLeases == FieldLeases::Forbidden) {
            fieldlease::setNotKnown(lock);
        } else if (!fieldTtls || !fieldlease::take(lock, target.fields, *fieldTtls, asked, heard)) {
            fieldlease::setNotKnown(lock);
            reading.readAs = KeyType::Hash;
            reading.fields = fields;
        } else if (pttl < 0 && lock.ttl) { // a lease is evidence, too
            found = recognize(target.key, stored->content, lock.ttl, nowMs);
            takeRecognition(lock, found);
        }
    }
    if (fieldTtls)
        reading.fieldLeases = !fieldTtls->isError()                       ? FieldLeases::Told
                              : fieldTtls->text.startsWith("NOPERM")      ? FieldLeases::Forbidden
                              : fieldTtls->text.startsWith("ERR unknown") ? FieldLeases::NotThere
                                                                          : FieldLeases::Unknown;
    reading.inspection = Inspection{target.key, lock};
    return reading;
}

QFuture<Result<Inspection>> inspect(Link &connection, const LockKey &key)
{
    return inspectAs(connection,
                     {key, KeyType::Unknown, false, fieldlease::answerExpectedOf(connection.server())},
                     maxRounds);
}

} // namespace inspector

} // namespace lockscope
