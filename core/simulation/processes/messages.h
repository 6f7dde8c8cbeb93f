// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workerbackend.h"

#include <optional>
#include <variant>

namespace lockscope {

/// What a child process of a simulation is told first.
struct ChildConfig
{
    WorkerBackend::Run run; ///< the steady clock is one for all processes of a machine
    int first = 0;          ///< its workers
    int count = 0;
};

struct ChildOrder
{
    enum class Kind : quint8 {
        Stop,
        Kill,
        KillHolder, ///< of any lock, within some milliseconds; a KillResult answers
        Pause,
        Resume,
        OpenRound,
        EndRounds
    };

    Kind kind = Kind::Stop;
    int worker = -1; ///< Kill, Pause, Resume
    TimePoint at{};  ///< OpenRound: when it begins
};

/// All events of the child that happened before this moment have been sent.
struct EventMark
{
    microseconds at{0};
};

struct KillResult
{
    int worker = -1; ///< -1: nobody held a lock
};

/// How the child's workers are.
struct ChildStatus
{
    QList<WorkerView> views;
    WorkerStats total;  ///< of them all, and of what they share
    QList<LogLine> log; ///< since the last one
    RunTrace trace;     ///< since the last one
    std::optional<Error> error;
    bool hasEnded = false; ///< nothing follows
};

using MessageToChild = std::variant<ChildConfig, ChildOrder>;
using MessageToParent = std::variant<RefereeEvent, EventMark, Round, KillResult, ChildStatus>;

/// The bytes of a message, for a stream. Both ends are of the same build.
QByteArray encode(const MessageToChild &message);
QByteArray encode(const MessageToParent &message);

/// Finds the messages in a stream of bytes, however it is cut.
template <typename Message>
class MessageReader
{
public:
    void append(QByteArrayView bytes) { m_bytes.append(bytes); }
    /// nullopt: the next one is not complete yet, or the stream is broken.
    std::optional<Message> next();
    /// What came is no message; nothing behind it is read.
    bool isBroken() const { return m_isBroken; }

private:
    QByteArray m_bytes;
    qsizetype m_position = 0; ///< of the next message
    bool m_isBroken = false;
};

extern template class MessageReader<MessageToChild>;
extern template class MessageReader<MessageToParent>;

} // namespace lockscope
