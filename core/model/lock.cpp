// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lock.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <charconv>

namespace lockscope {

std::optional<Lease> Lease::fromMilliseconds(milliseconds value)
{
    if (value < milliseconds(1) || value > longest)
        return std::nullopt;
    return Lease(value);
}

std::optional<Lease> Lease::fromSeconds(QByteArrayView text)
{
    const bool decimal =
        !text.isEmpty() && std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '.'; });
    if (!decimal)
        return std::nullopt;
    double seconds = 0;
    const auto [stop, failure] =
        std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    // What rounds up to a millisecond is less than what was asked for could be.
    if (failure != std::errc() || stop != text.data() + text.size() || seconds < 0.001 ||
        seconds > double(longest.count()) / 1000)
        return std::nullopt;
    return fromMilliseconds(milliseconds(std::llround(seconds * 1000)));
}

QByteArray Lease::inSeconds() const
{
    const qint64 ms = m_value.count();
    QByteArray text = QByteArray::number(ms / 1000);
    if (ms % 1000 == 0)
        return text;
    text += '.' + QByteArray::number(ms % 1000).rightJustified(3, '0');
    while (text.endsWith('0'))
        text.chop(1);
    return text;
}

Deadline Deadline::fromPttl(milliseconds pttl, TimePoint asked, TimePoint heard)
{
    const milliseconds capped = std::clamp(pttl, milliseconds(0), horizon);
    // PTTL rounds to a millisecond.
    return {asked + capped, heard + capped + milliseconds(1)};
}

milliseconds Deadline::remaining(TimePoint now) const
{
    return std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(latest - now));
}

} // namespace lockscope
