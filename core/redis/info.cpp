// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/info.h"

namespace lockscope {

namespace {

constexpr qsizetype longestField = 256; // a replica, with its address

} // namespace

QByteArray infoField(const QByteArray &info, QByteArrayView name)
{
    for (qsizetype at = info.indexOf(name); at >= 0; at = info.indexOf(name, at + 1)) {
        const qsizetype end = at + name.size();
        if ((at > 0 && info[at - 1] != '\n') || end >= info.size() || info[end] != ':')
            continue;
        const QByteArrayView rest = QByteArrayView(info).sliced(end + 1);
        const qsizetype length = rest.indexOf('\n');
        return rest.first(length < 0 ? rest.size() : length).trimmed().toByteArray().left(longestField);
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
