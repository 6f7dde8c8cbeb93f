// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/keycontents.h"

#include "core/base/enumnames.h"
#include "core/family/companionkeys.h"
#include "core/read/groupreading.h"
#include "core/redis/whendone.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

using Type = StoredKey::Type;

/// The cause of a lost reply is reported at about the same time, if at all.
constexpr milliseconds causeWithin{250};

// One more than is shown, which tells that there are more.
constexpr QByteArrayView lastByteShown = "4096";
constexpr QByteArrayView lastElementAsked = "64";
constexpr QByteArrayView elementsAsked = "65";
static_assert(LockContentsReading::maxBytes == 4096 && LockContentsReading::maxElements == 64);

Type typeOf(const QByteArray &name)
{
    static constexpr std::array types{
        Named<Type>{Type::Absent, "none"}, Named<Type>{Type::String, "string"},
        Named<Type>{Type::Hash, "hash"},   Named<Type>{Type::List, "list"},
        Named<Type>{Type::Set, "set"},     Named<Type>{Type::SortedSet, "zset"}};
    return valueIn(types, name).value_or(Type::Other);
}

bool isRead(const StoredKey &content)
{
    return !content.error && content.type != Type::Absent && content.type != Type::Other;
}

void appendRead(CommandBatch &batch, const StoredKey &content)
{
    switch (content.type) {
    case Type::String:
        return batch.add({"GETRANGE", content.key, "0", lastByteShown});
    case Type::Hash:
        return batch.add({"HSCAN", content.key, "0", "COUNT", elementsAsked});
    case Type::List:
        return batch.add({"LRANGE", content.key, "0", lastElementAsked});
    case Type::Set:
        return batch.add({"SSCAN", content.key, "0", "COUNT", elementsAsked});
    case Type::SortedSet:
        return batch.add({"ZRANGE", content.key, "0", lastElementAsked, "WITHSCORES"});
    default:
        return;
    }
}

/// A copy of the first bytes: a view would keep all.
QByteArray cut(const QByteArray &bytes, bool &isCut)
{
    if (bytes.size() <= LockContentsReading::maxBytes)
        return bytes;
    isCut = true;
    return bytes.first(LockContentsReading::maxBytes);
}

void takeTypeAndTtl(StoredKey &content, const Reply &type, const Reply &pttl)
{
    if (type.isError()) {
        content.error = serverError(type.text);
        return;
    }
    content.typeName = type.text;
    content.type = typeOf(type.text);
    content.isTtlKnown = pttl.isInteger();
    if (pttl.isInteger() && pttl.integer >= 0)
        content.ttl = milliseconds(pttl.integer);
}

void takeContent(StoredKey &content, const Reply &reply)
{
    if (reply.isError()) { // WRONGTYPE: it was written anew meanwhile
        content.error = serverError(reply.text);
        return;
    }
    if (content.type == Type::String) {
        content.text = cut(reply.text, content.hasMore);
        return;
    }
    const bool isScan = content.type == Type::Hash || content.type == Type::Set;
    if (isScan && (reply.elements.size() != 2 || !reply.elements[1].isArray())) {
        content.error = ErrorKind::UnexpectedReply;
        return;
    }
    const std::vector<Reply> &elements = isScan ? reply.elements[1].elements : reply.elements;
    content.hasMore = isScan && reply.elements[0].text != "0";
    const size_t step = content.type == Type::Hash || content.type == Type::SortedSet ? 2 : 1;
    for (size_t i = 0; i + step <= elements.size(); i += step) {
        if (content.elements.size() == LockContentsReading::maxElements) {
            content.hasMore = true;
            break;
        }
        content.elements.append(
            {cut(elements[i].text, content.areElementsCut),
             step == 2 ? cut(elements[i + 1].text, content.areElementsCut) : QByteArray()});
    }
}

/// Reads [channel, count, …]; a nil count: not every node could be read.
void takeSubscribers(QList<ChannelContent> &channels, const Reply &reply)
{
    for (size_t i = 0; 2 * i + 1 < reply.elements.size() && i < size_t(channels.size()); ++i) {
        if (const Reply &count = reply.elements[2 * i + 1]; count.isInteger())
            channels[qsizetype(i)].subscribers = count.integer;
    }
}

} // namespace

KeyContent contentOf(const StoredKey &stored)
{
    const bool isWhole = !stored.hasMore && !stored.areElementsCut;
    switch (stored.type) {
    case StoredKey::Type::String:
        return StringContent{stored.text, isWhole};
    case StoredKey::Type::Hash:
        return HashContent{stored.elements, isWhole};
    case StoredKey::Type::Set: {
        SetContent set{{}, isWhole};
        for (const auto &[member, nothing] : stored.elements)
            set.members.append(member);
        return set;
    }
    case StoredKey::Type::SortedSet: {
        SortedSetContent set{{}, isWhole};
        for (const auto &[member, score] : stored.elements)
            set.members.append({member, score.toDouble()});
        return set;
    }
    default:
        return OtherContent();
    }
}

QFuture<LockContentsReading::Answer> LockContentsReading::start(const ServerAddress &server, const Lock &lock,
                                                                QObject *parent)
{
    auto *reading = new LockContentsReading(
        server, lock, parent); // NOLINT(cppcoreguidelines-owning-memory): deletes itself
    QFuture<Answer> future = reading->future();
    reading->m_deployment.open();
    return future;
}

LockContentsReading::LockContentsReading(const ServerAddress &server, const Lock &lock, QObject *parent)
    : PromiseTask(parent),
      m_lock(lock),
      m_deployment(server, {.clientName = "lockscope", .readOnly = true, .reconnect = false}, this)
{
    for (const QByteArray &key : QByteArrayList{lock.key().bytes} + companionKeysOf(lock)) {
        if (m_contents.keys.size() == maxKeys)
            break;
        m_contents.keys.emplaceBack().key = key;
    }
    for (const QByteArray &channel : channelsOf(lock)) {
        if (m_contents.channels.size() == maxChannels)
            break;
        m_contents.channels.append({channel, {}});
    }
    connect(&m_deployment.link(), &Link::ready, this, [this] {
        if (!std::exchange(m_isAsking, true))
            askTypes();
    });
    connect(&m_deployment.link(), &Link::connectionLost, this, &LockContentsReading::fail);
    connect(&m_deployment.link(), &Link::connectionRefused, this, &LockContentsReading::fail);
    connect(&m_patience, &QTimer::timeout, this, &LockContentsReading::giveUp);
    m_patience.setSingleShot(true);
    m_patience.start(longest);
}

/// Companions may be on other cluster nodes; in a Redlock group, the displayed server is read.
Link &LockContentsReading::link()
{
    return m_lock.quorum ? serverThatHas(m_deployment, m_lock) : m_deployment.link();
}

void LockContentsReading::askTypes()
{
    CommandBatch batch;
    for (const StoredKey &content : m_contents.keys) {
        batch.add({"TYPE", content.key});
        batch.add({"PTTL", content.key});
    }
    if (!m_contents.channels.isEmpty()) {
        std::vector<QByteArrayView> command{"PUBSUB", "NUMSUB"};
        for (const ChannelContent &channel : m_contents.channels)
            command.emplace_back(channel.channel);
        batch.add(command);
    }
    m_contents.readAtMs = QDateTime::currentMSecsSinceEpoch();
    whenDone(this, link().send(batch), [this](const Result<std::vector<Reply>> &replies) {
        if (!replies)
            return fail(replies.error());
        for (qsizetype i = 0; i < m_contents.keys.size(); ++i)
            takeTypeAndTtl(m_contents.keys[i], (*replies)[size_t(2 * i)], (*replies)[size_t(2 * i + 1)]);
        m_areTypesKnown = true;
        if (!m_contents.channels.isEmpty())
            takeSubscribers(m_contents.channels, replies->back());
        askContents();
    });
}

void LockContentsReading::askContents()
{
    CommandBatch batch;
    for (const StoredKey &content : m_contents.keys) {
        if (isRead(content))
            appendRead(batch, content);
    }
    if (batch.isEmpty())
        return finish(m_contents);
    whenDone(this, link().send(batch), [this](const Result<std::vector<Reply>> &replies) {
        if (!replies)
            return fail(replies.error());
        size_t next = 0;
        for (StoredKey &content : m_contents.keys) {
            if (isRead(content))
                takeContent(content, (*replies)[next++]);
        }
        finish(m_contents);
    });
}

void LockContentsReading::fail(const Error &why)
{
    if (why.kind != ErrorKind::OutcomeUnknown)
        return end(why);
    // The connection tells its cause, unless it is one of several whose others are still there.
    if (!m_lost)
        m_patience.start(causeWithin);
    m_lost = why;
}

/// Ends the reading without a signal.
void LockContentsReading::giveUp()
{
    if (!m_lost)
        return end(ErrorKind::ConnectTimeout);
    const Error &told = link().lastError();
    end(told.hasReason() && told.kind != ErrorKind::OutcomeUnknown
            ? told
            : Error(ErrorKind::NetworkFailed, *m_lost));
}

void LockContentsReading::end(const Error &why)
{
    if (!m_areTypesKnown)
        return finish(tl::unexpected(why));
    for (StoredKey &content : m_contents.keys) {
        if (isRead(content))
            content.error = why;
    }
    finish(m_contents);
}

} // namespace lockscope
