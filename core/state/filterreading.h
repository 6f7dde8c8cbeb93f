// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockfilter.h"

#include <functional>

namespace lockscope {

/// What the text of the filter field means, word by word. What is in force depends on the text and the place of the cursor
/// alone, never on what stood there before:
///
/// - A **whole** word is in force at once: free text with each letter, a token when its value makes sense.
/// - An **unfinished** word is the one at the cursor, where more letters can make it whole: `owner:`, `ttl<`, `state:sta`, a
///   quote that is not closed; and free text that may become a token (`sta`) where applying it would leave no row. It is not
///   in force: the other words are, so the table is not emptied while somebody types. `message()` says what is expected.
/// - A **wrong** word makes no sense and cannot by typing on (`state:xyz`), or is unfinished and left: the cursor is
///   elsewhere, the user pressed Return or went away. It is not in force; `message()` says what is wrong and what is possible.
class FilterReading
{
public:
    enum class State : quint8 { Whole, Unfinished, Wrong };

    struct Word
    {
        FilterWord word;
        State state = State::Whole;
    };

    /// `cursor`: where somebody types; absent: nobody does. `matchesAny`: whether a filter leaves a row.
    FilterReading(const QString &text, std::optional<qsizetype> cursor, const ClientsCalled &called,
                  const ClusterStatus &cluster, const std::function<bool(const LockFilter &)> &matchesAny);
    FilterReading() = default;

    const LockFilter &filter() const { return m_filter; } ///< of the whole words
    const QList<Word> &words() const { return m_words; }
    /// What is wrong; else what is expected; empty where each word is whole.
    const Phrase &message() const { return m_message; }
    bool isWrong() const { return m_isWrong; }
    bool isWhole() const { return m_message.isEmpty(); }
    /// The one at the cursor, whatever it is.
    const FilterWord *typedWord() const { return m_typed < 0 ? nullptr : &m_words[m_typed].word; }

private:
    void setMessage(const Phrase &message, bool isWrong);

    QList<Word> m_words;
    LockFilter m_filter;
    Phrase m_message;
    bool m_isWrong = false;
    qsizetype m_typed = -1;
};

} // namespace lockscope
