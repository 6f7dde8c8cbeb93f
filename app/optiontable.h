// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <functional>
#include <span>

namespace lockscope {

// A table of our own instead of QCommandLineParser, for three reasons: keys and owners are bytes, which QString would
// change where they are no UTF-8; -h is a host, as redis-cli has it, not the help; and a password is overwritten in
// place, in the memory that other processes can read, for which the words themselves have to be at hand.

/// Refuses a command line.
tl::unexpected<Error> usageError(const QString &why);

/// A number of seconds as a lease takes it, or 0.
Result<milliseconds> durationFrom(const QByteArray &text);

/// Digits alone, at most `max`: no sign, no blanks.
std::optional<qint64> wholeNumber(const QByteArray &text, qint64 max);

/// An option of either program: how it is written, where it belongs, what it does.
struct OptionRow
{
    using Take = std::function<Result<void>(Options &options, const QByteArray &value)>;

    char letter = 0; ///< 0: none
    QByteArrayView name;
    QByteArrayView argument; ///< its name in the help; empty: a flag
    unsigned scope = 0;      ///< bits of scopeOf(), window, namesServer
    const char *help = nullptr;
    Take take = nullptr;
    bool repeatable = false; ///< may be given several times; a flag always may
    /// All that it takes, where these are names. The help lists them where it says nothing else.
    QByteArrayList (*values)() = nullptr;
    const char *context = "lockscope::app"; ///< of the help's translation

    /// "-h", "--tls"
    QByteArray written() const;
};

/// As people write it: "-h", "--help".
QString written(const OptionRow &row);

/// A verb of the terminal program.
struct VerbRow
{
    Verb verb = Verb::None;
    QByteArrayView name;
    QByteArrayView arguments;   ///< for the help
    const char *help = nullptr; ///< for Words::tr()
};

constexpr unsigned scopeOf(Verb verb)
{
    return 1U << static_cast<unsigned>(verb);
}
constexpr unsigned anyVerb = 0x3fffffff; ///< of the terminal program
constexpr unsigned window = 0x80000000;  ///< the program with a window
constexpr unsigned everywhere = window | anyVerb;
constexpr unsigned namesServer = 0x40000000; ///< says which server, or how to log in

std::span<const OptionRow> optionRows();
/// Those of them that say which server, and how to get there.
std::span<const OptionRow> serverOptionRows();
std::span<const VerbRow> verbRows();

/// Whether it belongs to every verb, or nearly: told of once, not with each verb.
bool isCommon(const OptionRow &row);

} // namespace lockscope
