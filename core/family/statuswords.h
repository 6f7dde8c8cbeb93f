// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ascii.h"

#include <QByteArrayView>

#include <algorithm>

namespace lockscope {

/// What a value that is a mere word says. Whoever writes one of these writes the same as everybody else.
enum class StatusWord : quint8 {
    None,
    Free,   ///< nobody holds it: "unlocked", "0"
    State,  ///< of a thing that has states: "online", "done"
    Held,   ///< a lock says so, and so do doors and processes: "locked", "running"
    Filler, ///< something had to be written: "value", "x"
};

/// Capitals and small letters are the same. Pure.
StatusWord statusWord(QByteArrayView text);
/// The same of a word in small letters. Many are asked for a value, and nearly all differ in length: it is inline. Pure.
inline bool sameWord(QByteArrayView text, QByteArrayView word)
{
    return text.size() == word.size() &&
           std::equal(text.begin(), text.end(), word.begin(),
                      [](char t, char w) { return t == w || (isUpperLetter(t) && (t | 0x20) == w); });
}

} // namespace lockscope
