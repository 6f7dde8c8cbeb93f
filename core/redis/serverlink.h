// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/storedservers.h"

#include <optional>

namespace lockscope {

/// "lockscope://open?server=URI&key=BYTES&at=2026-01-31T12:00:00.000Z", values percent-encoded, `key` and `at`
/// optional: a server, a lock and a moment to look at. Whoever wrote it is unknown, so it names a server and
/// says nothing of the way there: no user, password, proxy, SSH host, certificate or action.
struct ServerLink
{
    ServerAddress server;
    QByteArray key;               ///< a lock's; empty: none
    std::optional<qint64> wallMs; ///< epoch ms

    /// ErrorKind::InvalidArgument for anything else, with a sentence that repeats nothing of it.
    static Result<ServerLink> parse(const QByteArray &text);
    /// Of a server with these properties; the user and the way there are left out. Empty if that would be
    /// another server (a local one behind SSH), or if the text is too long for a link.
    QByteArray toText() const;
    /// The known server that is meant, with its user and the way there; absent: none, or several.
    std::optional<StoredServer> known() const;
};

} // namespace lockscope
