// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

// The framing of RESP2, for proxies. Independent of the program's decoder, which is under test.

/// Returns the length of the first complete command or reply; nullopt: incomplete; 0: invalid.
std::optional<qsizetype> frameLength(QByteArrayView bytes);

/// Returns the first word of a command in capitals; may be empty.
QByteArray firstWord(QByteArrayView command);

/// Returns the name and arguments of a complete command; empty if it is none.
QByteArrayList wordsOf(QByteArrayView command);

/// True for a Pub/Sub message, which no command requested.
bool isPushed(QByteArrayView reply);

} // namespace lockscope
