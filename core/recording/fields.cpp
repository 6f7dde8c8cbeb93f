// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/fields.h"

namespace lockscope {

namespace {

/// No writer's segment knows more: it ends long before.
constexpr qint64 maxKnownBytes = qint64(512) << 20;

} // namespace

void FieldWriter::forget()
{
    clear();
    m_texts.clear();
    m_names.clear();
    m_next = 1;
    m_knownBytes = 0;
    m_items = 0;
}

void FieldWriter::put(const QByteArray &bytes, Known &known, const Anonymizer *anonymizer)
{
    if (const auto found = known.constFind(bytes); found != known.cend())
        return put(*found);
    put(0);
    const QByteArray written = anonymizer ? anonymizer->replacementOf(bytes)
                                          : bytes.first(std::min(bytes.size(), longestRecordedText));
    put(m_newTexts, static_cast<quint64>(written.size()));
    m_newTexts.append(written);
    known.insert(bytes, m_next++);
    m_knownBytes += bytes.size();
}

void FieldReader::text(QByteArray &bytes)
{
    bytes.clear();
    const quint64 index = take();
    if (!m_isGood)
        return;
    if (index > 0) {
        if (index > m_texts.size())
            return fail();
        bytes = m_texts[index - 1];
        return;
    }
    const quint64 size = take(m_newTexts);
    if (!m_isGood || size > quint64(longestRecordedText) || size > static_cast<quint64>(m_newTexts.size()) ||
        m_knownBytes > maxKnownBytes)
        return fail();
    bytes = m_newTexts.first(static_cast<qsizetype>(size)).toByteArray();
    m_newTexts = m_newTexts.sliced(static_cast<qsizetype>(size));
    m_knownBytes += bytes.size() + qint64(sizeof(QByteArray));
    m_texts.push_back(bytes);
}

} // namespace lockscope
