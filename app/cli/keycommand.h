// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <memory>

namespace lockscope {

/// A verb that asks a server once and ends: for one key, or for what no watch knows.
class KeyCommand : public Command
{
public:
    explicit KeyCommand(Options options);

    void start() override { m_deployment->open(); }

protected:
    /// Once, after the first login.
    virtual void run() = 0;
    /// The connection broke after run() had begun. Unless said otherwise that is the end.
    virtual void connectionLost(const Error &why) { fail(why); }

    /// What a look at a key has found.
    struct LookedAt
    {
        std::optional<Lock> lock{};                 ///< absent: there is none
        QList<PermissionStatus::Missing> missing{}; ///< why something beside it was not read
        bool isWhole() const { return !lock || lock->beside->unread == Unread::Nothing; }
    };
    /// Looks at a key, and at what stands beside its lock. An Error is the end of the verb.
    void look(const LockKey &key, std::function<void(const LookedAt &)> then);
    using Command::warnOfUnread;
    /// The same of one lock.
    void warnOfUnread(const LookedAt &seen);

    /// Who holds or wants a lock talks to this one: the node that keeps it, or one of a Redlock group that has it.
    Link &serverOf(const Lock &lock);
    Deployment &deployment() const final { return *m_deployment; }
    /// The context for continuations: gone before the connection, whose end finishes every future.
    QObject *listener() { return &m_listener; }

private:
    void lookBeside(Link &server, const Lock &lock, const std::function<void(const LookedAt &)> &then);
    void lookInGroup(const LockKey &key, const std::function<void(const LookedAt &)> &then);
    void readFailed(const Error &why);

    const std::unique_ptr<Deployment> m_deployment;
    QObject m_listener; // after m_deployment, so that it goes first
    bool m_isRunning = false;
};

} // namespace lockscope
