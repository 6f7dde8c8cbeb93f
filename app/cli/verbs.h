// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <memory>

namespace lockscope {

std::unique_ptr<Command> listCommand(const Options &options);
std::unique_ptr<Command> getCommand(const Options &options);
/// Acts on a lock. Reads it first, except to acquire: the content selects the script and is part of the audit
/// record.
std::unique_ptr<Command> lockActionCommand(const Options &options);
/// Prints events, one per line, until Ctrl-C, the end of --duration or of the reader.
std::unique_ptr<Command> watchCommand(const Options &options);
/// Shows all locks on the terminal, live, until the user quits. Requires CursesScreen::whyNone() to be empty.
std::unique_ptr<Command> topCommand(const Options &options);
/// Watches all locks and reports alerts on standard output, to a program or a webhook.
std::unique_ptr<Command> alertCommand(const Options &options);
/// Scans once for alerting systems and lists broken rules.
std::unique_ptr<Command> checkCommand(const Options &options);
std::unique_ptr<Command> serverCheckCommand(const Options &options); ///< check --server
/// Lists locks whose holders are gone by their heartbeats, and ends them on request.
std::unique_ptr<Command> orphansCommand(const Options &options);
/// Watches all locks and serves metrics over HTTP until a signal. A scrape does not wait for the monitor.
std::unique_ptr<Command> exportCommand(const Options &options);
/// Records monitor events to a file until a signal or the end of --duration. Waits while the disk is full and
/// records that.
std::unique_ptr<Command> recordCommand(const Options &options);
/// Finds certain and likely locks of any name, with patterns to watch them. Ctrl-C prints what was found.
std::unique_ptr<Command> searchCommand(const Options &options);
/// Finds the clients that renew or try to acquire a lock.
std::unique_ptr<Command> whoCommand(const Options &options);
/// Lists the permissions that a login lacks on each node, for one role or both.
std::unique_ptr<Command> aclCheckCommand(const Options &options);

/// Runs workers on a private server, or on the given one, and prints the report. Ctrl-C ends the run and
/// prints the partial report.
ExitStatus simulate(Options options);

/// Adds the family of the file to try and its patterns; returns a status on failure. Call before any family
/// is used.
std::optional<ExitStatus> takeTriedFamily(Options &options);
/// Shows what the tried family recognizes and rejects on a server.
std::unique_ptr<Command> familyTryCommand(const Options &options);

std::unique_ptr<Command> familyNewCommand(const Options &options);

// Need no server and no event loop.

/// Prints a recording: events as `watch`, locks at a moment as `list`, or its properties.
ExitStatus replay(const Options &options);
/// Shows a recording's moments as `top` does. Runs an event loop.
ExitStatus topOfRecording(const Options &options);
ExitStatus verifyAudit(const Options &options);
/// Checks a history of operations, or the holds of a recording, against a model of a lock.
ExitStatus verify(const Options &options);
/// Lists the families, shows one, or checks a family file.
ExitStatus tellOfFamilies(const Options &options);
/// Prints the command that creates a user with a role's permissions.
ExitStatus printAclLine(const Options &options);

} // namespace lockscope
