// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/probechoice.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

constexpr double goldenRatio =
    0.6180339887498949; // whose multiples fall evenly between 0 and 1, however many

constexpr QByteArrayView separators = ":/.-_|";

QByteArrayView kindOf(const QByteArray &name)
{
    const auto last =
        std::find_if(name.crbegin(), name.crend(), [](char c) { return separators.contains(c); });
    return QByteArrayView(name).first(std::distance(last, name.crend()));
}

/// Evenly spread over `from`, in order.
QList<LockKey> evenly(QList<LockKey> from, qsizetype count)
{
    std::ranges::sort(from, {}, &LockKey::bytes);
    count = std::min(count, from.size());
    QList<LockKey> some;
    for (qsizetype i = 0; i < count; ++i)
        some.append(from[i * from.size() / count]);
    return some;
}

LockKey turnOf(QList<LockKey> names, quint64 time)
{
    double whole = 0;
    const double part = std::modf(static_cast<double>(time) * goldenRatio, &whole);
    const auto place =
        names.begin() +
        std::min(static_cast<qsizetype>(part * static_cast<double>(names.size())), names.size() - 1);
    std::ranges::nth_element(names, place, {}, &LockKey::bytes);
    return *place;
}

} // namespace

void ProbeChoice::add(const LockKey &key)
{
    m_names.append(key);
    if (const QByteArrayView kind = kindOf(key.bytes); !m_kinds.contains(kind))
        m_kinds.insert(kind, key); // which shares its bytes
}

QList<LockKey> ProbeChoice::spread(qsizetype count) const
{
    QList<LockKey> some = evenly(m_kinds.values(), count);
    if (some.size() == count)
        return some;
    QList<LockKey> rest = m_names;
    rest.removeIf([&](const LockKey &key) { return some.contains(key); });
    return some + evenly(rest, count - some.size());
}

QSet<LockKey> ProbeChoice::roving(quint64 time)
{
    if (m_names.isEmpty())
        return {};
    return {turnOf(time % 2 == 0 ? m_names : m_kinds.values(), time / 2)};
}

} // namespace lockscope
