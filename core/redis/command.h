// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <initializer_list>
#include <span>
#include <vector>

namespace lockscope {

/// Commands for one write, encoded as they are added. Replies come in the same order.
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
    void add(const CommandBatch &other, int index);

    int size() const { return static_cast<int>(m_ends.size()); }
    bool isEmpty() const { return m_ends.empty(); }
    const QByteArray &wire() const { return m_wire; }
    QByteArrayView wire(int index) const;

    bool isReadOnly() const { return m_readsOnly; }

private:
    QByteArray m_wire;
    std::vector<qsizetype> m_ends; ///< ends of the commands in m_wire
    bool m_readsOnly = true;
};

enum class ReadUse : quint8 {
    Login,
    Scan,
    Values, ///< limited values of locks
    Companions,
    Transaction, ///< several locks at one moment
    Load,        ///< cost of reads on the server
    Loading,     ///< progress of a server's data loading
    FieldTtl,
    Feed,
    Notifications,
    Replication,
    WithoutInfo, ///< if INFO is refused or insufficient
    Cluster,
    Sentinel,
    Clients, ///< clients of a lock: only on request
};

/// A command that changes neither data nor configuration.
struct ReadCommand
{
    QByteArrayView name; ///< in ACL notation: "getrange", "client|setname"
    ReadUse use;
};

/// The allow-list of read-only mode; a command with several uses has one entry for each.
std::span<const ReadCommand> readCommands();

/// True if the command is on that list. Read-only mode refuses all others, including EVAL.
bool isReadCommand(std::span<const QByteArrayView> command);

} // namespace lockscope
