// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/plainclient.h"

#include <hiredis/hiredis.h>

#include <QFile>

#include <array>

namespace lockscope {

namespace {

struct Command
{
    explicit Command(const std::vector<QByteArray> &arguments) : words(arguments)
    {
        for (const QByteArray &word : words) {
            texts.push_back(word.constData());
            lengths.push_back(static_cast<size_t>(word.size()));
        }
    }

    std::vector<QByteArray> words;
    std::vector<const char *> texts;
    std::vector<size_t> lengths;
};

/// The first of a named answer's three.
bool answers(redisContext *context, Command &command, QByteArrayView outcome)
{
    auto *reply = static_cast<redisReply *>(redisCommandArgv(context, static_cast<int>(command.texts.size()),
                                                             command.texts.data(), command.lengths.data()));
    if (!reply)
        return false;
    const bool good =
        reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 &&
        QByteArrayView(reply->element[0]->str, static_cast<qsizetype>(reply->element[0]->len)) == outcome;
    freeReplyObject(reply);
    return good;
}

struct Freed
{
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using OwnedReply = std::unique_ptr<redisReply, Freed>;

QByteArray textOf(const redisReply &reply)
{
    return {reply.str, static_cast<qsizetype>(reply.len)};
}

/// The words of a command as hiredis takes them. No longer valid than the words.
struct Pointers
{
    explicit Pointers(std::initializer_list<QByteArrayView> words)
    {
        for (const QByteArrayView word : words) {
            texts[count] = word.data();
            lengths[count++] = static_cast<size_t>(word.size());
        }
    }

    size_t count = 0;
    std::array<const char *, 8> texts{}; // longer ones are not sent here
    std::array<size_t, 8> lengths{};
};

} // namespace

Pair hiredisPair(quint16 port, const QByteArray &acquireSha1, const QByteArray &releaseSha1,
                 const QByteArray &key, const QByteArray &owner, const QByteArray &leaseSeconds)
{
    const std::shared_ptr<redisContext> context(redisConnect("127.0.0.1", port), redisFree);
    if (!context || context->err != 0)
        return {};
    const auto acquire = std::make_shared<Command>(
        std::vector<QByteArray>{"EVALSHA", acquireSha1, "1", key, owner, leaseSeconds, "named"});
    const auto release = std::make_shared<Command>(
        std::vector<QByteArray>{"EVALSHA", releaseSha1, "1", key, owner, leaseSeconds, "named"});
    return [=] {
        return answers(context.get(), *acquire, "acquired") && answers(context.get(), *release, "released");
    };
}

PlainClient::PlainClient(const QString &socketPath)
    : m_context(redisConnectUnix(QFile::encodeName(socketPath).constData()), redisFree)
{
}

std::optional<QByteArray> PlainClient::send(std::initializer_list<QByteArrayView> command)
{
    Pointers words(command);
    const OwnedReply reply(static_cast<redisReply *>(redisCommandArgv(
        m_context.get(), static_cast<int>(words.count), words.texts.data(), words.lengths.data())));
    if (!reply || reply->type == REDIS_REPLY_ERROR)
        return std::nullopt;
    return textOf(*reply);
}

std::optional<PlainClient::Page> PlainClient::scan(const QByteArray &cursor, const QByteArray &match,
                                                   qint64 count)
{
    const QByteArray rawHoldCount = QByteArray::number(count);
    Pointers words({"SCAN", cursor, "MATCH", match, "COUNT", rawHoldCount});
    const OwnedReply reply(static_cast<redisReply *>(redisCommandArgv(
        m_context.get(), static_cast<int>(words.count), words.texts.data(), words.lengths.data())));
    if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2)
        return std::nullopt;
    Page page{textOf(*reply->element[0]), {}};
    const std::span keys(reply->element[1]->element, reply->element[1]->elements);
    for (const redisReply *key : keys)
        page.keys.push_back(textOf(*key));
    return page;
}

void PlainClient::append(std::initializer_list<QByteArrayView> command)
{
    Pointers words(command);
    redisAppendCommandArgv(m_context.get(), static_cast<int>(words.count), words.texts.data(),
                           words.lengths.data());
    ++m_appended;
}

bool PlainClient::drain()
{
    bool good = true;
    for (; m_appended > 0; --m_appended) {
        void *reply = nullptr;
        if (redisGetReply(m_context.get(), &reply) != REDIS_OK)
            return false;
        const OwnedReply owned(static_cast<redisReply *>(reply));
        good = good && owned->type != REDIS_REPLY_ERROR;
    }
    return good;
}

} // namespace lockscope
