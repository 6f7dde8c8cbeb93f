// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <memory>

namespace lockscope {

/// One scan, every lock found.
std::unique_ptr<Command> listCommand(const Options &options);
/// One lock.
std::unique_ptr<Command> getCommand(const Options &options);
/// One of the actions. The key is looked at first, except for acquire: what is stored says which family's
/// script to send, and the audit record keeps what was there.
std::unique_ptr<Command> lockActionCommand(const Options &options);
/// The live feed, an event a line, until Ctrl-C, the end of --duration, or the end of who reads it.
std::unique_ptr<Command> watchCommand(const Options &options);
/// Watches all locks, and tells of alerts: on standard output, and to a program or a webhook.
std::unique_ptr<Command> alertCommand(const Options &options);
/// One scan for alerting systems: what breaks a rule.
std::unique_ptr<Command> checkCommand(const Options &options);
/// Watches all locks, and serves figures of them over HTTP until a signal ends it. A scrape does not wait for the monitor.
std::unique_ptr<Command> exportCommand(const Options &options);
/// Records what a monitor tells to a file, until a signal, or the end of --duration. A full disk is waited for; the recording says
/// so.
std::unique_ptr<Command> recordCommand(const Options &options);
/// All locks that are certain or likely, whatever their names, with patterns that would show them. Ctrl-C ends it with what was
/// found until then.
std::unique_ptr<Command> searchCommand(const Options &options);
/// Which clients renew one lock or try for it.
std::unique_ptr<Command> whoCommand(const Options &options);
/// What a login lacks at a server, or at each node of a cluster, for one role or for both.
std::unique_ptr<Command> aclCheckCommand(const Options &options);

/// Lets workers contend on a private server of its own, or on the one that the options name, and prints the report.
/// Ctrl-C ends the run and prints what there is.
ExitStatus simulate(Options options);

/// Adds the family of the file that is to be tried, and says where to look for it; why not, where there is none. Before any family
/// is asked for.
std::optional<ExitStatus> takeTriedFamily(Options &options);
/// What it finds on a server, and what it rejects.
std::unique_ptr<Command> familyTryCommand(const Options &options);

/// A draft of a family from what one key holds.
std::unique_ptr<Command> familyNewCommand(const Options &options);

// These need no server, and no event loop.

/// Prints what a recording tells: its events as `watch` would have, its locks at a moment as `list` would have, or what it
/// holds.
ExitStatus replay(const Options &options);
/// Checks an audit file's chain and prints the verdict.
ExitStatus verifyAudit(const Options &options);
/// Lists the families, shows one, or checks a file of one.
ExitStatus tellOfFamilies(const Options &options);
/// Prints the command that creates a user with the permissions of a role.
ExitStatus printAclLine(const Options &options);

} // namespace lockscope
