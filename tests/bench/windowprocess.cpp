// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/windowprocess.h"

#include "tests/bench/processtime.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <QRegularExpression>

#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

WindowProcess::WindowProcess(const ServerAddress &server, const QString &platform, const QString &directory,
                             const QStringList &arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
    for (const char *place : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(QString::fromLatin1(place), directory.isEmpty() ? m_directory.path() : directory);
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/lockscope"),
                    QStringList{QStringLiteral("-s"), server.socketPath} + arguments);
    m_process.waitForStarted();
}

WindowProcess::~WindowProcess()
{
    m_process.terminate();
    m_process.waitForFinished();
}

bool WindowProcess::waitUntilRead(BlockingConnection &server, qint64 locks)
{
    const QRegularExpression calls(QStringLiteral("cmdstat_pttl:calls=(\\d+)"));
    for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;) {
        const Result<Reply> stats = server.send({"INFO", "commandstats"});
        if (!stats || m_process.state() != QProcess::Running)
            return false;
        if (calls.match(QString::fromLatin1(stats->text)).captured(1).toLongLong() >= locks) {
            std::this_thread::sleep_for(3s);
            return true;
        }
        std::this_thread::sleep_for(100ms);
    }
    return false;
}

std::optional<double> WindowProcess::residentMegabytes() const
{
    const QString status =
        QString::fromLatin1(contents(QStringLiteral("/proc/%1/status").arg(m_process.processId())));
    const auto found = QRegularExpression(QStringLiteral("VmRSS:\\s+(\\d+) kB")).match(status);
    return found.hasMatch() ? std::optional(found.captured(1).toDouble() / 1024) : std::nullopt;
}

std::optional<WindowProcess::Load> WindowProcess::load(std::chrono::seconds during) const
{
    const QString process = QStringLiteral("/proc/%1/").arg(m_process.processId());
    const auto timesOf = [&] {
        Load times;
        times.all = processorSeconds(process + QStringLiteral("stat"));
        for (const QString &thread : QDir(process + QStringLiteral("task")).entryList(QDir::Dirs)) {
            const QString place = process + QStringLiteral("task/") + thread;
            if (thread.toLongLong() == m_process.processId())
                times.window = processorSeconds(place + QStringLiteral("/stat"));
            else if (contents(place + QStringLiteral("/comm")).trimmed() == "monitor")
                times.monitor = processorSeconds(place + QStringLiteral("/stat"));
        }
        return times;
    };
    const Load before = timesOf();
    std::this_thread::sleep_for(during);
    const Load after = timesOf();
    if (after.all <= 0)
        return std::nullopt;
    const auto share = [during](double from, double to) {
        return (to - from) / std::chrono::duration<double>(during).count();
    };
    return Load{share(before.window, after.window), share(before.monitor, after.monitor),
                share(before.all, after.all)};
}

} // namespace lockscope
