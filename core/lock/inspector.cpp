// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/inspector.h"

#include "core/lock/family/certainty.h"
#include "core/lock/family/recognise.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QPointer>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::inspector)
};

constexpr QByteArrayView fieldsAsked = "65";
constexpr QByteArrayView lastMemberAsked = "64";
constexpr QByteArrayView lastByteAsked = "1023";
constexpr qsizetype bytesAsked = 1024;
constexpr size_t fieldsShown = 64;

bool isWrongType(const Reply &reply)
{
    return reply.isError() && reply.text.startsWith("WRONGTYPE");
}

Error unexpected(const QString &what)
{
    return Error{ErrorKind::UnexpectedReply, what.toUtf8()};
}

/// HSCAN and SSCAN answer [cursor, [element, …]]; a cursor other than 0 says that there is more.
bool isPage(const Reply &reply)
{
    return reply.isArray() && reply.elements.size() == 2 && reply.elements[1].isArray();
}

Result<KeyContent> hashContent(const Reply &reply)
{
    if (!isPage(reply))
        return tl::unexpected(unexpected(Words::tr("HSCAN did not answer a cursor and fields")));
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
        return tl::unexpected(unexpected(Words::tr("ZRANGE did not answer members and scores")));
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
        return tl::unexpected(unexpected(Words::tr("SSCAN did not answer a cursor and members")));
    const std::vector<Reply> &members = reply.elements[1].elements;
    SetContent content;
    content.complete = reply.elements[0].text == "0" && members.size() <= fieldsShown;
    for (size_t i = 0; i < members.size() && i < fieldsShown; ++i)
        content.members.append(members[i].text);
    return content;
}

/// As TYPE names it.
KeyType typeNamed(QByteArrayView name)
{
    return name == "hash" || name == "string" ? KeyType::NotKnown
           : name == "zset"                   ? KeyType::SortedSet
           : name == "set"                    ? KeyType::Set
                                              : KeyType::Other;
}

/// What a key holds, with the type that it turned out to have.
struct Stored
{
    KeyType type = KeyType::Other;
    KeyContent content = OtherContent{};
    bool isAbsent = false;
    std::optional<KeyType> readAs; ///< it is of another type than was asked for
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

/// `replies` without PTTL's.
Result<Stored> storedIn(KeyType asked, std::span<const Reply> replies)
{
    if (asked == KeyType::Other) {
        const KeyType type = typeNamed(replies[0].text);
        return Stored{type, OtherContent{}, replies[0].text == "none",
                      type == KeyType::Other ? std::nullopt : std::optional(type)};
    }
    if (asked == KeyType::String || asked == KeyType::NotKnown) {
        const QByteArray &value = replies.back().text;
        // Known as a string, and nothing is there: an empty one, or gone, or none any more.
        if (asked == KeyType::String && (isWrongType(replies[0]) || value.isEmpty()))
            return Stored{KeyType::String, OtherContent{}, false, KeyType::NotKnown};
        if (!isWrongType(replies.back()) && (asked == KeyType::String || isWrongType(replies[0])))
            return Stored{KeyType::String, StringContent{value, value.size() < bytesAsked}, false, {}};
        if (asked == KeyType::NotKnown && isWrongType(replies[0]))
            return Stored{KeyType::Other, OtherContent{}, false, KeyType::Other};
        if (!isWrongType(replies.back()) && value.isEmpty() && isPage(replies[0]) &&
            replies[0].elements[1].elements.empty())
            return Stored{KeyType::Hash, OtherContent{}, true, {}};
        asked = KeyType::Hash;
    }
    if (isWrongType(replies[0]))
        return Stored{asked, OtherContent{}, false, KeyType::NotKnown};
    Result<KeyContent> content = asked == KeyType::Hash        ? hashContent(replies[0])
                                 : asked == KeyType::SortedSet ? sortedSetContent(replies[0])
                                                               : setContent(replies[0]);
    if (!content)
        return tl::unexpected(content.error());
    const bool isAbsent = isEmpty(*content); // an absent key reads so: it went after PTTL had seen it
    return Stored{asked, std::move(*content), isAbsent, {}};
}

} // namespace

namespace inspector {

namespace {

/// A key that is retyped all the time is not followed for ever.
constexpr int mostRounds = 6;

/// Whether the server has field TTLs is asked along with the reading that would need them.
QFuture<Result<Inspection>> inspectAs(Connection &connection, Target target, int rounds)
{
    using Answer = Result<Inspection>;
    CommandBatch batch;
    const bool asksWhether = target.fieldLeases == FieldLeases::NotKnown && target.type == KeyType::Hash;
    if (asksWhether)
        fieldlease::appendQuestion(batch);
    appendRead(batch, target);
    const TimePoint asked = Clock::now();
    const auto answer = [](Answer value) { return QtFuture::makeReadyFuture(std::move(value)); };
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
            if (reading->inspection)
                return answer(std::move(*reading->inspection));
            if (rounds == 0 || !connection)
                return answer(tl::unexpected(
                    unexpected(Words::tr("the key changes its type faster than it can be read"))));
            return inspectAs(*connection,
                             {target.key, reading->readAs, false, target.fieldLeases, reading->fields},
                             rounds - 1);
        })
        .unwrap();
}

} // namespace

void appendRead(CommandBatch &batch, const Target &target)
{
    if (target.announced)
        batch.add({"CLIENT", "CACHING", "YES"}); // for the one command that follows
    const QByteArray &key = target.key.bytes;
    batch.add({"PTTL", key});
    switch (target.type) {
    case KeyType::NotKnown:
        batch.add({"HSCAN", key, "0", "COUNT", fieldsAsked});
        batch.add({"GETRANGE", key, "0", lastByteAsked});
        break;
    case KeyType::Hash:
        batch.add({"HSCAN", key, "0", "COUNT", fieldsAsked});
        break;
    case KeyType::String:
        batch.add({"GETRANGE", key, "0", lastByteAsked});
        break;
    case KeyType::SortedSet:
        batch.add({"ZRANGE", key, "0", lastMemberAsked, "WITHSCORES"});
        break;
    case KeyType::Set:
        batch.add({"SSCAN", key, "0", "COUNT", fieldsAsked});
        break;
    case KeyType::Other:
        batch.add({"TYPE", key});
        break;
    }
    if (!target.fields.isEmpty())
        fieldlease::append(batch, target.key, target.fields);
}

int commandCount(const Target &target)
{
    return (target.announced ? 1 : 0) + (target.type == KeyType::NotKnown ? 3 : 2) +
           (target.fields.isEmpty() ? 0 : 1);
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
    for (const Reply &reply : replies) {
        if (reply.isError() && !isWrongType(reply))
            return tl::unexpected(serverError(reply.text));
    }
    if (!replies[0].isInteger())
        return tl::unexpected(unexpected(Words::tr("PTTL did not answer a number")));
    const qint64 pttl = replies[0].integer;
    const Reading gone{Inspection{target.key, std::nullopt}};
    if (pttl == -2)
        return gone;
    const Result<Stored> stored = storedIn(target.type, replies.subspan(1));
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
        lock.deadline = Deadline::from(*lock.ttl, asked, heard);
    }
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    Recognition found = recognise(target.key, stored->content, lock.ttl, nowMs);
    if (!found.attachedTo.isEmpty())
        return Reading{Inspection{target.key, std::nullopt, found.attachedTo}};
    Reading reading;
    takeRecognition(lock, found);
    if (const QByteArrayList fields = fieldlease::fieldsOf(lock);
        pttl < 0 && !fields.isEmpty() && target.fieldLeases != FieldLeases::NotThere) {
        if (target.fieldLeases == FieldLeases::Forbidden) {
            fieldlease::setNotKnown(lock);
        } else if (!fieldTtls || !fieldlease::take(lock, target.fields, *fieldTtls, asked, heard)) {
            return Reading{std::nullopt, KeyType::Hash, fields};
        } else if (lock.ttl) { // a lease is evidence, too
            found = recognise(target.key, stored->content, lock.ttl, nowMs);
            takeRecognition(lock, found);
        }
    }
    if (fieldTtls)
        reading.fieldLeases = !fieldTtls->isError()                       ? FieldLeases::Told
                              : fieldTtls->text.startsWith("NOPERM")      ? FieldLeases::Forbidden
                              : fieldTtls->text.startsWith("ERR unknown") ? FieldLeases::NotThere
                                                                          : FieldLeases::NotKnown;
    reading.inspection = Inspection{target.key, lock};
    return reading;
}

QFuture<Result<Inspection>> inspect(Connection &connection, const LockKey &key)
{
    return inspectAs(connection, {key, KeyType::NotKnown, false, FieldLeases::NotKnown}, mostRounds);
}

} // namespace inspector

} // namespace lockscope
