// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/acl.h"
#include "app/cli/act.h"
#include "app/cli/alert.h"
#include "app/cli/audit.h"
#include "app/cli/check.h"
#include "app/cli/console.h"
#include "app/cli/export.h"
#include "app/cli/get.h"
#include "app/cli/list.h"
#include "app/cli/record.h"
#include "app/cli/replay.h"
#include "app/cli/search.h"
#include "app/cli/simulate.h"
#include "app/cli/watch.h"
#include "app/cli/who.h"
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

std::unique_ptr<Command> commandFor(const Options &options)
{
    switch (options.verb) {
    case Verb::List:
        return std::make_unique<ListCommand>(options);
    case Verb::Get:
        return std::make_unique<GetCommand>(options);
    case Verb::Alert:
        return std::make_unique<AlertCommand>(options);
    case Verb::Check:
        return std::make_unique<CheckCommand>(options);
    case Verb::Export:
        return std::make_unique<ExportCommand>(options);
    case Verb::Record:
        return std::make_unique<RecordCommand>(options);
    case Verb::Watch:
        return std::make_unique<WatchCommand>(options);
    case Verb::Who:
        return std::make_unique<WhoCommand>(options);
    case Verb::AclCheck:
        return std::make_unique<AclCheckCommand>(options);
    case Verb::Search:
        return std::make_unique<SearchCommand>(options);
    default:
        return std::make_unique<LockActionCommand>(options);
    }
}

/// One a line, as --connect takes them.
QByteArray storedServerNames()
{
    QByteArray names;
    for (const StoredServer &server : storedServers()) {
        const QByteArray name = server.name.toUtf8();
        if (!name.isEmpty() && !name.contains('\n'))
            names += name + '\n';
    }
    return names;
}

/// Asks for the password where it is to be asked for. Says why there is none.
bool login(Options &options)
{
    const auto ask = [](const QString &question, QByteArray &answer, const QString &why) {
        const auto typed = console::askPassword(question + u' ');
        if (typed && !typed->isEmpty())
            answer = *typed;
        else
            console::setFieldError(why);
        return typed && !typed->isEmpty();
    };
    if (options.askKeyPassphrase &&
        !ask(Words::tr("Passphrase of %1:").arg(options.server.keyFile), options.server.keyPassphrase,
             Words::tr("--key-askpass needs a terminal and a passphrase.")))
        return false;
    if (options.askSentinelPassword &&
        !ask(Words::tr("Password of the Sentinels of %1:").arg(options.server.toDisplayString()),
             options.server.sentinelPassword,
             Words::tr("--sentinel-askpass needs a terminal and a password.")))
        return false;
    if (!options.askPassword)
        return true;
    const auto password =
        console::askPassword(Words::tr("Password for %1:").arg(options.server.toDisplayString()) + u' ');
    options.server.password = password.value_or(QByteArray());
    if (!password) {
        console::setFieldError(Words::tr("--askpass needs a terminal and a password."));
    } else if (password->isEmpty() && !options.server.user.isEmpty()) {
        console::setFieldError(Words::tr("No password was typed for the user %1, so nothing was sent. For a "
                                         "user without a password, give -a '' instead of --askpass.")
                                   .arg(printable(options.server.user, 60)));
        return false;
    }
    return password.has_value();
}

/// The program behind its options, on one server to the end.
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
    const std::unique_ptr<Command> command = commandFor(options);
    const bool goesOn = options.verb == Verb::Watch || options.verb == Verb::Alert ||
                        options.verb == Verb::Export || options.verb == Verb::Record;
    const bool waits = options.demo && !goesOn;
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
        console::setFieldError(inWords(options.error()));
        return exitWith(ExitStatus::WrongUsage);
    }
    if (options->help || options->version) {
        return exitWith(deliver(options->help ? helpText(Program::Terminal) : versionText(Program::Terminal),
                                ExitStatus::Done));
    }
    for (const QString &warning : options->warnings)
        console::setFieldError(Words::tr("warning: %1").arg(warning));
    if (options->verb == Verb::AuditVerify)
        return exitWith(verifyAudit(*options));
    if (options->verb == Verb::Replay)
        return exitWith(replay(*options));
    if (options->verb == Verb::AclLine)
        return exitWith(printAclLine(*options));
    if (console::hasTerminal())
        SshTunnel::setPrompts(SshTunnel::Prompts::Terminal);
    if (!login(*options))
        return exitWith(ExitStatus::WrongUsage);
    if (options->verb == Verb::Simulate)
        return exitWith(Simulate(std::move(*options)).run());
    return work(std::move(*options));
}
