// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/keyring.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QtTest>

#include <csignal>
#include <sys/prctl.h>

namespace lockscope {

namespace {

constexpr int patience = 60'000;

/// As a child that does not outlive this process, however that ends.
void startProcess(QProcess &process, const QString &program, const QStringList &arguments)
{
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
    process.start(program, arguments);
    if (!process.waitForStarted(patience))
        qFatal("can't start %s (%s): is its package installed?", qPrintable(program),
               qPrintable(process.errorString()));
}

void stopProcess(QProcess &process)
{
    if (process.state() == QProcess::NotRunning)
        return;
    process.terminate();
    if (!process.waitForFinished(patience))
        qFatal("%s does not end", qPrintable(process.program()));
}

} // namespace

Keyring::Keyring()
{
    for (const char *folder : {"/run", "/.config", "/.local/state"})
        QDir().mkpath(home() + QLatin1String(folder));
    QFile::setPermissions(home() + QLatin1String("/run"),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QFile rules(home() + QLatin1String("/run/bus.conf"));
    if (!rules.open(QIODevice::WriteOnly))
        qFatal("can't write %s", qPrintable(rules.fileName()));
    rules.write(
        "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN' "
        "'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd'><busconfig><type>session</type>"
        "<listen>unix:path=" +
        QFile::encodeName(home()) +
        "/run/bus</listen><policy context='default'><allow send_destination='*'/>"
        "<allow receive_sender='*'/><allow own='*'/></policy></busconfig>");
    rules.close();
    startProcess(m_bus, QStringLiteral("dbus-daemon"),
                 {QStringLiteral("--config-file=") + rules.fileName(), QStringLiteral("--nofork"),
                  QStringLiteral("--nopidfile"), QStringLiteral("--print-address")});
    if (!m_bus.waitForReadyRead(patience))
        qFatal("dbus-daemon does not say where it is: %s", m_bus.readAllStandardError().constData());
    for (const auto &[name, folder] :
         {std::pair("HOME", ""), std::pair("XDG_CONFIG_HOME", "/.config"),
          std::pair("XDG_DATA_HOME", "/.local/share"), std::pair("XDG_STATE_HOME", "/.local/state"),
          std::pair("XDG_CACHE_HOME", "/.cache"), std::pair("XDG_RUNTIME_DIR", "/run")})
        qputenv(name, QFile::encodeName(home() + QLatin1String(folder)));
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + QFile::encodeName(home()) + "/run/bus");
    // Whichever desktop this is run on.
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION",
                             "GNOME_DESKTOP_SESSION_ID", "KDE_FULL_SESSION"})
        qunsetenv(name);
}

Keyring::~Keyring()
{
    stopProcess(m_daemon);
    stopProcess(m_bus);
}

void Keyring::start()
{
    if (m_daemon.state() == QProcess::Running)
        return;
    // The file has a capability, with which no container may start it that lacks this. A copy has none.
    const QString installed = QStandardPaths::findExecutable(QStringLiteral("gnome-keyring-daemon"));
    const QString copy = home() + QLatin1String("/run/gnome-keyring-daemon");
    if (installed.isEmpty() || !QFile::copy(installed, copy))
        qFatal("can't copy gnome-keyring-daemon: is its package installed?");
    startProcess(
        m_daemon, copy,
        {QStringLiteral("--foreground"), QStringLiteral("--components=secrets"), QStringLiteral("--unlock")});
    m_daemon.write("a password of the keyring's own");
    m_daemon.closeWriteChannel();
    if (!QTest::qWaitFor([] { return !call(QStringLiteral("DBus.Peer.Ping")).isEmpty(); }, patience))
        qFatal("gnome-keyring-daemon does not answer: %s", m_daemon.readAllStandardError().constData());
}

void Keyring::lock()
{
    const QByteArray locked =
        call(QStringLiteral("Secret.Service.Lock"),
             {QStringLiteral("array:objpath:/org/freedesktop/secrets/collection/login")});
    if (!locked.contains("collection/login"))
        qFatal("the keyring cannot be locked: %s", locked.constData());
}

bool Keyring::has(const QString &attribute, const QString &value) const
{
    return call(QStringLiteral("Secret.Service.SearchItems"),
                {QStringLiteral("dict:string:string:%1,%2").arg(attribute, value)})
        .contains("collection/login/");
}

/// What dbus-send prints of the answer; empty: there is none.
QByteArray Keyring::call(const QString &method, const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral("dbus-send"),
                  QStringList{QStringLiteral("--session"), QStringLiteral("--print-reply"),
                              QStringLiteral("--dest=org.freedesktop.secrets"),
                              QStringLiteral("/org/freedesktop/secrets"),
                              QStringLiteral("org.freedesktop.") + method} +
                      arguments);
    if (!process.waitForFinished(patience))
        qFatal("dbus-send does not end");
    return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

} // namespace lockscope
