// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workerbackend.h"

#include <optional>
#include <variant>

namespace lockscope {

/// The first message to a child process of a simulation.
struct ChildConfig
{
    WorkerBackend::Run run; ///< the steady clock is the same for all processes
    int first = 0;          ///< index of its first worker
    int count = 0;
};

struct ChildOrder
{
    enum class Kind : quint8 {
        Stop,
        Kill,
        KillHolder, ///< a worker with any lock, within some ms; answered by a KillResult
        Pause,
        Resume,
        OpenRound,
        EndRounds
    };

    Kind kind = Kind::Stop;
    int worker = -1; ///< for Kill, Pause and Resume
    TimePoint at{};  ///< OpenRound: its begin
};

/// All events of the child before this moment have been sent.
struct EventMark
{
    microseconds at{0};
};

struct KillResult
{
    int worker = -1; ///< -1: no worker held a lock
};

using MessageToChild = std::variant<ChildConfig, ChildOrder>;
using MessageToParent = std::variant<RefereeEvent, EventMark, Round, KillResult, WorkersStatus>;

/// The bytes of a message for a stream. Both ends are of the same build.
QByteArray encode(const MessageToChild &message);
QByteArray encode(const MessageToParent &message);

/// Splits a stream of bytes into messages.
template <typename Message>
class MessageReader
{
public:
    void append(QByteArrayView bytes) { m_bytes.append(bytes); }
    /// The next message; absent: incomplete, or the stream is broken.
    std::optional<Message> next();
    /// True after an invalid message; nothing after it is read.
    bool isBroken() const { return m_isBroken; }

private:
    QByteArray m_bytes;
    qsizetype m_position = 0;
    bool m_isBroken = false;
};

extern template class MessageReader<MessageToChild>;
extern template class MessageReader<MessageToParent>;

} // namespace lockscope
