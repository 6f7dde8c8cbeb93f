// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <chrono>
#include <optional>

namespace lockscope::console {

struct WriteResult
{
    enum How : quint8 {
        All,
        NobodyReads, ///< the pipe was closed
        Stopped,     ///< the reader was stuck until a signal or the time limit
        Failed,
    };
    How how = All;
    int systemError = 0; ///< errno, for Failed
};

/// Opens closed standard streams, so that no other file gets their numbers. Call first. Writing to an output
/// that was closed fails.
void openStandardStreams();

/// Writes unbuffered and waits for slow readers until a signal caught by Interrupt.
WriteResult out(const QByteArray &text);
/// Limits the waiting for a stuck reader.
void waitNoLongerThan(std::chrono::steady_clock::time_point moment);
/// Returns errors that appear only on flushing or closing a file. Call once, after all output.
WriteResult settle();

/// True if standard output is a pipe with a closed end; writes nothing.
bool readerIsGone();

/// True if standard output accepts data without waiting, or has failed.
bool canWrite();

/// Prints an error line with the program's name on standard error. A signal only limits the waiting for a
/// stuck reader.
void printError(const QString &text);

/// Shows a line on standard error that the next one overwrites; empty removes it. Terminals only.
void progress(const QString &text);

/// True if standard output is a terminal.
bool isTerminal();
/// True if standard output is a terminal that knows colors, and NO_COLOR is not set.
bool hasColor();

/// Writes to standard error what would stand below a table on a terminal.
void summary(const QByteArray &text);

/// Returns the columns of standard output's terminal; 80 without one.
int width();

/// Makes character widths known for UTF-8, our only encoding, even without a UTF-8 locale.
void measureUtf8();

/// Makes writing to a closed pipe an error instead of a fatal signal.
void ignoreBrokenPipes();

bool hasTerminal();

/// Asks on the terminal without echo, whatever the standard streams are. nullopt without a terminal, or if
/// canceled.
std::optional<QByteArray> askPassword(const QString &question);

} // namespace lockscope::console
