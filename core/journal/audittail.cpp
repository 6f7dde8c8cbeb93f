// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/audittail.h"

#include "core/journal/auditfile.h"
#include "core/journal/auditlog.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

#include <sys/stat.h>

namespace lockscope {

namespace {

// More in one go was not written by people who end locks.
constexpr qint64 maxAtOnce = 4 * 1024 * 1024;
// A release long after it has nothing to do with it.
constexpr auto remembered = std::chrono::seconds(10);

/// The bytes of a text in the log: from base64 if not UTF-8.
QByteArray bytesOf(const QJsonObject &object, const QString &name)
{
    const QJsonValue exact = object.value(name + QStringLiteral("_base64"));
    return exact.isString() ? QByteArray::fromBase64(exact.toString().toLatin1())
                            : object.value(name).toString().toUtf8();
}

/// -1: unknown.
qint64 sizeOf(const FileDescriptor &file)
{
    struct stat status = {};
    return file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

FileDescriptor opened(const QString &path)
{
    return FileDescriptor(
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
}

} // namespace

AuditTail::AuditTail(QString path) : m_path(path.isEmpty() ? AuditLog::defaultPath() : std::move(path))
{
    m_end = std::max<qint64>(sizeOf(opened(m_path)), 0);
}

AuditTail::Answer AuditTail::wasForced(const QByteArray &runId, const LockAddress &lock,
                                       const QList<LockOwner> &owners)
{
    const TimePoint now = Clock::now();
    m_requests.removeIf([now](const Request &request) { return now - request.readAt > remembered; });
    const auto found = std::ranges::find_if(m_requests, [&](const Request &request) {
        return request.runId == runId && request.isFor(lock, owners);
    });
    if (found == m_requests.end() || runId.isEmpty())
        return Answer::No;
    if (!found->endedMs)
        return Answer::NotYet;
    // Several owners that were ended at once are told of one by one.
    found->remove(owners);
    if (found->owners.isEmpty())
        m_requests.erase(found);
    return Answer::Yes;
}

void AuditTail::dismiss(const LockAddress &lock, const QList<LockOwner> &owners)
{
    for (Request &request : m_requests) {
        if (request.isFor(lock, owners))
            request.remove(owners);
    }
    m_requests.removeIf([](const Request &request) { return request.owners.isEmpty(); });
}

void AuditTail::noteHeld(const LockAddress &lock, qint64 wallMs)
{
    m_requests.removeIf([&](const Request &request) {
        return request.lock == lock && request.endedMs && *request.endedMs < wallMs;
    });
}

bool AuditTail::Request::isFor(const LockAddress &other, const QList<LockOwner> &holders) const
{
    return lock == other && !holders.isEmpty() && std::ranges::all_of(holders, [&](const LockOwner &holder) {
               return owners.contains(holder.owner.bytes);
           });
}

void AuditTail::Request::remove(const QList<LockOwner> &holders)
{
    for (const LockOwner &holder : holders)
        owners.removeAll(holder.owner.bytes);
}

void AuditTail::read()
{
    const FileDescriptor file = opened(m_path);
    const qint64 size = sizeOf(file);
    if (size < m_end) { // another file by now
        m_end = 0;
        m_rest.clear();
    }
    const qint64 gained = std::min(size - m_end, maxAtOnce);
    if (gained <= 0)
        return;
    QByteArray bytes(gained, Qt::Uninitialized);
    const ssize_t got = ::pread(file, bytes.data(), static_cast<size_t>(gained), m_end);
    if (got <= 0)
        return;
    m_end += got;
    m_rest += bytes.first(got);
    const qsizetype lineEnd = m_rest.lastIndexOf('\n');
    for (const QByteArray &line : m_rest.first(lineEnd + 1).split('\n'))
        take(line);
    m_rest = m_rest.sliced(lineEnd + 1);
    if (m_rest.size() > maxAtOnce)
        m_rest.clear();
}

void AuditTail::take(QByteArrayView line)
{
    const QJsonObject record = QJsonDocument::fromJson(line.toByteArray()).object();
    const QByteArray id = record[QLatin1String("request")].toString().toLatin1();
    const QString action = record[QLatin1String("action")].toString();
    if (record[QLatin1String("phase")].toString() == QLatin1String("completed")) {
        const auto request = std::ranges::find(m_requests, id, &Request::id);
        if (request == m_requests.end())
            return;
        if (record[QLatin1String("outcome")].toString() != QLatin1String("expired")) {
            m_requests.erase(request);
            return;
        }
        const QString time = record[QLatin1String("time")].toString();
        request->endedMs = QDateTime::fromString(time, Qt::ISODateWithMs).toMSecsSinceEpoch();
        return;
    }
    // With a grace it ends later, as any lease does.
    if (action != QLatin1String("force-expire") || record.contains(QLatin1String("grace_ms")))
        return;
    Request request{
        .id = id,
        .runId = record[QLatin1String("run_id")].toString().toUtf8(),
        .lock = {LockKey(bytesOf(record, QStringLiteral("key"))), record[QLatin1String("db")].toInt()},
        .owners = {},
        .endedMs = {},
        .readAt = Clock::now()};
    for (const QJsonValue &owner : record[QLatin1String("expected")].toArray())
        request.owners.append(bytesOf(owner.toObject(), QStringLiteral("owner")));
    m_requests.append(request);
}

} // namespace lockscope
