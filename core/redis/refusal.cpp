// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/refusal.h"

#include "core/base/ascii.h"
#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxCommandLength = 64;

bool isCommandName(QByteArrayView text)
{
    return !text.isEmpty() && text.size() <= maxCommandLength &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return isAlphanumeric(c) || c == '|' || c == '_' || c == '-' || c == '.';
           });
}

QByteArray commandNamedIn(QByteArrayView text, QByteArrayView before)
{
    const qsizetype start = text.indexOf(before) + before.size();
    const qsizetype end = text.indexOf('\'', start);
    const QByteArrayView name = end < 0 ? QByteArrayView() : text.sliced(start, end - start);
    return isCommandName(name) ? name.toByteArray().toLower() : QByteArray();
}

} // namespace

Refusal refusalFrom(QByteArrayView text)
{
    using About = Refusal::About;
    constexpr QByteArrayView named = "permissions to run the '";
    // The command first: its text may carry the name of a user, which may be anything.
    if (text.contains(named))
        return {About::Command, commandNamedIn(text, named)};
    if (text.contains("run this command"))
        return {About::Command, {}};
    if (text.contains("access a channel") || text.contains("of the channels"))
        return {About::Channel, {}};
    if (text.contains("access a key") || text.contains("of the keys"))
        return {About::Key, {}};
    return {};
}

} // namespace lockscope
