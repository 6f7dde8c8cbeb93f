// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/info.h"

namespace lockscope {

namespace {

constexpr qsizetype longestField = 64;

} // namespace

QByteArray infoField(const QByteArray &info, QByteArrayView name)
{
    for (const QByteArray &line : info.split('\n')) {
        if (line.startsWith(name) && line.size() > name.size() && line[name.size()] == ':')
            return line.sliced(name.size() + 1).trimmed().left(longestField);
    }
    return {};
}

std::optional<qint64> infoNumber(const QByteArray &info, QByteArrayView name)
{
    bool isNumber = false;
    const qint64 value = infoField(info, name).toLongLong(&isNumber);
    return isNumber ? std::optional(value) : std::nullopt;
}

} // namespace lockscope
