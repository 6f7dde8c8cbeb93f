// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/redis/oneanswer.h"

#include <QTimer>

namespace lockscope {

/// One look at a key as soon as there is a connection: what an action of unknown outcome is followed by.
/// NotConnected where no connection came in time or it was closed by the user.
class KeyRecheck : public OneAnswer<Result<Inspection>>
{
public:
    static QFuture<Result<Inspection>> start(Link &connection, const LockKey &key, milliseconds patience);

private:
    KeyRecheck(Link &connection, LockKey key, milliseconds patience);
    void look();
    void failed(const Error &why);

    Link &m_connection;
    LockKey m_key;
    QTimer m_patience;
};

} // namespace lockscope
