// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/cursesscreen.h"
#include "app/cli/verbs.h"
#include "app/language.h"
#include "app/options.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/redis/sshtunnel.h"
#include "core/redis/storedservers.h"
#include "core/simulation/demo/demoworkers.h"
#include "core/simulation/processes/childprocess.h"
#include "core/simulation/server/privateserver.h"
#include "core/words/phrases.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>

using namespace lockscope;

namespace {

// So long the workers of the demo need until each state can be seen.
constexpr std::chrono::milliseconds demoHeadStart{2000};

int exitWith(ExitStatus status)
{
    return static_cast<int>(status);
}

/// A verb that runs on a server in the event loop. All actions share one command.
struct ServerVerb
{
    Verb verb;
    std::unique_ptr<Command> (*make)(const Options &options);
    bool goesOn = false; ///< runs until stopped
};

constexpr ServerVerb serverVerbs[] = {
    {Verb::List, listCommand},
    {Verb::Get, getCommand},
    {Verb::Search, searchCommand},
    {Verb::Who, whoCommand},
    {Verb::Check, checkCommand},
    {Verb::Orphans, orphansCommand},
    {Verb::AclCheck, aclCheckCommand},
    {Verb::Watch, watchCommand, true},
    {Verb::Top, topCommand, true},
    {Verb::Alert, alertCommand, true},
    {Verb::Export, exportCommand, true},
    {Verb::Record, recordCommand, true},
    {Verb::Acquire, lockActionCommand},
    {Verb::Release, lockActionCommand},
    {Verb::Extend, lockActionCommand},
    {Verb::ForceExpire, lockActionCommand},
    {Verb::RemoveWaiter, lockActionCommand},
    {Verb::Wake, lockActionCommand},
    {Verb::FamilyTry, familyTryCommand},
    {Verb::FamilyNew, familyNewCommand},
};

QByteArray storedServerNames()
{
    QByteArray names;
    for (const StoredServer &server : knownServers()) {
        const QByteArray name = server.name.toUtf8();
        if (!name.isEmpty() && !name.contains('\n'))
            names += name + '\n';
    }
    return names;
}

QString lacksPassword(const QString &option)
{
    return Words::tr("%1 needs a terminal and a password.").arg(option);
}

/// Asks for passwords on request. Returns false, with a message, if there are none.
bool login(Options &options)
{
    const auto ask = [](const QString &question, QByteArray &answer, const QString &option) {
        const auto typed = console::askPassword(question + u' ');
        if (typed && !typed->isEmpty())
            answer = *typed;
        else
            console::printError(lacksPassword(option));
        return typed && !typed->isEmpty();
    };
    if (options.askKeyPassphrase && !ask(Words::tr("Password for %1:").arg(options.server.keyFile),
                                         options.server.keyPassphrase, QStringLiteral("--key-askpass")))
        return false;
    if (options.askSentinelPassword &&
        !ask(Words::tr("Sentinels' password for %1:").arg(options.server.toDisplayString()),
             options.server.sentinelPassword, QStringLiteral("--sentinel-askpass")))
        return false;
    if (!options.askPassword)
        return true;
    const auto password =
        console::askPassword(Words::tr("Password for %1:").arg(options.server.toDisplayString()) + u' ');
    options.server.password = password.value_or(QByteArray());
    if (!password) {
        console::printError(lacksPassword(QStringLiteral("--askpass")));
    } else if (password->isEmpty() && !options.server.user.isEmpty()) {
        console::printError(Words::tr("No password for the user %1. Give -a '' if there is none.")
                                .arg(printable(options.server.user, 60)));
        return false;
    }
    return password.has_value();
}

int work(Options options)
{
    PrivateServer demoServer;
    std::unique_ptr<DemoWorkers> demoWorkers;
    if (options.demo) {
        if (const Result<void> started = demoServer.start(); !started) {
            return exitWith(deliverNone(options, ExitStatus::Unavailable, inWords(started.error())));
        }
        options.server = demoServer.address();
        demoWorkers = std::make_unique<DemoWorkers>(options.server);
    }
    const ServerVerb &verb = *std::ranges::find(serverVerbs, options.verb, &ServerVerb::verb);
    const std::unique_ptr<Command> command = verb.make(options);
    const bool waits = options.demo && !verb.goesOn;
    QTimer::singleShot(waits ? demoHeadStart : std::chrono::milliseconds(0), command.get(), &Command::start);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    console::openStandardStreams();
    console::ignoreBrokenPipes();
    // Qt gets the program's name only: it would decode the arguments and look for its own among them.
    int one = 1;
    const QCoreApplication app(one, argv);
    // As the window: their settings are the same.
    QCoreApplication::setApplicationName(QStringLiteral("Lockscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
    if (argc == 2 &&
        std::string_view(argv[1]) == "simulation-child") // by a parent's simulation, never by people
        return runChildProcess();
    if (argc == 2 && std::string_view(argv[1]) == "stored-servers") // by the completions of shells
        return exitWith(deliver(storedServerNames(), ExitStatus::Done));
    installTranslations();
    console::measureUtf8(); // after Qt, which takes the locale from the environment
    Result<Options> options =
        parseOptions(Program::Terminal, {argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
    if (!options) {
        console::printError(inWords(options.error()));
        return exitWith(ExitStatus::WrongUsage);
    }
    if (options->help || options->version) {
        return exitWith(deliver(options->help ? helpText(Program::Terminal, options->helpOn)
                                              : versionText(Program::Terminal),
                                ExitStatus::Done));
    }
    for (const QString &warning : options->warnings)
        console::printError(Words::tr("warning: %1").arg(warning));
    if (options->verb == Verb::Top) {
        if (const auto why = CursesScreen::whyNone())
            return exitWith(deliverNone(*options, ExitStatus::WrongUsage, *why));
        if (!options->replayPath.isEmpty())
            return exitWith(topOfRecording(*options));
    }
    if (options->verb == Verb::AuditVerify)
        return exitWith(verifyAudit(*options));
    if (options->verb == Verb::Replay)
        return exitWith(replay(*options));
    if (options->verb == Verb::Verify)
        return exitWith(verify(*options));
    if (options->verb == Verb::FamilyList || options->verb == Verb::FamilyShow ||
        options->verb == Verb::FamilyCheck)
        return exitWith(tellOfFamilies(*options));
    if (options->verb == Verb::FamilyTry) {
        if (const std::optional<ExitStatus> refused = takeTriedFamily(*options))
            return exitWith(*refused);
    }
    if (options->verb == Verb::AclLine)
        return exitWith(printAclLine(*options));
    if (console::hasTerminal())
        SshTunnel::setPrompts(SshTunnel::Prompts::Terminal);
    if (!login(*options))
        return exitWith(ExitStatus::WrongUsage);
    if (options->verb == Verb::Simulate)
        return exitWith(simulate(std::move(*options)));
    return work(std::move(*options));
}
