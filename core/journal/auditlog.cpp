// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/auditlog.h"

#include "core/base/printable.h"
#include "core/base/statedirectory.h"
#include "core/journal/auditfile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QHash>
#include <QJsonDocument>
#include <QSysInfo>
#include <QUuid>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>

#include <pwd.h>
#include <sys/stat.h>

namespace lockscope {

namespace {

// A record is a few hundred bytes; a line beyond this is not ours, and reading it would be somebody's attack.
constexpr qsizetype longestLine = 1024 * 1024;
constexpr qsizetype longestKept = 16 * 1024; // of a record that is shown
constexpr qsizetype longestField = 1024;     // of one that is longer
constexpr std::array namesOfTheLog{
    QLatin1String("seq"),     QLatin1String("time"), QLatin1String("phase"),
    QLatin1String("request"), QLatin1String("user"), QLatin1String("host"),
    QLatin1String("pid"),     QLatin1String("prev"), QLatin1String("format"),
};

/// A version that writes records otherwise says so in each, by a number from 2 on.
bool isOfNewer(const QJsonObject &record)
{
    const QJsonValue format = record.value(QLatin1String("format"));
    return !format.isUndefined() && format.toInteger(2) > 1;
}

tl::unexpected<Error> newerWrote(const QString &path)
{
    return auditFailed(QT_TRANSLATE_NOOP("phrases", "A newer Lockscope wrote %1. Update Lockscope."), path);
}

QByteArray digest(QByteArrayView line)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(line);
    return hash.result().toHex();
}

QByteArray digestBeforeFirst()
{
    return QByteArray(64, '0');
}

QByteArray userName()
{
    passwd entry{};
    passwd *found = nullptr;
    std::array<char, 4096> buffer{};
    if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return found->pw_name;
    return QByteArray::number(::geteuid());
}

/// The end of the hash chain, and what must be written before a new line.
struct Tail
{
    QByteArray digest;
    qint64 seq = 0;   ///< of the last line: its number in the file
    bool cut = false; ///< the last line is incomplete: its writer died
};

constexpr qint64 maxRecords = qint64(1) << 53; // more are no exact numbers in JSON

std::optional<qint64> seqIn(QByteArrayView line)
{
    const QJsonObject record = QJsonDocument::fromJson(line.toByteArray()).object();
    const qint64 seq = record.value(QLatin1String("seq")).toInteger(-1);
    return seq > 0 && seq <= maxRecords ? std::optional(seq) : std::nullopt;
}

/// The seq of the last line of `tail`, counted from the last line with its own.
std::optional<qint64> countOn(QByteArrayView tail, bool tailIsAll)
{
    qint64 linesAfter = 0;
    while (!tail.isEmpty()) {
        const qsizetype lineEnd = tail.lastIndexOf('\n');
        if (const auto seq = seqIn(tail.sliced(lineEnd + 1)))
            return *seq + linesAfter;
        ++linesAfter;
        tail = tail.first(std::max<qsizetype>(lineEnd, 0));
    }
    return tailIsAll ? std::optional(linesAfter) : std::nullopt;
}

Result<Tail> readTail(const FileDescriptor &fd, const QString &path)
{
    struct stat status = {};
    if (::fstat(fd, &status) != 0)
        return auditFailed(path, errno);
    if (status.st_size == 0)
        return Tail{digestBeforeFirst(), 0, false};

    // Mostly the last few records suffice; where the end was cut, the one before the cut is needed as well.
    for (const qsizetype window : {16 * qsizetype(1024), 2 * longestLine}) {
        const qsizetype size = std::min<qsizetype>(window, status.st_size);
        QByteArray tail(size, Qt::Uninitialized);
        const ssize_t got = ::pread(fd, tail.data(), static_cast<size_t>(size), status.st_size - size);
        if (got != size)
            return auditFailed(path, got < 0 ? errno : EIO);
        const bool cut = !tail.endsWith('\n');
        if (!cut)
            tail.chop(1);
        const qsizetype lineStart = tail.lastIndexOf('\n') + 1;
        const bool isWhole = lineStart > 0 || size == status.st_size;
        const QByteArrayView line = QByteArrayView(tail).sliced(lineStart);
        if (!isWhole || line.size() > longestLine)
            continue;
        if (isOfNewer(QJsonDocument::fromJson(line.toByteArray()).object()))
            return newerWrote(path);
        // A writer that dies leaves a cut line. A whole line that is no record was written by somebody else.
        if (!cut && !seqIn(line))
            break;
        if (const auto seq = countOn(tail, size == status.st_size))
            return Tail{digest(line), *seq, cut};
    }
    return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 does not end with an audit record. Move it away."),
                       path);
}

/// The parts of a record that help to find the cause.
QJsonObject askedIn(const QJsonObject &record)
{
    QJsonObject asked;
    for (const char *name : {"request", "time", "action", "server", "db", "key", "key_base64"}) {
        if (const QJsonValue value = record.value(QLatin1String(name)); !value.isUndefined())
            asked.insert(QLatin1String(name), value);
    }
    return asked;
}

/// The displayed part of a record: all, unless it is very long.
QJsonObject keptOf(const QJsonObject &record, qsizetype length)
{
    if (length <= longestKept)
        return record;
    QJsonObject kept = askedIn(record);
    for (const QString &name : kept.keys()) {
        if (kept.value(name).toString().size() > longestField)
            kept.remove(name);
    }
    return kept;
}

class NewestRequests
{
public:
    explicit NewestRequests(qsizetype most) : m_most(most) {}

    void take(const QByteArray &id, bool isAsked, const QJsonObject &record)
    {
        if (!isAsked) {
            if (const auto asked = m_numbers.constFind(id); asked != m_numbers.constEnd())
                m_requests[static_cast<size_t>(*asked - m_forgotten)].completed = record;
            return;
        }
        m_numbers.insert(id, m_forgotten + qint64(m_requests.size()));
        m_ids.push_back(id);
        m_requests.push_back({record, {}});
        if (std::ssize(m_requests) > m_most)
            forgetOldest();
    }
    qint64 count() const { return m_forgotten + qint64(m_requests.size()); }
    QList<AuditLog::Request> newestFirst() const { return {m_requests.rbegin(), m_requests.rend()}; }

private:
    void forgetOldest()
    {
        // The same id may have been used twice, by somebody else than the log.
        if (m_numbers.value(m_ids.front()) == m_forgotten)
            m_numbers.remove(m_ids.front());
        m_ids.pop_front();
        m_requests.pop_front();
        ++m_forgotten;
    }

    const qsizetype m_most;
    qint64 m_forgotten = 0;
    std::deque<AuditLog::Request> m_requests;
    std::deque<QByteArray> m_ids;
    QHash<QByteArray, qint64> m_numbers;
};

class Checker
{
public:
    explicit Checker(qsizetype maxRequests) : m_newest(maxRequests) {}

    void check(QByteArrayView line, bool closed)
    {
        ++m_line;
        const QJsonObject record = QJsonDocument::fromJson(line.toByteArray()).object();
        const QByteArray prev = record.value(QLatin1String("prev")).toString().toLatin1();
        if (!closed)
            broken(Phrase(QT_TRANSLATE_NOOP("phrases", "the record is cut off")));
        else if (line.size() > longestLine || record.isEmpty())
            broken(Phrase(QT_TRANSLATE_NOOP("phrases", "the line is not a record")));
        else if (prev != m_digest)
            broken(Phrase(QT_TRANSLATE_NOOP(
                "phrases", "it does not follow the line before: a line was changed or removed")));
        else if (record.value(QLatin1String("seq")).toInteger(-1) != m_line)
            broken(Phrase(QT_TRANSLATE_NOOP("phrases", "its number is not its line number")));
        m_digest = digest(line);
        m_isOfNewer |= lockscope::isOfNewer(record);
        count(record, keptOf(record, line.size()));
    }
    bool isOfNewer() const { return m_isOfNewer; }

    AuditLog::History history() &&
    {
        const qint64 requests = m_newest.count();
        QList<AuditLog::Request> newest = m_newest.newestFirst();
        return {verdict(), requests, std::move(newest)};
    }

private:
    AuditLog::Verdict verdict()
    {
        QList<QByteArray> open = m_open.keys();
        std::ranges::sort(open, {}, [this](const QByteArray &request) { return m_open[request].line; });
        for (const QByteArray &request : std::as_const(open))
            m_verdict.asked.append(m_open[request].asked);
        m_verdict.unfinished = std::move(open);
        return std::move(m_verdict);
    }

    void broken(const Phrase &why)
    {
        if (m_verdict.brokenAtLine)
            return;
        m_verdict.brokenAtLine = m_line;
        m_verdict.reason = why;
    }

    void count(const QJsonObject &record, const QJsonObject &kept)
    {
        const QByteArray request = record.value(QLatin1String("request")).toString().toUtf8();
        const QString phase = record.value(QLatin1String("phase")).toString();
        if (request.isEmpty())
            return;
        ++m_verdict.records;
        if (phase == QLatin1String("asked") || phase == QLatin1String("completed"))
            m_newest.take(request, phase == QLatin1String("asked"), kept);
        if (phase == QLatin1String("asked"))
            m_open.insert(request, {m_line, askedIn(record)});
        else if (phase == QLatin1String("completed"))
            m_open.remove(request);
    }

    AuditLog::Verdict m_verdict;
    NewestRequests m_newest;
    bool m_isOfNewer = false;
    qint64 m_line = 0;
    QByteArray m_digest = digestBeforeFirst();
    struct Open
    {
        qint64 line = 0;
        QJsonObject asked;
    };
    QHash<QByteArray, Open> m_open;
};

} // namespace

AuditLog::AuditLog(QString path) : m_path(path.isEmpty() ? defaultPath() : std::move(path)) {}

QString AuditLog::defaultPath()
{
    return stateDirectory() + QStringLiteral("/audit.jsonl");
}

Result<QByteArray> AuditLog::begin(const QJsonObject &fields)
{
    for (const QLatin1String name : namesOfTheLog) {
        if (fields.contains(name))
            return auditFailed(QT_TRANSLATE_NOOP("phrases", "The field \"%1\" is set by the log itself."),
                               name);
    }
    const QByteArray request = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
    QJsonObject record = fields;
    record.insert(QStringLiteral("phase"), QStringLiteral("asked"));
    record.insert(QStringLiteral("request"), QString::fromLatin1(request));
    return append(record).map([&] { return request; });
}

Result<void> AuditLog::complete(const QByteArray &requestId, const QJsonObject &fields)
{
    QJsonObject record = fields;
    record.insert(QStringLiteral("phase"), QStringLiteral("completed"));
    record.insert(QStringLiteral("request"), QString::fromLatin1(requestId));
    return append(record);
}

Result<void> AuditLog::append(QJsonObject record)
{
    const auto file = openAuditFile(m_path);
    if (!file)
        return tl::unexpected(file.error());
    const auto tail = readTail(*file, m_path);
    if (!tail)
        return tl::unexpected(tail.error());

    record.insert(QStringLiteral("seq"), tail->seq + 1);
    record.insert(QStringLiteral("prev"), QString::fromLatin1(tail->digest));
    record.insert(QStringLiteral("time"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs));
    record.insert(QStringLiteral("user"), QString::fromLocal8Bit(userName()));
    record.insert(QStringLiteral("host"), QSysInfo::machineHostName());
    record.insert(QStringLiteral("pid"), QCoreApplication::applicationPid());
    const QByteArray line = escapedJson(QJsonDocument(record).toJson(QJsonDocument::Compact));
    if (line.size() > longestLine)
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "A record of %1 bytes is too long."), line.size());
    return appendToAuditFile(*file, (tail->cut ? "\n" : "") + line + '\n', m_path);
}

Result<AuditLog::Verdict> AuditLog::verify(const QString &path)
{
    return read(path, 0).map([](History &&history) { return std::move(history.verdict); });
}

Result<AuditLog::History> AuditLog::read(const QString &path, qsizetype most, const std::stop_token &stop)
{
    const FileDescriptor fd(::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd < 0)
        return auditFailed(path, errno);
    struct stat status = {};
    // Locked only while the size is asked for: no half-written record is seen, and no writer waits for the
    // reading.
    if (const auto locked = lockAuditFile(fd, LOCK_SH, path); !locked)
        return tl::unexpected(locked.error());
    if (::fstat(fd, &status) != 0)
        return auditFailed(path, errno);
    ::flock(fd, LOCK_UN);
    if (!S_ISREG(status.st_mode))
        return auditFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file."), path);

    Checker checker(most);
    QByteArray line;
    QByteArray chunk(64 * 1024, Qt::Uninitialized);
    for (off_t left = status.st_size; left > 0;) {
        if (stop.stop_requested())
            return tl::unexpected(Error(ErrorKind::Canceled));
        const auto want = static_cast<size_t>(std::min<off_t>(left, chunk.size()));
        const ssize_t got = ::read(fd, chunk.data(), want);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return auditFailed(path, errno);
        if (got == 0)
            break;
        left -= got;
        for (QByteArrayView rest = QByteArrayView(chunk).first(got); !rest.isEmpty();) {
            const qsizetype lineEnd = rest.indexOf('\n');
            const QByteArrayView piece = lineEnd < 0 ? rest : rest.first(lineEnd);
            // Of an endless line one byte too many is kept, so that it is known for what it is.
            line.append(piece.first(std::min(piece.size(), longestLine + 1 - line.size())));
            rest = rest.sliced(lineEnd < 0 ? rest.size() : lineEnd + 1);
            if (lineEnd >= 0) {
                checker.check(line, true);
                line.clear();
            }
        }
    }
    if (!line.isEmpty())
        checker.check(line, false);
    if (checker.isOfNewer())
        return newerWrote(path);
    return std::move(checker).history();
}

} // namespace lockscope
