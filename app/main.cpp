// SPDX-License-Identifier: GPL-3.0-or-later
// The window: read the command line, build, show.
#include "app/language.h"
#include "app/options.h"
#include "app/words.h"
#include "ui/mainwindow.h"
#include "ui/theme.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

using namespace lockscope;

namespace {

constexpr int wrongUsage = 2;

int print(std::FILE *stream, const QByteArray &text, int exitCode)
{
    std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stream);
    return exitCode;
}

WindowOptions windowOptions(const Options &options)
{
    WindowOptions window;
    if (options.serverGiven)
        window.server = options.server;
    window.askPassword = options.askPassword;
    window.patterns = options.patterns;
    window.readOnly = options.readOnly;
    window.demo = options.demo;
    return window;
}

QIcon applicationIcon()
{
    QIcon icon;
    for (const int size : {16, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/icons/org.lockscope.Lockscope-%1.png").arg(size));
    return icon;
}

} // namespace

int main(int argc, char **argv)
{
    // Qt gets only the name: the rest is ours, and it would take some of that for its own.
    int qtArgc = 1;
    Result<Options> options;
    {
        // No window yet, so that --help and a refusal need no display.
        const QCoreApplication early(qtArgc, argv);
        installTranslations();
        options = parseOptions(Program::Window, std::span(argv, static_cast<size_t>(argc)).subspan(1));
        if (!options)
            return print(stderr, "lockscope: " + options.error().detail + '\n', wrongUsage);
        if (options->help)
            return print(stdout, helpText(Program::Window), 0);
        if (options->version)
            return print(stdout, versionText(Program::Window), 0);
        for (const QString &warning : options->warnings)
            print(stderr, "lockscope: " + Words::tr("warning: %1").arg(warning).toUtf8() + '\n', 0);
    }

    QApplication application(qtArgc, argv);
    installTranslations();
    QApplication::setApplicationName(QStringLiteral("Lockscope"));
    QApplication::setApplicationVersion(QStringLiteral(LOCKSCOPE_VERSION));
    QApplication::setOrganizationName(QStringLiteral("lockscope"));
    QApplication::setDesktopFileName(QStringLiteral("org.lockscope.Lockscope"));
    QApplication::setWindowIcon(applicationIcon());
    applyTheme(chosenTheme());

    MainWindow window(windowOptions(*options));
    window.show();
    return QApplication::exec();
}
