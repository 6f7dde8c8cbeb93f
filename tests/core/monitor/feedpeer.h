// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fakepeer.h"

namespace lockscope {

/// A peer that lets a feed listen; PING is answered as the test says.
inline void letListen(FakePeer &peer)
{
    peer.on("CLIENT ID", ":7\r\n");
    peer.on("SUBSCRIBE", "*3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n");
}

} // namespace lockscope
