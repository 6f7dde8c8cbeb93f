// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <initializer_list>
#include <span>
#include <vector>

namespace lockscope {

/// Commands that go out in one write, encoded as they are added. Replies come back in the same order.
class CommandBatch
{
public:
    CommandBatch() = default;
    CommandBatch(std::initializer_list<QByteArrayView> command) { add(command); }

    void add(std::initializer_list<QByteArrayView> command)
    {
        add(std::span(command.begin(), command.size()));
    }
    void add(std::span<const QByteArrayView> command);
    /// A command of another batch.
    void add(const CommandBatch &other, int index);

    int size() const { return static_cast<int>(m_ends.size()); }
    bool isEmpty() const { return m_ends.empty(); }
    const QByteArray &wire() const { return m_wire; }
    /// Of one command.
    QByteArrayView wire(int index) const;

    /// True while every command is on the list of those that can change nothing (see isReadCommand).
    bool isReadOnly() const { return m_readsOnly; }

private:
    QByteArray m_wire;
    std::vector<qsizetype> m_ends; ///< in m_wire, of each command
    bool m_readsOnly = true;
};

/// What a command that reads is for.
enum class ReadUse : quint8 {
    Login,
    Scan,
    Values,      ///< of locks, bounded
    Companions,  ///< and waiters
    Transaction, ///< several locks at one moment
    Load,        ///< what reading costs the server
    Loading,     ///< how far a server has read its data
    FieldTtl,
    Feed,
    Notifications, ///< whether the server sends them
    Replication,
    WithoutInfo, ///< where INFO is refused, or does not tell
    Cluster,
    Sentinel,
    Clients, ///< who uses a lock: only on request
};

/// A command that this program sends and that changes neither data nor configuration.
struct ReadCommand
{
    QByteArrayView name; ///< as ACL rules have it: "getrange", "client|setname"
    ReadUse use;
};

/// All of them, the allow-list of read-only mode; a command with several uses stands there once for each.
std::span<const ReadCommand> readCommands();

/// On that list. Anything else, EVAL included, is refused in read-only mode.
bool isReadCommand(std::span<const QByteArrayView> command);

} // namespace lockscope
