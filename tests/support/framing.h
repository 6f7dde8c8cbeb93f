// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

// RESP2 as far as its lengths, for what stands between a client and a server. Written apart from the program's own decoder, which
// is what is tested.

/// The length of the first whole command or reply; nullopt where more bytes are needed; 0 where it is none.
std::optional<qsizetype> frameLength(QByteArrayView bytes);

/// The first word of a command, in capitals; empty where it has none.
QByteArray firstWord(QByteArrayView command);

/// A whole command's name and arguments; empty where it is none.
QByteArrayList wordsOf(QByteArrayView command);

/// A message of a channel, which no command has asked for.
bool isPushed(QByteArrayView reply);

} // namespace lockscope
