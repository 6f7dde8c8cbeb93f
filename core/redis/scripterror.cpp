// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/scripterror.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

/// True if the text names a script. Redis 7 and later name script and line after the cause, older ones before
/// it. A cut text may lack the line, but not the words about permissions, which come first.
bool isFromInsideAScript(const QByteArray &text)
{
    constexpr std::array marks{"user_script", "Error running script", "in script", "executing the script"};
    return std::ranges::any_of(marks, [&](const char *mark) { return text.contains(mark); });
}

/// Errors without their own kind, or with one shared by errors of scripts.
bool isRefusedAtTheDoor(const QByteArray &text)
{
    constexpr std::array starts{"NOPERM ",
                                "DENIED ",
                                "CROSSSLOT ",
                                "ERR unknown command ",
                                "ERR This instance has Lua scripting support disabled", // Garnet
                                "ERR wrong number of arguments for 'eval' command",
                                "ERR wrong number of arguments for 'evalsha' command",
                                "ERR max number of clients"};
    return std::ranges::any_of(starts, [&](const char *start) { return text.startsWith(start); });
}

} // namespace

bool provesNothingWasDone(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::NotConnected: // and the other two: not sent
    case ErrorKind::Canceled:
    case ErrorKind::ReadOnlyMode:
    case ErrorKind::AuditFailed:
    case ErrorKind::InvalidArgument:
    case ErrorKind::NotStarted:
        return true;
    case ErrorKind::
        ReadOnlyReplica: // while a script runs these do not come or go: no write of it was accepted
    case ErrorKind::PersistenceFailed:
    case ErrorKind::NoReplicas:
    case ErrorKind::MasterDown:
        return true;
    case ErrorKind::AuthRequired:
    case ErrorKind::Loading:
    case ErrorKind::Busy:
    case ErrorKind::Moved:
    case ErrorKind::Ask:
    case ErrorKind::TryAgain:
    case ErrorKind::ClusterDown:
    case ErrorKind::OutOfMemory: // at the door; inside, a server may run out of it between two writes
        return !isFromInsideAScript(error.detail);
    default:
        // The compiler of a script names its lines as a running one does, but says so first.
        return error.detail.startsWith("ERR Error compiling script") ||
               error.detail.startsWith("ERR usage: ") || // as our scripts begin
               (isRefusedAtTheDoor(error.detail) && !isFromInsideAScript(error.detail));
    }
}

} // namespace lockscope
