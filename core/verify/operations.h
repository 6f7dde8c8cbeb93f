// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace lockscope {

/// The promise that a history is checked against.
enum class LockModel : quint8 { Mutex, Reentrant, Fenced, Fair, ReadWrite, Permits };
inline constexpr EnumNames lockModelName{
    Named<LockModel>{LockModel::Mutex, "mutex"},          Named<LockModel>{LockModel::Reentrant, "reentrant"},
    Named<LockModel>{LockModel::Fenced, "fenced"},        Named<LockModel>{LockModel::Fair, "fair"},
    Named<LockModel>{LockModel::ReadWrite, "read-write"}, Named<LockModel>{LockModel::Permits, "permits"}};

/// An operation of a process on a lock. Times are in ns from any common origin, within ±maxTime.
struct LockOperation
{
    enum class Kind : quint8 { Acquire, Release, Extend, Write };
    enum class Outcome : quint8 { Ok, Failed, Unknown }; ///< Failed: it has taken no effect
    enum class Mode : quint8 { Any, Read, Write };

    static constexpr qint64 nsPerMs = 1'000'000;
    static constexpr qint64 maxTime = 4'000'000'000'000'000'000;
    static constexpr qint64 maxClockBound = 100'000'000'000'000'000;
    static constexpr qint64 maxLease = 1'000'000'000'000'000'000;
    static constexpr qint64 noEnd = 9'000'000'000'000'000'000;

    Kind kind = Kind::Acquire;
    Outcome outcome = Outcome::Unknown;
    Mode mode = Mode::Any;
    qint32 process = 0; ///< see OperationHistory::names
    qint32 owner = 0;
    qint32 permits = 1;
    qint32 invokeLine = 0; ///< in the file; 0: none
    qint32 endLine = 0;
    qint64 invokedAt = -noEnd; ///< it has not taken effect before
    qint64 endedAt = noEnd;    ///< if Ok: it has taken effect by then
    qint64 queuedAt = noEnd;   ///< Acquire: it stood in the wait queue by then
    qint64 lease = -1;         ///< Acquire: -1 without expiry; Extend: -1 unknown
    qint64 token = -1;         ///< fencing token; -1: none
};
inline constexpr EnumNames operationName{Named<LockOperation::Kind>{LockOperation::Kind::Acquire, "acquire"},
                                         Named<LockOperation::Kind>{LockOperation::Kind::Release, "release"},
                                         Named<LockOperation::Kind>{LockOperation::Kind::Extend, "extend"},
                                         Named<LockOperation::Kind>{LockOperation::Kind::Write, "write"}};

/// A period in which operations may be missing and holds may have ended unseen.
struct UnseenPeriod
{
    qint64 from = 0;
    qint64 to = 0;
};

/// The operations on one lock, in the order of their invocation within each process.
struct VerifiedLock
{
    QByteArray key;
    std::optional<LockModel> model{}; ///< as stated in the file
    int capacity = 0;                 ///< permits that exist; 0: unknown
    bool hasTokens = false;
    bool hasModes = false;
    bool hasPermits = false;
    bool isShared = false; ///< of a recording: several owners are usual
    bool isPolled = false; ///< of a recording: quick changes may have been missed
    qint32 setBackLine =
        0; ///< the times of one of its processes go back there by more than the bound; 0: nowhere
    std::vector<UnseenPeriod> unseen{};
    std::vector<LockOperation> operations{};

    LockModel modelOr(std::optional<LockModel> wanted) const
    {
        if (wanted || model)
            return wanted ? *wanted : *model;
        return hasPermits  ? LockModel::Permits
               : hasModes  ? LockModel::ReadWrite
               : hasTokens ? LockModel::Fenced
                           : LockModel::Mutex;
    }
};

struct OperationHistory
{
    std::vector<QByteArray> names; ///< processes and owners
    std::vector<VerifiedLock> locks;
    qint64 events = 0;
    qint64 clockBound = 0;    ///< ns; largest difference between the clocks of two processes
    bool isRecording = false; ///< of a server's keys: times are this machine's epoch
};

} // namespace lockscope
