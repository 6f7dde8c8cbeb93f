// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <QList>

#include <optional>
#include <utility>
#include <variant>

namespace lockscope {

/// What a key holds, as far as it was read.
struct HashContent
{
    QList<std::pair<QByteArray, QByteArray>> fields;
    bool complete = true;
};
struct StringContent
{
    QByteArray value;
    bool complete = true;
};
struct OtherContent
{
};
using KeyContent = std::variant<HashContent, StringContent, OtherContent>;

/// What recognise() concluded.
struct Recognition
{
    Family family = Family::Unknown;
    QList<Holder> holders;
    Problems problems;
};

/// Names the family that stored this content under a lock's name, and who holds it. Pure.
Recognition recognise(const KeyContent &content);

/// A re-entry count as the scripts accept it: decimal, at least 1, no sign, no leading zero, below 10^15.
std::optional<qint64> parseCount(QByteArrayView text);

} // namespace lockscope
