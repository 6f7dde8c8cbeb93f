// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/filterreading.h"

#include "core/base/printable.h"
#include "core/state/filterfields.h"

namespace lockscope {

FilterReading::FilterReading(const QString &text, std::optional<qsizetype> cursor,
                             const ClientsCalled &called, const ClusterStatus &cluster,
                             const std::function<bool(const LockFilter &)> &matchesAny)
{
    std::optional<LockFilter> held; // of the typed word, which may become a token
    for (const FilterWord &word : filterWords(text)) {
        const bool isTyped = cursor && word.start < *cursor && *cursor <= word.end();
        if (isTyped)
            m_typed = m_words.size();
        State state = State::Whole;
        const auto one = LockFilter::parse(word, called, cluster);
        const auto expected = isTyped ? expectedAfter(word) : std::nullopt;
        if (one && isTyped && startsField(word)) {
            held = *one;
        } else if (one) {
            m_filter &= *one;
        } else {
            state = expected ? State::Unfinished : State::Wrong;
            setMessage(expected ? *expected : one.error(), !expected);
        }
        m_words.append({word, state});
    }
    if (!held)
        return;
    LockFilter all = m_filter;
    all &= *held;
    if (matchesAny(all)) {
        m_filter = all;
        return;
    }
    m_words[m_typed].state = State::Unfinished;
    setMessage(Phrase(QT_TRANSLATE_NOOP("phrases", "No lock contains “%1”."),
                      printable(typedWord()->positive(), 40)),
               false);
}

/// Errors come before expectations; otherwise the first message counts.
void FilterReading::setMessage(const Phrase &message, bool isWrong)
{
    if (!m_message.isEmpty() && (m_isWrong || !isWrong))
        return;
    m_message = message;
    m_isWrong = isWrong;
}

} // namespace lockscope
