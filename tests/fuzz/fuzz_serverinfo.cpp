// SPDX-License-Identifier: GPL-3.0-or-later
// What a server says of itself: INFO at login, its statistics, and the errors in place of them.
#include "core/monitor/commandcosts.h"
#include "core/redis/login.h"
#include "core/words/messages.h"
#include "core/words/serverfitness.h"
#include "tests/fuzz/target.h"

#include <algorithm>

using namespace lockscope;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray text = bytesOf(data, size).toByteArray();
    const qsizetype half = text.indexOf('\0');
    std::vector<Reply> replies(3);
    replies[0] = {Reply::Type::Status, 0, "OK", {}};
    replies[1] = {Reply::Type::Text, 0, half < 0 ? text : text.first(half), {}};
    replies[2] = {Reply::Type::Text, 0, half < 0 ? text : text.sliced(half + 1), {}};
    const ServerAddress address;
    const Result<ServerInfo> info = parseLoginReplies(address, replies);
    insist(info ? info->name.size() <= 64 && info->version.size() <= 64 && info->mode.size() <= 64 &&
                      info->role.size() <= 64 && info->runId.size() <= 64
                : info.error().kind == ErrorKind::InvalidArgument); // a Sentinel
    for (Reply &reply : replies)
        reply.type = Reply::Type::Error;
    std::ignore = parseLoginReplies(address, replies);
    const Error error = serverError(text);
    insist(!describe(error, QStringLiteral("h:1")).isEmpty());

    const auto findings = judgeServer(text, 1'790'000'000);
    insist(std::ranges::all_of(findings, [](const ServerFinding &each) { return each.text.size() < 2'000; }));

    CommandCosts costs;
    costs.take(replies[1].text);
    costs.take(replies[2].text);
    costs.take(text);
    for (const auto &cost : {costs.read(), costs.page()})
        insist(!cost || (*cost >= Clock::duration(0) && *cost < std::chrono::hours(1)));
    return 0;
}
