// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <chrono>
#include <optional>

namespace lockscope::console {

/// What became of a text.
struct Written
{
    enum How : quint8 {
        All,
        NobodyReads, ///< the other end of a pipe is closed: there is nothing left to do
        Stopped,     ///< the reader stood still until a signal came, or the time to stop
        Failed,
    };
    How how = All;
    int systemError = 0; ///< of Failed
};

/// Opens what the caller has closed of standard input, output and error, so that no other file gets their numbers. To be
/// called first of all. What is written to an output that was closed fails.
void openStandardStreams();

/// Writes at once, unbuffered, and waits for a reader that is slow; a signal that Interrupt catches ends the waiting.
Written out(const QByteArray &text);
/// A reader that stands still is waited for no longer than that.
void waitNoLongerThan(std::chrono::steady_clock::time_point moment);
/// The errors of a file that show only when it is flushed or closed. To be called once, after all was written.
Written settle();

/// True where standard output is a pipe whose other end is closed: known without writing anything.
bool readerIsGone();

/// True where standard output takes a little more without waiting for its reader, or takes nothing any more.
bool canWrite();

/// One line for people on standard error, after the program's name. A signal does not silence it: it is the time of a
/// reader that stands still that it bounds.
void setFieldError(const QString &text);

/// A line on standard error that the next one overwrites; empty: takes the last one away. Only on a terminal.
void progress(const QString &text);

/// True where standard output is a terminal and the user has not set NO_COLOR.
bool hasColor();

/// Columns of the terminal that standard output is, 80 where it is none.
int width();

/// All we write is UTF-8. Where the user's locale is none, or is not installed, the width of a character is still to be
/// known.
void measureUtf8();

/// A closed pipe is to be an error of write(), not the program's death.
void ignoreBrokenPipes();

/// Somebody can be asked.
bool hasTerminal();

/// Asks on the terminal, without echo, whatever standard input and output are. nullopt where there is no terminal, or
/// the user gave up.
std::optional<QByteArray> askPassword(const QString &question);

} // namespace lockscope::console
