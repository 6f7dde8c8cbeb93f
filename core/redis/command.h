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

/// The allow-list of read-only mode: commands that this program uses and that change neither data nor
/// configuration. Anything else, EVAL included, is refused there.
bool isReadCommand(std::span<const QByteArrayView> command);

} // namespace lockscope
