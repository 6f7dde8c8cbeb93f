// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/credential.h"

#include "core/base/childenvironment.h"
#include "core/base/processgroup.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QProcess>
#include <QPromise>
#include <QThreadPool>
#include <QTimeZone>
#include <QUrlQuery>

#include <memory>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto patience = 30s; // a cloud's command asks over the network
constexpr auto look = 50ms;
constexpr auto reuse = 2s; // connections that log in together share a password whose end is unknown
constexpr qsizetype maxOutput = 64 * 1024;
constexpr qsizetype maxReason = 200;

template <typename... Arguments>
tl::unexpected<Error> failed(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::NoCredential, why, arguments...);
}

std::optional<QDateTime> endOfWebToken(const QByteArray &password)
{
    const QList<QByteArray> parts = password.split('.');
    if (parts.size() != 3)
        return std::nullopt;
    const auto payload = QByteArray::fromBase64(parts[1], QByteArray::Base64UrlEncoding);
    const double end = QJsonDocument::fromJson(payload).object().value(QLatin1String("exp")).toDouble();
    if (end <= 0 || end > 1e11)
        return std::nullopt;
    return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(end), Qt::UTC);
}

std::optional<QDateTime> endOfIamToken(const QByteArray &password)
{
    const QUrlQuery query(QString::fromLatin1(password.sliced(password.indexOf('?') + 1)));
    auto from = QDateTime::fromString(query.queryItemValue(QStringLiteral("X-Amz-Date")),
                                      QStringLiteral("yyyyMMdd'T'HHmmss'Z'"));
    bool isNumber = false;
    const int seconds = query.queryItemValue(QStringLiteral("X-Amz-Expires")).toInt(&isNumber);
    if (!from.isValid() || !isNumber)
        return std::nullopt;
    from.setTimeSpec(Qt::UTC);
    return from.addSecs(seconds);
}

QByteArray lastLine(const QByteArray &text)
{
    const QByteArray trimmed = text.trimmed();
    return trimmed.sliced(trimmed.lastIndexOf('\n') + 1).left(maxReason);
}

/// Blocks its thread, which is of the pool. The program's end must not wait for the command's.
Result<Credential> run(const QString &command)
{
    QStringList parts = QProcess::splitCommand(command);
    if (parts.isEmpty())
        return failed(QT_TRANSLATE_NOOP("phrases", "it is empty"));
    QProcess process;
    process.setProcessEnvironment(childEnvironment());
    process.setStandardInputFile(QProcess::nullDevice());
    setOwnGroup(process);
    const QString program = parts.takeFirst();
    process.start(program, parts, QIODevice::ReadOnly);
    const QDeadlineTimer deadline(patience);
    while (process.state() != QProcess::NotRunning && !process.waitForFinished(look.count())) {
        if (deadline.hasExpired() || process.bytesAvailable() > maxOutput ||
            QCoreApplication::closingDown()) {
            killGroup(process);
            process.waitForFinished(-1);
            return failed(QT_TRANSLATE_NOOP("phrases", "no password within %1 s"), patience.count());
        }
    }
    if (process.error() == QProcess::FailedToStart)
        return failed(QT_TRANSLATE_NOOP("phrases", "“%1” cannot be started"), program.toUtf8());
    // What it printed on standard output may be a password; what it says of a failure stands on the other.
    const QByteArray said = lastLine(process.readAllStandardError());
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return failed(QT_TRANSLATE_NOOP("phrases", "exit status %1. It said: “%2”"), process.exitCode(),
                      said);
    return readCredential(process.readAllStandardOutput(), QDateTime::currentDateTimeUtc());
}

/// The last password of each command, or the one that is being obtained.
class Wallet
{
public:
    static Wallet &theOne()
    {
        static Wallet wallet;
        return wallet;
    }

    QFuture<Result<Credential>> get(const QString &command)
    {
        const QMutexLocker locker(&m_mutex);
        const auto last = m_futures.constFind(command);
        if (last != m_futures.cend() && (!last->isFinished() || isFresh(last->result())))
            return *last;
        auto promise = std::make_shared<QPromise<Result<Credential>>>();
        promise->start();
        QThreadPool::globalInstance()->start([command, promise] {
            promise->addResult(run(command));
            promise->finish();
        });
        return *m_futures.insert(command, promise->future());
    }

    void forget(const QString &command, const QByteArray &password)
    {
        const QMutexLocker locker(&m_mutex);
        const auto last = m_futures.constFind(command);
        if (last == m_futures.cend() || !last->isFinished())
            return;
        if (const auto known = last->result(); known && known->password == password)
            m_futures.erase(last);
    }

private:
    static bool isFresh(const Result<Credential> &known)
    {
        return known && Clock::now() < known->renewAt.value_or(known->obtainedAt + reuse);
    }

    QMutex m_mutex;
    QHash<QString, QFuture<Result<Credential>>> m_futures;
};

} // namespace

Result<Credential> readCredential(const QByteArray &output, const QDateTime &now)
{
    const QList<QByteArray> lines = output.split('\n');
    Credential credential{lines.first()};
    if (credential.password.endsWith('\r'))
        credential.password.chop(1);
    if (credential.password.isEmpty())
        return failed(QT_TRANSLATE_NOOP("phrases", "it printed no password"));
    bool isNumber = false;
    std::optional<milliseconds> life;
    if (const double seconds = lines.value(1).trimmed().toDouble(&isNumber); isNumber && seconds < 1e9)
        life = milliseconds(static_cast<qint64>(seconds * 1000));
    else if (auto end = endOfWebToken(credential.password); end || (end = endOfIamToken(credential.password)))
        life = milliseconds(now.msecsTo(*end));
    if (!life)
        return credential;
    if (*life <= 0ms)
        return failed(QT_TRANSLATE_NOOP("phrases", "the password that it printed has ended"));
    credential.renewAt = Clock::now() + *life * 3 / 4;
    return credential;
}

QFuture<Result<Credential>> credentialBy(const QString &command)
{
    return Wallet::theOne().get(command);
}

void forgetCredential(const QString &command, const QByteArray &password)
{
    Wallet::theOne().forget(command, password);
}

} // namespace lockscope
