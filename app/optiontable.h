// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontarget.h"

#include <QCoreApplication>

#include <span>
#include <vector>

namespace lockscope {

// Replaces QCommandLineParser for three reasons: keys and owners are bytes that QString would change; -h is
// the host, as in redis-cli; and passwords are overwritten in place, in memory that other processes can read.

struct OptionRow
{
    char letter = 0; ///< 0: none
    QByteArrayView name;
    QByteArrayView argument; ///< name in the help; empty: a flag
    unsigned scope = 0;      ///< bits: scopeOf(), window, namesServer
    const char *help = nullptr;
    OptionTarget target{};
    unsigned needed = 0;                    ///< bits of scopeOf() where it is required
    const char *context = "lockscope::app"; ///< translation context of the help
    const char *usual = "";                 ///< default, if the help does not name it

    /// Returns the option as typed: "-h", "--tls".
    QByteArray written() const { return letter != 0 ? QByteArray("-") + letter : "--" + name.toByteArray(); }
    Result<void> take(Options &options, const QByteArray &value) const
    {
        return target.take(options, value, QString::fromLatin1(written()));
    }
    /// True for each way to type it, such as "-a" and "--pass".
    bool isTypedAs(QByteArrayView text) const;
};

QString written(const OptionRow &row);
/// Returns the option that is typed like this; nullptr: none.
const OptionRow *rowOf(QByteArrayView typed);
/// The same; of several options of this name the one for this verb.
const OptionRow *rowFor(QByteArrayView typed, QByteArrayView verb);

struct VerbRow
{
    Verb verb = Verb::None;
    QByteArrayView name;
    QByteArrayView arguments;
    const char *help = nullptr; ///< for Words::tr()
    QByteArrayView examples;    ///< a line each, as typed after "lockscope-cli "
};

constexpr unsigned scopeOf(auto... verbs)
{
    return ((1U << static_cast<unsigned>(verbs)) | ...);
}
constexpr unsigned anyVerb = 0x3fffffff; ///< all verbs of lockscope-cli
constexpr unsigned window = 0x80000000;  ///< the window program
constexpr unsigned everywhere = window | anyVerb;
constexpr unsigned namesServer = 0x40000000; ///< selects the server or the login

std::span<const OptionRow> optionRows();
/// Returns optionRows() for the help: an option that means several things, or has several defaults, is one row
/// for each of them.
std::span<const OptionRow> explainedOptions();
std::span<const VerbRow> verbRows();

/// The parts of optionRows().
struct OptionGroups
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::app)

public:
    /// Options that say which server, how to get there, and how to log in.
    static std::vector<OptionRow> server();
    static std::vector<OptionRow> general();
    /// Options of `check` and `alert`: rules and notifications.
    static std::vector<OptionRow> rules();
    /// Options of `record` and `replay`, and related ones of the window.
    static std::vector<OptionRow> recording();
    static std::vector<OptionRow> simulation();
    static std::span<const VerbRow> verbs();

    /// Meaning or default of an option for some of its verbs only.
    struct VerbMeaning
    {
        QByteArrayView option;
        unsigned scope = 0;
        const char *usual = "";
        const char *help = nullptr;   ///< nullptr: the option's own
        QByteArrayView argument = {}; ///< empty: the option's own
    };
    static std::span<const VerbMeaning> verbMeanings();
};

/// Takes the window's only word, a link. A bad one is no wrong usage: it was clicked, and the window says why.
Result<void> takeLink(Options &options, const QByteArrayList &words);
Result<void> checkRecording(const RecordingRequest &request, bool isRanked);
/// Validates the window's recording options; `isLimited`: options for recording were given.
Result<void> checkWindowRecording(const Options &options, bool isLimited);
/// Validates and combines the simulation options after each was taken. `given`: long names of all given
/// options.
Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given);

/// Returns the help in the user's language, with values and default.
QString helpOf(const OptionRow &row);

/// True for an option of nearly every verb, described once in the help.
bool isCommon(const OptionRow &row);

} // namespace lockscope
