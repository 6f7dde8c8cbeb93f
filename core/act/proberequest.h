// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/error.h"

#include <QStringList>

namespace lockscope {

/// A program to run for one holder of a lock, and why: the operator asks whether that holder is alive.
struct ProbeRequest
{
    LockAddress lock{};
    Family family{};
    OwnerId owner{};
    QString command{};     ///< with the values filled in, as shown and recorded
    QStringList arguments; ///< the program first; run without a shell

    friend bool operator==(const ProbeRequest &, const ProbeRequest &) = default;
};

/// The command for this family's locks: the server's or, without one, that of the family's file. May be empty.
QString probeCommand(const QString &ofServer, Family family);

/// Checks the text of a command: a program, and arguments with {host}, {process}, {thread}, {owner}, {key} and
/// {family}. ErrorKind::InvalidArgument.
Result<void> checkProbe(const QString &command);

/// Fills a command in with what the owner tells. ErrorKind::InvalidArgument also if the owner does not tell a
/// value, or if the value may be read as an option, a path or by a shell: `ssh` gives its arguments to one. Pure.
Result<ProbeRequest> probeRequest(const QString &command, const Lock &lock, const LockOwner &holder);

} // namespace lockscope
