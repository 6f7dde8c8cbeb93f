// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockfilter.h"

#include <functional>

namespace lockscope {

/// The meaning of the filter field's text, word by word. Which words apply depends only on the text and the
/// cursor, not on earlier text:
///
/// - A **whole** word applies at once: free text with each letter, a token once its value is valid.
/// - An **unfinished** word is the one at the cursor that more letters can make whole: `owner:`, `ttl<`,
///   `state:sta`, an open quote; and free text that may become a token (`sta`) if applying it would leave no
///   row. It does not apply, the others do: the table stays filled. `message()` has what is expected.
/// - A **wrong** word is invalid whatever follows (`state:xyz`), or is unfinished and left: the cursor is
///   elsewhere, or Return was pressed. It does not apply; `message()` explains it.
class FilterReading
{
public:
    enum class State : quint8 { Whole, Unfinished, Wrong };

    struct Word
    {
        FilterWord word;
        State state = State::Whole;
    };

    /// `cursor`: absent if nobody types. `matchesAny`: returns whether a filter leaves a row.
    FilterReading(const QString &text, std::optional<qsizetype> cursor, const ClientsCalled &called,
                  const ClusterStatus &cluster, const std::function<bool(const LockFilter &)> &matchesAny);
    FilterReading() = default;

    const LockFilter &filter() const { return m_filter; }
    const QList<Word> &words() const { return m_words; }
    /// What is wrong, otherwise what is expected; empty if all words are whole.
    const Phrase &message() const { return m_message; }
    bool isWrong() const { return m_isWrong; }
    bool isWhole() const { return m_message.isEmpty(); }
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
