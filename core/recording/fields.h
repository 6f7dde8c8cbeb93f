// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, texts and moments in a recording. Writer and reader have the same functions: one template
// (lockfields.h) describes each value for both.
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/time.h"
#include "core/recording/anonymizer.h"
#include "core/recording/recorded.h"

#include <QHash>

#include <array>
#include <concepts>
#include <limits>
#include <vector>

namespace lockscope {

/// Limit in ms of moments and durations from a recording's begin: a steady clock can still add two of them.
constexpr qint64 farthestMs = qint64(1000) * 60 * 60 * 24 * 365 * 120;

inline qint64 msOf(TimePoint at)
{
    return std::chrono::duration_cast<milliseconds>(at.time_since_epoch()).count();
}

/// Writes numbers with as few bytes as possible, and each text once, then as a number. Numbers and texts go
/// to two streams, which are compressed separately, being unlike.
class FieldWriter
{
public:
    static constexpr bool reads = false;

    /// nullptr: texts are not anonymized.
    explicit FieldWriter(const Anonymizer *anonymizer = nullptr) : m_anonymizer(anonymizer) {}

    template <std::integral T>
    void number(const T &value)
    {
        put(static_cast<quint64>(value));
    }
    /// Writes a number that may be negative.
    void offset(const qint64 &value) { put(zigzag(value)); }
    void flag(const bool &value) { put(value ? 1 : 0); }
    void moment(const TimePoint &at, qint64 base) { offset(msOf(at) - base); }
    void duration(const milliseconds &value) { offset(value.count()); }
    void optional(const CompactOptional<qint64> &value)
    {
        flag(value.has_value());
        if (value)
            offset(*value);
    }
    /// Writes an identifying text: a key, owner or host. Replaced in an anonymous recording.
    void text(const QByteArray &bytes) { put(bytes, m_texts, m_anonymizer); }
    /// Writes the name of a program or of a part of it.
    void name(const QByteArray &bytes) { put(bytes, m_names, nullptr); }
    /// Writes a number of the format: the value's index in the table.
    template <typename Enum, size_t size>
    void code(const Enum &value, const std::array<Enum, size> &table)
    {
        size_t at = 0;
        while (at < size - 1 && table[at] != value)
            ++at;
        put(at);
    }
    template <typename List, typename Each>
    void list(const List &items, qsizetype most, Each each)
    {
        const qsizetype size = std::min(items.size(), most);
        put(static_cast<quint64>(size));
        m_items += size;
        for (qsizetype i = 0; i < size; ++i)
            each(items[i]);
    }

    const QByteArray &numbers() const { return m_numbers; }
    const QByteArray &newTexts() const { return m_newTexts; }
    /// Begins a chunk: streams are cleared, texts stay known.
    void clear()
    {
        m_numbers.resize(0);
        m_newTexts.resize(0);
    }
    /// Begins a segment: no text is known.
    void forget();
    qint64 knownBytes() const { return m_knownBytes; }
    /// The number of list items in the segment; readers take at most FieldReader::maxItems.
    qint64 items() const { return m_items; }

private:
    using Known = QHash<QByteArray, quint32>;

    static quint64 zigzag(qint64 value)
    {
        return (static_cast<quint64>(value) << 1) ^ static_cast<quint64>(value >> 63);
    }
    static void put(QByteArray &stream, quint64 value)
    {
        while (value >= 0x80) {
            stream.append(static_cast<char>(value | 0x80));
            value >>= 7;
        }
        stream.append(static_cast<char>(value));
    }
    void put(quint64 value) { put(m_numbers, value); }
    void put(const QByteArray &bytes, Known &known, const Anonymizer *anonymizer);

    const Anonymizer *m_anonymizer;
    QByteArray m_numbers;
    QByteArray m_newTexts;
    Known m_texts;
    Known m_names;
    quint32 m_next = 1; ///< 0 introduces a new text
    qint64 m_knownBytes = 0;
    qint64 m_items = 0;
};

/// Reads the output of a FieldWriter, or any bytes: after the first invalid byte isGood() is false, and
/// values are 0 or empty.
class FieldReader
{
public:
    static constexpr bool reads = true;
    /// Limit of list items in a segment, for writers too. It bounds the memory for a small file.
    static constexpr qint64 maxItems = 8'000'000;

    /// Begins a chunk; texts of earlier ones stay known.
    void setInput(QByteArrayView numbers, QByteArrayView newTexts)
    {
        m_numbers = numbers;
        m_newTexts = newTexts;
        m_isGood = true;
    }
    void forget()
    {
        m_texts.clear();
        m_knownBytes = 0;
        m_items = 0;
    }

    bool isGood() const { return m_isGood; }
    bool atEnd() const { return m_numbers.isEmpty(); }
    void fail()
    {
        m_isGood = false;
        m_numbers = {};
    }

    template <std::integral T>
    void number(T &value)
    {
        const quint64 read = take();
        const bool fits = read <= static_cast<quint64>(std::numeric_limits<T>::max());
        if (!fits)
            fail();
        value = fits ? static_cast<T>(read) : T();
    }
    void offset(qint64 &value)
    {
        const quint64 read = take();
        value = static_cast<qint64>(read >> 1) ^ -static_cast<qint64>(read & 1);
    }
    void flag(bool &value) { number(value); }
    void moment(TimePoint &at, qint64 base) { at = TimePoint(milliseconds(time(base))); }
    void duration(milliseconds &value) // up to the longest lease, which no clock has
    {
        qint64 ms = 0;
        offset(ms);
        value = milliseconds(ms);
    }
    void optional(CompactOptional<qint64> &value)
    {
        bool isThere = false;
        flag(isThere);
        value.reset();
        if (!isThere)
            return;
        qint64 read = 0;
        offset(read);
        value = read;
    }
    void text(QByteArray &bytes);
    void name(QByteArray &bytes) { text(bytes); }
    template <typename Enum, size_t size>
    void code(Enum &value, const std::array<Enum, size> &table)
    {
        quint32 at = 0;
        number(at);
        if (at >= size)
            fail();
        value = table[at < size ? at : 0];
    }
    template <typename List, typename Each>
    void list(List &items, qsizetype most, Each each)
    {
        qsizetype size = 0;
        number(size);
        items.clear();
        if (size < 0 || size > most || (m_items += size) > maxItems)
            return fail();
        for (qsizetype i = 0; i < size && m_isGood; ++i) {
            typename List::value_type item{};
            each(item);
            items.append(std::move(item));
        }
    }

private:
    quint64 take() { return take(m_numbers); }
    quint64 take(QByteArrayView &stream)
    {
        quint64 value = 0;
        for (qsizetype i = 0; i < std::min<qsizetype>(stream.size(), 10); ++i) {
            const auto byte = static_cast<quint8>(stream[i]);
            value |= quint64(byte & 0x7f) << (7 * i);
            if (byte < 0x80) {
                stream = stream.sliced(i + 1);
                return value;
            }
        }
        fail();
        return 0;
    }
    qint64 time(qint64 base)
    {
        qint64 value = 0;
        offset(value);
        if (value < -farthestMs || value > farthestMs)
            fail();
        return m_isGood ? std::clamp(base + value, -farthestMs, farthestMs) : 0;
    }

    QByteArrayView m_numbers;
    QByteArrayView m_newTexts;
    std::vector<QByteArray> m_texts;
    qint64 m_knownBytes = 0;
    qint64 m_items = 0;
    bool m_isGood = true;
};

} // namespace lockscope
