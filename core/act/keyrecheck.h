// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"

#include <QObject>
#include <QPromise>
#include <QTimer>

namespace lockscope {

/// One look at a key as soon as there is a connection: what an action of unknown outcome is followed by.
/// Deletes itself when its future has finished; NotConnected where no connection came in time or it was
/// closed by the user.
class KeyRecheck : public QObject
{
    Q_OBJECT

public:
    static QFuture<Result<Inspection>> start(Link &connection, const LockKey &key, milliseconds patience);

private:
    KeyRecheck(Link &connection, LockKey key, milliseconds patience);
    void look();
    void failed(const Error &why);
    void finish(const Result<Inspection> &inspection);

    Link &m_connection;
    LockKey m_key;
    QTimer m_patience;
    QPromise<Result<Inspection>> m_promise;
    bool m_finished = false;
};

} // namespace lockscope
