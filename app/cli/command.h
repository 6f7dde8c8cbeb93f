// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"
#include "core/monitor/permissionstatus.h"
#include "core/redis/connection.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockscope {

/// The programs' answer to scripts.
enum class ExitStatus : quint8 {
    Done = 0,
    StateSaidNo = 1,
    WrongUsage = 2,
    NotKnown = 3,
    RefusedByReadOnly = 4
};

/// What an Error means for the exit status.
ExitStatus exitStatusOf(ErrorKind kind);

/// A verb at work on one server. It starts from the event loop and ends by leaving it with an exit status; what happens
/// after that is not told any more.
class Command : public QObject
{
    Q_OBJECT

public:
    Command(Options options, bool reconnect);

    void start();

protected:
    /// Once, after the first login.
    virtual void run() = 0;
    /// The connection broke after run() had begun. Unless said otherwise that is the end.
    virtual void connectionLost(const Error &why) { fail(why); }

    /// Looks at a key, and at what stands beside its lock; absent: there is none. An Error is the end of the verb.
    void look(const LockKey &key, std::function<void(const std::optional<Lock> &)> then);
    void finish(ExitStatus status);
    /// Says why on standard error.
    void fail(const Error &why);
    /// Says on standard error how many keys could not be read, why, and what to ask for.
    void complainOfUnreadable(const PermissionStatus &status);
    bool isFinished() const { return m_finished; }

    const Options &options() const { return m_options; }
    Connection &connection() { return m_connection; }
    QString serverName() const { return m_options.server.toDisplayString(); }
    /// The context for continuations: gone before the connection, whose end finishes every future.
    QObject *listener() { return &m_listener; }

private:
    Options m_options;
    Connection m_connection;
    QObject m_listener; // after m_connection, so that it goes first
    bool m_running = false;
    bool m_finished = false;
};

} // namespace lockscope
