// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/respframing.h"

#include "core/base/ascii.h"
#include <algorithm>
#include <charconv>
#include <cstring>

namespace lockscope {

namespace {

constexpr qsizetype headBytes = 32;
constexpr qsizetype tagBytes = 4;

bool isNumber(char type, QByteArrayView value)
{
    if (type == ',') {
        bool isDouble = false;
        value.toByteArray().toDouble(&isDouble);
        return isDouble || value == "inf" || value == "-inf" || value == "nan" || value == "-nan";
    }
    const QByteArrayView digits = value.startsWith('-') || value.startsWith('+') ? value.sliced(1) : value;
    return !digits.isEmpty() && std::ranges::all_of(digits, isDigit);
}

} // namespace

void RespFraming::pass(QByteArrayView bytes, QByteArray &wire)
{
    qsizetype passed = 0;
    qsizetype written = 0; // of those: what stays as it is goes out in one piece
    while (passed < bytes.size()) {
        const qsizetype used = step(bytes.sliced(passed));
        if (used < 0)
            break;
        if (m_replaces) {
            wire.append(bytes.sliced(written, passed - written));
            wire.append(m_instead);
            written = passed + used;
            m_replaces = false;
            m_instead.clear();
        }
        passed += used;
        m_replyBytes += used;
        if (m_replyBytes > m_limits.replyBytes) {
            refuse(
                Phrase(QT_TRANSLATE_NOOP("phrases", "a reply is larger than %1 bytes"), m_limits.replyBytes));
            break;
        }
    }
    wire.append(bytes.sliced(written, passed - written));
}

qsizetype RespFraming::refuse(const Phrase &reason)
{
    m_reason = reason;
    return -1;
}

bool RespFraming::isTranslated(char type) const
{
    return m_version == RespVersion::Resp3 && QByteArrayView("_#,(%~>|=!").contains(type);
}

void RespFraming::replaceBy(QByteArrayView bytes)
{
    m_replaces = true;
    m_instead.append(bytes);
}

/// Takes a line or a part of one, or the available bytes of a bulk.
qsizetype RespFraming::step(QByteArrayView bytes)
{
    const bool isLeftOut = m_attributes > 0; // before its end is seen
    const qsizetype used = m_tagLeft > 0    ? passTag(bytes)
                           : m_bulkLeft > 0 ? passBulk(bytes)
                                            : passLine(bytes);
    if (isLeftOut) {
        m_replaces = true;
        m_instead.clear();
    }
    return used;
}

/// Takes bytes of a bulk string and its CR LF.
qsizetype RespFraming::passBulk(QByteArrayView bytes)
{
    const qsizetype used = std::min<qsizetype>(bytes.size(), m_bulkLeft);
    for (qsizetype i = std::max<qsizetype>(0, m_bulkLeft - 2); i < used; ++i) {
        if (bytes[i] != (m_bulkLeft - i == 2 ? '\r' : '\n'))
            return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a bulk string has the wrong length")));
    }
    if (m_isBulkError) { // it becomes a line
        replaceBy(bytes.first(used));
        for (qsizetype i = 0; i < std::min<qsizetype>(used, m_bulkLeft - 2); ++i) {
            if (m_instead[i] == '\r' || m_instead[i] == '\n')
                m_instead[i] = ' ';
        }
    }
    m_bulkLeft -= used;
    if (m_bulkLeft == 0) {
        m_isBulkError = false;
        elementEnded();
    }
    return used;
}

/// Skips the type of a verbatim string: three letters and a colon.
qsizetype RespFraming::passTag(QByteArrayView bytes)
{
    const qsizetype used = std::min(bytes.size(), m_tagLeft);
    m_tagLeft -= used;
    m_bulkLeft -= used;
    if (m_tagLeft == 0 && bytes[used - 1] != ':')
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a bulk string has the wrong length")));
    replaceBy({});
    return used;
}

qsizetype RespFraming::passLine(QByteArrayView bytes)
{
    const void *end = std::memchr(bytes.data(), '\n', static_cast<size_t>(bytes.size()));
    const qsizetype used = end ? static_cast<const char *>(end) - bytes.data() + 1 : bytes.size();
    m_lineBytes += used;
    if (m_lineBytes > m_limits.lineBytes)
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "a line is longer than %1 bytes"), m_limits.lineBytes));
    const char type = m_head.isEmpty() ? bytes[0] : m_head[0];
    const bool translates = isTranslated(type);
    if (!translates && !QByteArrayView("+-:$*").contains(type))
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "unknown reply type: byte %1"), static_cast<uchar>(type)));
    // Only the head of a line matters that stays as it is: its type and, for $ and *, a length.
    const qsizetype room = translates ? used : headBytes - m_head.size();
    m_head.append(bytes.data(), std::min(room, used));
    if (translates)
        replaceBy({}); // until it is complete
    const bool afterCr = used > 1 ? bytes[used - 2] == '\r' : m_endsWithCr;
    m_endsWithCr = bytes[used - 1] == '\r';
    if (!end)
        return used;
    if (!lineEnded())
        return -1;
    // hiredis reads on to the next CR LF: what we take for values would be replies to it, past all limits.
    if (!afterCr)
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a line does not end with CR LF")));
    m_head.clear();
    m_lineBytes = 0;
    return used;
}

bool RespFraming::lineEnded()
{
    const char type = m_head[0];
    switch (type) {
    case '+':
    case '-':
    case ':':
        elementEnded();
        return true;
    case '_':
    case '#':
    case ',':
    case '(':
        return scalarEnded(type, QByteArrayView(m_head).sliced(1).chopped(m_head.size() > 2 ? 2 : 1));
    default: // has a length
        break;
    }
    qint64 length = 0;
    const char *last = m_head.data() + m_head.size() - 2;
    const auto [stop, failure] = std::from_chars(m_head.data() + 1, last, length);
    if (m_head.size() < 4 || failure != std::errc() || stop != last || *last != '\r' ||
        length < (isTranslated(type) ? 0 : -1)) {
        refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "invalid length")));
        return false;
    }
    return type == '$' || type == '=' || type == '!' ? bulkBegins(type, length)
                                                     : aggregateBegins(type, length);
}

bool RespFraming::scalarEnded(char type, QByteArrayView value)
{
    if (type == '_' && value.isEmpty())
        replaceBy("$-1\r\n");
    else if (type == '#' && (value == "t" || value == "f"))
        replaceBy(value == "t" ? ":1\r\n" : ":0\r\n");
    else if ((type == ',' || type == '(') && isNumber(type, value))
        replaceBy('$' + QByteArray::number(value.size()) + "\r\n" + value.toByteArray() + "\r\n");
    else
        replaceBy(":" + value.toByteArray() + "?\r\n"); // hiredis refuses it, and says so
    elementEnded();
    return true;
}

bool RespFraming::bulkBegins(char type, qint64 length)
{
    if (length > (type == '!' ? m_limits.lineBytes : m_limits.bulkBytes)) {
        refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a value of %1 bytes was announced"), length));
        return false;
    }
    if (type == '=' && length < tagBytes) {
        refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a bulk string has the wrong length")));
        return false;
    }
    if (type == '=') {
        m_tagLeft = tagBytes;
        replaceBy('$' + QByteArray::number(length - tagBytes) + "\r\n");
    } else if (type == '!') {
        m_isBulkError = true;
        replaceBy("-");
    }
    if (length < 0)
        elementEnded();
    else
        m_bulkLeft = length + 2;
    return true;
}

bool RespFraming::aggregateBegins(char type, qint64 length)
{
    const bool isAttribute = type == '|';
    const qint64 factor = type == '%' || isAttribute ? 2 : 1;
    if (length > (m_limits.replyElements - m_replyElements) / factor) {
        refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "a reply of more than %1 elements was announced"),
                      m_limits.replyElements));
        return false;
    }
    length *= factor;
    m_replyElements += std::max<qint64>(0, length);
    if (type == '>') { // never inside a reply
        if (!m_open.isEmpty()) {
            refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "unknown reply type: byte %1"),
                          static_cast<uchar>(type)));
            return false;
        }
        m_pushes.push_back(m_ended);
    }
    if (isTranslated(type) && !isAttribute)
        replaceBy('*' + QByteArray::number(length) + "\r\n");
    if (length <= 0) {
        if (!isAttribute) // which stands before an element, and is none
            elementEnded();
        return true;
    }
    if (m_open.size() == m_limits.depth) {
        refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "a reply is nested deeper than %1 levels"), m_limits.depth));
        return false;
    }
    m_open.append({length, isAttribute});
    m_attributes += isAttribute ? 1 : 0;
    return true;
}

void RespFraming::elementEnded()
{
    while (!m_open.isEmpty()) {
        if (--m_open.last().left > 0)
            return;
        const bool wasAttribute = m_open.last().isAttribute;
        m_open.removeLast();
        if (wasAttribute) {
            --m_attributes;
            return;
        }
    }
    ++m_ended;
    m_replyBytes = 0;
    m_replyElements = 0;
}

} // namespace lockscope
