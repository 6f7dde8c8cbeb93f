// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/redis/promisetask.h"

#include <QTimer>

namespace lockscope {

/// Reads a key once, when connected, after an action of unknown outcome. NotConnected if no connection comes
/// in time, or if the user closed it.
class KeyRecheck : public PromiseTask<Result<Inspection>>
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
