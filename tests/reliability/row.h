// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <vector>

namespace lockscope {

/// How much of everything; what the command line of `reliability` says.
struct Effort
{
    quint32 seed = 1;
    bool brief = false;     ///< the short form: seconds, for the tests
    int races = 10'000;     ///< in all, shared among the forms of locks
    int times = 20;         ///< each kind of fault
    int seconds = 600;      ///< of sustained changes
    int perSecond = 10'000; ///< changes
    int locks = 100'000;    ///< names that are changed
    int stride = 1; ///< of the bytes at which a command and its reply are cut and corrupted, each so many
    QByteArrayList only{}; ///< kinds of a row, by their names; empty: all
    bool wants(const QByteArray &kind) const { return only.isEmpty() || only.contains(kind); }
};

/// How a row came out.
struct Verdict
{
    bool met = false;
    QByteArray measured;
    QByteArrayList flaws{}; ///< what was not as it should be, a line each
};

/// One line of the table.
struct Row
{
    const char *name;
    const char *what;
    const char *target;
    Verdict (*run)(const Effort &effort);
};

// Each tells on standard output what it is at.
Verdict runRaces(const Effort &effort);
Verdict runActions(const Effort &effort);
Verdict runCommands(const Effort &effort);
Verdict runFaults(const Effort &effort);
Verdict runSustained(const Effort &effort);
Verdict runInputs(const Effort &effort);
Verdict runNonLocks(const Effort &effort);
Verdict runEnds(const Effort &effort);
Verdict runStuck(const Effort &effort);

/// One line of progress.
void tell(const QByteArray &line);

/// The smallest value that at least so many of them do not exceed; 0 for none.
double percentile(std::vector<double> values, double share);

} // namespace lockscope
