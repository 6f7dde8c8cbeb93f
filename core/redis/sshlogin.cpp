// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sshlogin.h"

#include "core/base/childenvironment.h"
#include "core/base/directoryname.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto lookInterval = 20ms;   // whether the login stands: ssh tells it by a file alone
constexpr auto unattendedLogin = 20s; // with nobody to ask
constexpr auto attendedLogin = 120s;  // as long as sshd itself waits
constexpr auto linger = 300ms;        // a connection may be followed by another
constexpr auto reasonHolds = 3s;      // so long a refusal explains connections that end
constexpr auto refusedFor = 300ms;    // several connections ask at once: one refusal is for all of them
constexpr auto explainPatience = 200ms;
constexpr auto answerInterval = 20ms;
constexpr auto endPatience = 2s;
constexpr qsizetype maxReasons = 1000;

/// $1: directory to make and remove; the rest: ssh with its arguments. Our end of the shell's standard input
/// stays open while we live: ssh ends with us, even after a crash. In the background, ssh does not get
/// Ctrl-C, since its tunnel is still needed. Why a shell: see PrivateServer.
constexpr char supervisor[] = R"sh(
trap '' HUP INT PIPE
umask 077
directory=$1
shift
mkdir "$directory" || exit
exec 3<&0
"$@" </dev/null 3<&- &
ssh=$!
trap 'kill "$ssh"' TERM
{
    read -r end <&3
    kill "$ssh"
} 2>/dev/null >/dev/null &
reader=$!
exec 3<&-
wait "$ssh"
status=$?
kill "$reader" 2>/dev/null
rm -rf "$directory"
exit "$status"
)sh";

/// The arguments end the options.
QStringList destination(const QString &host)
{
    const SshDestination destination(host);
    QStringList words;
    if (!destination.port.isEmpty())
        words << QStringLiteral("-p") << destination.port;
    return words << QStringLiteral("--") << destination.name;
}

QStringList option(const char *text)
{
    return {QStringLiteral("-o"), QLatin1String(text)};
}

} // namespace

SshLogin::SshLogin(QString host, QString control, Prompting prompting)
    : m_host(std::move(host)), m_control(std::move(control)), m_prompting(std::move(prompting))
{
    m_look.setInterval(lookInterval);
    connect(&m_look, &QTimer::timeout, this, &SshLogin::look);
    m_linger.setInterval(linger);
    m_linger.setSingleShot(true);
    connect(&m_linger, &QTimer::timeout, this, [this] {
        if (m_holders == 0)
            stop();
    });
    m_answers.setInterval(answerInterval);
    connect(&m_answers, &QTimer::timeout, this, &SshLogin::answer);
}

SshLogin::~SshLogin()
{
    stop();
    for (Question &question : m_questions) {
        question.why->addResult(std::nullopt);
        question.why->finish();
    }
}

void SshLogin::release()
{
    if (--m_holders == 0)
        m_linger.start();
}

QString SshLogin::control() const
{
    if (!m_control.isEmpty())
        return m_control;
    return m_isReady ? m_directory + QStringLiteral("/c") : QString();
}

void SshLogin::open(const QString &target, const Way &way)
{
    if (m_failure && !m_refusesUntil.hasExpired()) {
        way->addResult(tl::unexpected(*m_failure));
        way->finish();
        return;
    }
    Forward &wanted = m_forwards[target];
    wanted.waiting.push_back(way);
    if (wanted.stands)
        return settle(wanted, wanted.path);
    if (!m_control.isEmpty())
        m_isReady = true; // else the forward says so
    if (!m_isReady)
        start();
    else if (wanted.waiting.size() == 1)
        forward(target);
}

void SshLogin::start()
{
    if (m_process)
        return;
    m_log = {};
    m_failure.reset();
    m_directory = freshDirectoryName();
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::SeparateChannels);
    m_process->setStandardOutputFile(QProcess::nullDevice());
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &SshLogin::readLog);
    connect(m_process.get(), &QProcess::finished, this, &SshLogin::ended);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
    QProcessEnvironment environment = childEnvironment();
    const bool asks = m_prompting.prompts != SshTunnel::Prompts::None;
    if (m_prompting.prompts == SshTunnel::Prompts::Window) {
        environment.insert(QStringLiteral("SSH_ASKPASS_REQUIRE"), QStringLiteral("force"));
        if (!environment.contains(QStringLiteral("SSH_ASKPASS"))) { // else the user has chosen one
            environment.insert(QStringLiteral("SSH_ASKPASS"), m_prompting.program);
            environment.insert(QLatin1String(SshTunnel::askpassVariable), QStringLiteral("1"));
        }
    }
    m_process->setProcessEnvironment(environment);
    // The user's own configuration says how to get there; what it would do besides (forwards, commands, a terminal) is not
    // for this login.
    QStringList words{QStringLiteral("-c"), QLatin1String(supervisor), QStringLiteral("lockscope-ssh"),
                      m_directory, QStringLiteral("ssh")};
    words << QStringLiteral("-M") << QStringLiteral("-N") << QStringLiteral("-T") << QStringLiteral("-S")
          << m_directory + QStringLiteral("/c");
    for (const char *each :
         {"ControlMaster=yes", "ControlPersist=no", "ClearAllForwardings=yes", "ExitOnForwardFailure=no",
          "PermitLocalCommand=no", "RemoteCommand=none", "ForwardAgent=no", "ForwardX11=no",
          "StreamLocalBindUnlink=yes", "LogLevel=DEBUG1", "ServerAliveInterval=3", "ServerAliveCountMax=2",
          "ConnectTimeout=10"})
        words << option(each);
    if (!asks)
        words << option("BatchMode=yes");
    m_process->start(QStringLiteral("/bin/sh"), words << destination(m_host));
    m_patience = QDeadlineTimer(asks ? std::chrono::seconds(attendedLogin) : unattendedLogin);
    m_look.start();
}

void SshLogin::look()
{
    if (QFileInfo::exists(m_directory + QStringLiteral("/c"))) { // made when it listens
        m_look.stop();
        m_isReady = true;
        for (const auto &[target, wanted] : m_forwards) {
            if (!wanted.waiting.empty())
                forward(target);
        }
        return;
    }
    if (!m_patience.hasExpired())
        return;
    fail({ErrorKind::SshNotReached, Phrase(QT_TRANSLATE_NOOP("phrases", "no SSH login in time"))});
    stop();
}

void SshLogin::readLog()
{
    if (m_process)
        m_log.take(m_process->readAllStandardError());
    for (const SshLog::OpenFailure &failure : m_log.takeOpenFailures()) {
        for (auto &[target, forward] : m_forwards) {
            if (!failure.channel.contains(" to " + forward.path.toUtf8() + " port"))
                continue;
            if (forward.reasonsHold.hasExpired())
                forward.reasons.clear();
            if (forward.reasons.size() < maxReasons)
                forward.reasons.append(failure.reason);
            forward.reasonsHold = QDeadlineTimer(reasonHolds);
        }
    }
    answer();
}

/// The process has ended, or could not start.
void SshLogin::ended()
{
    if (!m_process)
        return;
    readLog();
    const bool isMissing =
        m_process->error() == QProcess::FailedToStart || m_process->exitCode() == 127; // a shell's word
    const Error why =
        isMissing ? Error(ErrorKind::SshRefused,
                          Phrase(QT_TRANSLATE_NOOP(
                              "phrases", "The program ssh is missing. Install the package openssh-client.")))
                  : sshError(m_host, m_log.messages());
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // this may be its own signal
    m_look.stop();
    fail(why);
}

/// Fails waiting requests, and those that follow within a moment.
void SshLogin::fail(const Error &why)
{
    m_failure = why;
    const bool wasReady = std::exchange(m_isReady, false); // one that was lost is tried again at once
    m_refusesUntil = wasReady ? QDeadlineTimer() : QDeadlineTimer(refusedFor);
    m_explainsUntil = QDeadlineTimer(reasonHolds);
    for (auto &[target, forward] : std::exchange(m_forwards, {}))
        settle(forward, tl::unexpected(why));
    answer();
}

void SshLogin::stop()
{
    m_linger.stop();
    m_look.stop();
    m_isReady = false;
    if (m_process) {
        m_process->disconnect(this);
        m_process->closeWriteChannel();
        if (!m_process->waitForFinished(std::chrono::milliseconds(endPatience).count())) {
            // Its input has ended: it does so by itself, with ssh and its directory. Killed, it would leave both.
            QProcess *late = m_process.release(); // NOLINT(cppcoreguidelines-owning-memory)
            connect(late, &QProcess::finished, late, &QObject::deleteLater);
        }
        m_process.reset();
    }
    const Error closed(ErrorKind::Canceled, Phrase(QT_TRANSLATE_NOOP("phrases", "closed")));
    for (auto &[target, forward] : std::exchange(m_forwards, {}))
        settle(forward, tl::unexpected(closed));
}

void SshLogin::forward(const QString &target)
{
    Forward &wanted = m_forwards[target];
    const QString directory = QFileInfo(control()).path();
    wanted.path =
        QStringLiteral("%1/%2-%3").arg(directory).arg(QCoreApplication::applicationPid()).arg(++m_made);
    auto *ssh = new QProcess(this); // NOLINT(cppcoreguidelines-owning-memory): a child
    ssh->setProcessEnvironment(childEnvironment());
    connect(ssh, &QProcess::finished, this, [this, ssh, target] { forwarded(target, *ssh); });
    connect(ssh, &QProcess::errorOccurred, this, [this, ssh, target](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            forwarded(target, *ssh);
    });
    ssh->start(QStringLiteral("ssh"),
               QStringList{QStringLiteral("-F"),
                           QStringLiteral("/dev/null"), // forwards of the user's are not ours
                           QStringLiteral("-S"), control(), QStringLiteral("-O"), QStringLiteral("forward"),
                           QStringLiteral("-L"), wanted.path + u':' + target} +
                   option("LogLevel=INFO") + option("StreamLocalBindUnlink=yes") + destination(m_host));
    ssh->closeWriteChannel();
}

void SshLogin::forwarded(const QString &target, QProcess &ssh)
{
    ssh.disconnect(this);
    ssh.deleteLater();
    const auto found = m_forwards.find(target);
    if (found == m_forwards.end()) // the login has ended meanwhile
        return;
    Forward &wanted = found->second;
    wanted.stands = ssh.error() != QProcess::FailedToStart && ssh.exitStatus() == QProcess::NormalExit &&
                    ssh.exitCode() == 0 && QFileInfo::exists(wanted.path);
    if (wanted.stands)
        return settle(wanted, wanted.path);
    QByteArray said = ssh.readAllStandardError().trimmed();
    settle(wanted, tl::unexpected(Error(ErrorKind::SshNotReached, said.sliced(said.lastIndexOf('\n') + 1))));
}

void SshLogin::settle(Forward &forward, const Result<QString> &result)
{
    for (const Way &way : std::exchange(forward.waiting, {})) {
        way->addResult(result);
        way->finish();
    }
}

void SshLogin::explain(const QString &path, bool hasReceived, const Why &why)
{
    m_questions.push_back({path, hasReceived, why, QDeadlineTimer(explainPatience)});
    m_answers.start();
    answer();
}

/// ssh's messages may come a little later than the end of their connection.
void SshLogin::answer()
{
    std::erase_if(m_questions, [this](const Question &question) {
        const std::optional<Error> why = reasonFor(question);
        if (!why && !question.patience.hasExpired())
            return false;
        question.why->addResult(why);
        question.why->finish();
        return true;
    });
    if (m_questions.empty())
        m_answers.stop();
}

std::optional<Error> SshLogin::reasonFor(const Question &question)
{
    const auto known = std::ranges::find_if(
        m_forwards, [&](const auto &forward) { return forward.second.path == question.path; });
    if (known == m_forwards.end())
        return m_explainsUntil.hasExpired() ? std::nullopt : m_failure;
    auto &[target, forward] = *known;
    if (question.hasReceived || forward.reasons.isEmpty() || forward.reasonsHold.hasExpired())
        return std::nullopt;
    return sshOpenError(m_host, target, forward.reasons.takeFirst());
}

} // namespace lockscope
