// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontarget.h"

#include <span>

namespace lockscope {

// A table of our own instead of QCommandLineParser, for three reasons: keys and owners are bytes, which QString would
// change where they are no UTF-8; -h is a host, as redis-cli has it, not the help; and a password is overwritten in
// place, in the memory that other processes can read, for which the words themselves have to be at hand.

/// An option of either program: how it is written, where it belongs, what it does.
struct OptionRow
{
    char letter = 0; ///< 0: none
    QByteArrayView name;
    QByteArrayView argument; ///< its name in the help; empty: a flag
    unsigned scope = 0;      ///< bits of scopeOf(), window, namesServer
    const char *help = nullptr;
    OptionTarget target{};
    unsigned needed = 0;                    ///< bits of scopeOf(): where it has to be given
    const char *context = "lockscope::app"; ///< of the help's translation

    /// As people write it: "-h", "--tls".
    QByteArray written() const { return letter != 0 ? QByteArray("-") + letter : "--" + name.toByteArray(); }
    Result<void> take(Options &options, const QByteArray &value) const
    {
        return target.take(options, value, QString::fromLatin1(written()));
    }
};

QString written(const OptionRow &row);

/// A verb of the terminal program.
struct VerbRow
{
    Verb verb = Verb::None;
    QByteArrayView name;
    QByteArrayView arguments;   ///< for the help
    const char *help = nullptr; ///< for Words::tr()
};

constexpr unsigned scopeOf(auto... verbs)
{
    return ((1U << static_cast<unsigned>(verbs)) | ...);
}
constexpr unsigned anyVerb = 0x3fffffff; ///< of the terminal program
constexpr unsigned window = 0x80000000;  ///< the program with a window
constexpr unsigned everywhere = window | anyVerb;
constexpr unsigned namesServer = 0x40000000; ///< says which server, or how to log in

std::span<const OptionRow> optionRows();
/// Those of them that say which server, and how to get there.
std::span<const OptionRow> serverOptionRows();
/// Of `check` and `alert` alone: what they judge by, and whom alert tells.
std::span<const OptionRow> ruleRows();
/// Of `record` and `replay` alone, and those of the window that are like them.
std::span<const OptionRow> recordingRows();
/// Of `simulate` alone.
std::span<const OptionRow> simulateRows();
std::span<const VerbRow> verbRows();

/// What the options of a recording say together.
Result<void> checkRecording(const Options &options);
/// Of the window; `isLimited`: options of a recording that is made were given.
Result<void> checkWindowRecording(const Options &options, bool isLimited);
/// What the options of a simulation come to together, once each has been taken. `given`: the long names of all options
/// that were there.
Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given);

/// Whether it belongs to every verb, or nearly: told of once, not with each verb.
bool isCommon(const OptionRow &row);

} // namespace lockscope
