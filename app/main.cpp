// SPDX-License-Identifier: GPL-3.0-or-later
// The window: read the command line, build, show.
#include "app/interrupt.h"
#include "app/language.h"
#include "app/options.h"
#include "app/words.h"
#include "core/base/settings.h"
#include "core/recording/recording.h"
#include "core/redis/sshtunnel.h"
#include "core/words/phrases.h"
#include "ui/connect/sshaskpass.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/preferencesdialog.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFile>
#include <QIcon>

#include <cstdio>
#include <cstdlib>

using namespace lockscope;

namespace {

constexpr int usageError = 2;
constexpr int unavailable = 3; ///< same as in `lockscope-cli replay`
constexpr int notWritten = 5;

int print(std::FILE *stream, const QByteArray &text, int exitCode)
{
    const auto size = static_cast<size_t>(text.size());
    const bool isWritten = std::fwrite(text.constData(), 1, size, stream) == size && std::fflush(stream) == 0;
    return isWritten ? exitCode : notWritten;
}

WindowOptions windowOptions(const Options &options)
{
    WindowOptions window;
    if (options.serverGiven)
        window.server = options.server;
    if (!options.stored.isEmpty()) {
        window.serverName = options.stored.first().name;
        window.group = options.stored.first().group;
    }
    window.environment = options.environment;
    window.selectedLock = options.selectedLock;
    window.link = options.link;
    window.warning = options.badLink;
    window.askPassword = options.askPassword || options.askSentinelPassword || options.askKeyPassphrase;
    window.usesKeychain = !options.passwordGiven;
    window.patterns = options.patterns;
    window.readOnly = options.readOnly;
    window.demo = options.demo;
    window.offersTour = true;
    window.replayPath = QFile::decodeName(options.replayPath);
    window.recordPath = QFile::decodeName(options.recordPath);
    window.recordOptions = {.limit = options.recording.limit, .isAnonymous = options.recording.isAnonymous};
    return window;
}

void openWindows(const Options &options)
{
    const WindowOptions first = windowOptions(options);
    if (options.stored.size() <= 1) {
        MainWindow::open(first);
        return;
    }
    // A password of the environment is for one server, and nobody has said for which.
    for (const StoredServer &stored : options.stored)
        MainWindow::open(first.forServer(stored));
}

void nameApplication()
{
    QCoreApplication::setApplicationName(QStringLiteral("Lockscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockscope"));
}

QIcon applicationIcon()
{
    QIcon icon;
    for (const int size : {16, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/icons/org.lockscope.Lockscope-%1.png").arg(size));
    return icon;
}

/// Takes the place of Qt's abort() where no window can be opened.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext &, const QString &)
{
    if (type != QtFatalMsg)
        return;
    print(stderr,
          "lockscope: " +
              Words::tr("no window: no display (DISPLAY, WAYLAND_DISPLAY), or no Qt platform plugin. In a "
                        "terminal: lockscope-cli top")
                  .toUtf8() +
              '\n',
          unavailable);
    std::_Exit(unavailable);
}

} // namespace

int main(int argc, char **argv)
{
    // Qt gets only the name: the rest is ours, and it would take some of that for its own.
    int qtArgc = 1;
    if (qEnvironmentVariableIsSet(SshTunnel::askpassVariable)) { // by the ssh of a window, never by people
        const QApplication asker(qtArgc, argv);
        nameApplication();
        installTranslations(chosenLocale());
        applyTheme(chosenTheme());
        return runSshAskpass(QString::fromLocal8Bit(argc > 1 ? argv[1] : ""));
    }
    Result<Options> options;
    {
        // No window yet, so that --help and a refusal need no display.
        const QCoreApplication early(qtArgc, argv);
        nameApplication(); // its settings are read for --connect
        installTranslations(chosenLocale());
        options = parseOptions(Program::Window, std::span(argv, static_cast<size_t>(argc)).subspan(1));
        if (!options)
            return print(stderr, "lockscope: " + inWords(options.error()).toUtf8() + '\n', usageError);
        if (options->help)
            return print(stdout, helpText(Program::Window), 0);
        if (options->version)
            return print(stdout, versionText(Program::Window), 0);
        if (Settings::areNewer())
            options->warnings << inWords(Settings::newerText());
        for (const QString &warning : options->warnings)
            print(stderr, "lockscope: " + Words::tr("warning: %1").arg(warning).toUtf8() + '\n', 0);
        if (!options->replayPath.isEmpty()) {
            if (const auto opened = Recording::canOpen(QFile::decodeName(options->replayPath)); !opened)
                return print(stderr, "lockscope: " + inWords(opened.error()).toUtf8() + '\n', unavailable);
        }
    }

    const QtMessageHandler usual = qInstallMessageHandler(endWithoutDisplay);
    QApplication application(qtArgc, argv);
    qInstallMessageHandler(usual);
    installTranslations(chosenLocale());
    QApplication::setApplicationVersion(QStringLiteral(LOCKSCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.lockscope.Lockscope"));
    QApplication::setWindowIcon(applicationIcon());
    applyTheme(chosenTheme());
    applyTextSize();

    SshTunnel::setPrompts(SshTunnel::Prompts::Window, QApplication::applicationFilePath());
    openWindows(*options);
    // Whoever ends the program, its session is closed in order: an action under way gets its audit record.
    const Interrupt interrupt;
    QObject::connect(&interrupt, &Interrupt::interrupted, &application, &QApplication::quit);
    const int status = QApplication::exec();
    MainWindow::closeAll();
    return status;
}
