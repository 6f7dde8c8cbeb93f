// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/plainclient.h"

#include <hiredis/hiredis.h>

#include <array>
#include <memory>

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

} // namespace lockscope
