// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/info.h"

namespace lockscope {

QByteArray infoField(const QByteArray &info, QByteArrayView name, qsizetype longest)
{
    for (qsizetype at = info.indexOf(name); at >= 0; at = info.indexOf(name, at + 1)) {
        const qsizetype end = at + name.size();
        if ((at > 0 && info[at - 1] != '\n') || end >= info.size() || info[end] != ':')
            continue;
        const QByteArrayView rest = QByteArrayView(info).sliced(end + 1);
        const qsizetype length = rest.indexOf('\n');
        return rest.first(length < 0 ? rest.size() : length).trimmed().toByteArray().left(longest);
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
