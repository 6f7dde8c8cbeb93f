// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ascii.h"

#include <QByteArrayView>

#include <algorithm>

namespace lockscope {

/// The meaning of a value that is a single word, which many programs write.
enum class StatusWord : quint8 {
    None,
    Free,   ///< nobody holds it: "unlocked", "0"
    State,  ///< state of something else: "online", "done"
    Held,   ///< for a lock, but also for doors and processes: "locked", "running"
    Filler, ///< a placeholder: "value", "x"
};

/// Ignores case. Pure.
StatusWord statusWord(QByteArrayView text);
/// Compares with a word in lower case, ignoring case. Inline: called often, and lengths mostly differ. Pure.
inline bool sameWord(QByteArrayView text, QByteArrayView word)
{
    return text.size() == word.size() &&
           std::equal(text.begin(), text.end(), word.begin(),
                      [](char t, char w) { return t == w || (isUpperLetter(t) && (t | 0x20) == w); });
}

} // namespace lockscope
