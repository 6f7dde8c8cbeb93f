// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/error.h"

#include <QStringList>

namespace lockscope {

/// A program of the operator's that says whether a lock's holder is alive.
struct ProbeRequest
{
    LockAddress lock{};
    Family family{};
    OwnerId owner{};
    QStringList arguments; ///< the program first; run without a shell

    QString command() const; ///< the whole, as text

    friend bool operator==(const ProbeRequest &, const ProbeRequest &) = default;
};

/// Checks the text of a command: a program, and arguments with {host}, {process}, {thread}, {owner}, {key} and
/// {family}. ErrorKind::InvalidArgument.
Result<void> checkProbe(const QString &command);

/// Fills a command in for the first owner that tells all of it. ErrorKind::InvalidArgument also if none does, or
/// if what it tells may be read as an option, as a path or by a shell: `ssh` gives its arguments to one. Pure.
Result<ProbeRequest> probeRequest(const QString &command, const Lock &lock);

} // namespace lockscope
