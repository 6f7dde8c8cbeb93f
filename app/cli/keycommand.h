// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <memory>

namespace lockscope {

/// Base of verbs that ask a server once and end.
class KeyCommand : public Command
{
public:
    explicit KeyCommand(Options options);

    void start() override { m_deployment->open(); }

protected:
    virtual void run() = 0;
    /// Called if the connection is lost after run() has begun; ends the verb by default.
    virtual void connectionLost(const Error &why) { fail(why); }

    struct LookedAt
    {
        std::optional<Lock> lock{};                 ///< absent: no lock
        QList<PermissionStatus::Missing> missing{}; ///< why companion data was not read
        bool isWhole() const { return !lock || lock->companions->unread == Unread::Nothing; }
    };
    /// Reads a key and the companion data of its lock. An error ends the verb.
    void look(const LockKey &key, std::function<void(const LookedAt &)> then);
    using Command::warnOfUnread;
    void warnOfUnread(const LookedAt &seen);

    /// Returns the server that clients of the lock use: its node, or a group member that has it.
    Link &serverOf(const Lock &lock);
    Deployment &deployment() const final { return *m_deployment; }
    /// Context for continuations; destroyed before the connection, whose end finishes every future.
    QObject *listener() { return &m_listener; }

private:
    void readCompanions(Link &server, const Lock &lock, const std::function<void(const LookedAt &)> &then);
    void lookInGroup(const LockKey &key, const std::function<void(const LookedAt &)> &then);
    void readFailed(const Error &why);

    const std::unique_ptr<Deployment> m_deployment;
    QObject m_listener; // after m_deployment, so that it goes first
    bool m_isRunning = false;
};

} // namespace lockscope
