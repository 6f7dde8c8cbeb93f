// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QExplicitlySharedDataPointer>
#include <QSharedData>

namespace lockscope {

/// An optional value of a pointer's size, for values that most objects lack. Compared by value.
template <typename T>
class SharedValue
{
public:
    SharedValue() = default;
    explicit SharedValue(const T &value) : m_data(new Data(value)) {}

    explicit operator bool() const { return m_data; }
    const T &operator*() const { return m_data ? m_data->value : none(); }
    const T *operator->() const { return &**this; }

    friend bool operator==(const SharedValue &a, const SharedValue &b)
    {
        return a.m_data == b.m_data || *a == *b;
    }

private:
    struct Data : QSharedData
    {
        explicit Data(const T &is) : value(is) {}
        const T value;
    };
    static const T &none()
    {
        static const T nothing;
        return nothing;
    }

    QExplicitlySharedDataPointer<const Data> m_data;
};

} // namespace lockscope
