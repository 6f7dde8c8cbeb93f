// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/historyreader.h"

#include <QIODevice>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

using Kind = LockOperation::Kind;
using Mode = LockOperation::Mode;
using Outcome = LockOperation::Outcome;

} // namespace

template <typename... Arguments>
tl::unexpected<Error> HistoryReader::refuse(const char *phrase, const Arguments &...arguments) const
{
    return failedWith(ErrorKind::InvalidArgument, QT_TRANSLATE_NOOP("phrases", "line %1: %2"), m_line,
                      Phrase(phrase, arguments...));
}

void HistoryReader::OpenOperation::noteTime(qint64 at, qint32 line)
{
    if (lastAt - at > setBack) {
        setBack = lastAt - at;
        setBackLine = line;
    }
    lastAt = std::max(lastAt, at);
}

Result<OperationHistory> HistoryReader::read(QIODevice &stream)
{
    HistoryReader reader;
    const auto next = [&stream] { return stream.readLine(maxLine + 2); };
    // A pipe is "at its end" whenever its buffer is empty.
    for (QByteArray line = next(); !line.isEmpty(); line = next()) {
        ++reader.m_line;
        if (line.size() > maxLine)
            return reader.refuse(QT_TRANSLATE_NOOP("phrases", "longer than %1 bytes."), maxLine);
        if (line.trimmed().isEmpty())
            continue;
        if (const Result<void> taken = reader.take(line); !taken)
            return tl::unexpected(taken.error());
    }
    if (reader.m_history.events == 0)
        return failedWith(ErrorKind::InvalidArgument,
                          QT_TRANSLATE_NOOP("phrases", "No operations. Give a recording or JSON lines."));
    return reader.finished();
}

Result<void> HistoryReader::take(const QByteArray &line)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (!document.isObject())
        return refuse(QT_TRANSLATE_NOOP("phrases", "no JSON object (byte %1)."), error.offset);
    const QJsonObject object = document.object();
    const QString type = object[QLatin1String("type")].toString();
    if (type == QLatin1String("model"))
        return takeModel(object);
    if (type == QLatin1String("gap"))
        return takeGap(object);
    if (++m_history.events > maxEvents)
        return refuse(QT_TRANSLATE_NOOP("phrases", "more than %1 events. Split the file by lock."),
                      maxEvents);
    if (type == QLatin1String("invoke"))
        return invoke(object);
    if (type == QLatin1String("ok"))
        return end(object, Outcome::Ok);
    if (type == QLatin1String("fail"))
        return end(object, Outcome::Failed);
    if (type == QLatin1String("info") || type == QLatin1String("unknown"))
        return end(object, Outcome::Unknown);
    return refuse(QT_TRANSLATE_NOOP("phrases", "'type' must be invoke, ok, fail, info, model or gap."));
}

Result<void> HistoryReader::takeModel(const QJsonObject &object)
{
    const QByteArray name = object[QLatin1String("model")].toString().toUtf8();
    const std::optional<LockModel> model = lockModelName.valueOf(name);
    if (!model && object.contains(QLatin1String("model")))
        return refuse(QT_TRANSLATE_NOOP("phrases", "'model' must be %1."),
                      namesIn(lockModelName.names).join(", "));
    const QJsonValue permits = object[QLatin1String("permits")];
    if (!permits.isUndefined() && (permits.toInteger() < 1 || permits.toInteger() > 1'000'000'000))
        return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' must be from %2 to %3."), QByteArray("permits"), 1,
                      1'000'000'000);
    const auto clock = time(object, "clock", 0, LockOperation::maxClockBound);
    if (!clock)
        return tl::unexpected(clock.error());
    const auto key = nameIn(object, "lock");
    if (!key)
        return tl::unexpected(key.error());
    m_history.clockBound = std::max(m_history.clockBound, clock->value_or(0));
    VerifiedLock &lock = *key ? m_history.locks[lockOf(**key)] : m_ofAll;
    if (model)
        lock.model = model;
    if (!permits.isUndefined())
        lock.capacity = int(permits.toInteger());
    return {};
}

Result<void> HistoryReader::takeGap(const QJsonObject &object)
{
    const Result<qint64> from = moment(object, "time"), to = moment(object, "until");
    if (!from || !to)
        return tl::unexpected((from ? to : from).error());
    const auto key = nameIn(object, "lock");
    if (!key)
        return tl::unexpected(key.error());
    VerifiedLock &lock = *key ? m_history.locks[lockOf(**key)] : m_ofAll;
    lock.unseen.push_back({std::min(*from, *to), std::max(*from, *to)});
    return {};
}

Result<void> HistoryReader::invoke(const QJsonObject &object)
{
    const auto given = nameIn(object, "process"), key = nameIn(object, "lock");
    if (!given || !key)
        return tl::unexpected((given ? key : given).error());
    const QByteArray process = given->value_or(QByteArray());
    if (process.isEmpty())
        return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' is missing."), QByteArray("process"));
    const Result<qint64> at = moment(object, "time");
    if (!at)
        return tl::unexpected(at.error());
    const std::optional<Kind> kind =
        operationName.valueOf(object[QLatin1String("operation")].toString().toLatin1());
    if (!kind)
        return refuse(QT_TRANSLATE_NOOP("phrases", "'operation' must be %1."),
                      namesIn(operationName.names).join(", "));
    LockOperation operation{
        .kind = *kind, .process = numberOf(process), .invokeLine = m_line, .invokedAt = *at};
    operation.owner = operation.process;
    m_open.resize(std::max(m_open.size(), size_t(operation.process) + 1));
    OpenOperation &open = m_open[size_t(operation.process)];
    if (open.isOpen)
        return refuse(QT_TRANSLATE_NOOP("phrases",
                                        "process %1 has not ended its operation of line %2. End it "
                                        "with ok, fail or info, or name each thread."),
                      process, m_history.locks[open.lock].operations[open.number].invokeLine);
    const size_t number = lockOf(key->value_or(QByteArray()));
    VerifiedLock &lock = m_history.locks[number];
    if (const Result<void> taken = takeDetails(object, lock, operation); !taken)
        return taken;
    open.noteTime(*at, m_line);
    open.lock = number;
    open.number = lock.operations.size();
    open.isOpen = true;
    lock.operations.push_back(operation);
    return {};
}

Result<void> HistoryReader::end(const QJsonObject &object, Outcome outcome)
{
    const auto given = nameIn(object, "process"), key = nameIn(object, "lock");
    if (!given || !key)
        return tl::unexpected((given ? key : given).error());
    const QByteArray process = given->value_or(QByteArray());
    const int number = m_names.value(process, -1);
    if (number < 0 || number >= int(m_open.size()) || !m_open[size_t(number)].isOpen)
        return refuse(QT_TRANSLATE_NOOP("phrases", "process %1 ends an operation that it has not invoked."),
                      process);
    OpenOperation &open = m_open[size_t(number)];
    VerifiedLock &lock = m_history.locks[open.lock];
    LockOperation &operation = lock.operations[open.number];
    const QJsonValue kind = object[QLatin1String("operation")];
    if ((*key && **key != lock.key) ||
        (!kind.isUndefined() && kind.toString().toLatin1() != operationName(operation.kind)))
        return refuse(QT_TRANSLATE_NOOP("phrases", "another operation than process %1 invoked in line %2."),
                      process, operation.invokeLine);
    const Result<qint64> at = moment(object, "time");
    if (!at)
        return tl::unexpected(at.error());
    if (const Result<void> taken = takeDetails(object, lock, operation); !taken)
        return taken;
    open.noteTime(*at, m_line);
    operation.outcome = outcome;
    operation.endLine = m_line;
    open.isOpen = false;
    if (outcome == Outcome::Ok)
        operation.endedAt = std::max(operation.invokedAt, *at);
    return {};
}

Result<void> HistoryReader::takeDetails(const QJsonObject &object, VerifiedLock &lock,
                                        LockOperation &operation)
{
    const auto owner = nameIn(object, "owner");
    if (!owner)
        return tl::unexpected(owner.error());
    if (*owner && !(*owner)->isEmpty())
        operation.owner = numberOf(**owner);
    const auto lease = time(object, "lease", 0, LockOperation::maxLease);
    const auto queued = time(object, "queued", -LockOperation::maxTime, LockOperation::maxTime);
    if (!lease || !queued)
        return tl::unexpected((lease ? queued : lease).error());
    operation.lease = lease->value_or(operation.lease);
    operation.queuedAt = queued->value_or(operation.queuedAt);
    if (const QJsonValue token = object[QLatin1String("token")]; !token.isUndefined() && !token.isNull()) {
        operation.token = token.toInteger(-1);
        if (operation.token < 0)
            return refuse(QT_TRANSLATE_NOOP("phrases", "'token' must be a whole number."));
        lock.hasTokens = true;
    }
    if (const QJsonValue mode = object[QLatin1String("mode")]; !mode.isUndefined() && !mode.isNull()) {
        const bool isRead = mode.toString() == QLatin1String("read");
        if (!isRead && mode.toString() != QLatin1String("write"))
            return refuse(QT_TRANSLATE_NOOP("phrases", "'mode' must be read or write."));
        operation.mode = isRead ? Mode::Read : Mode::Write;
        lock.hasModes = true;
    }
    if (const QJsonValue permits = object[QLatin1String("permits")];
        !permits.isUndefined() && !permits.isNull()) {
        if (permits.toInteger() < 1 || permits.toInteger() > 1'000'000'000)
            return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' must be from %2 to %3."), QByteArray("permits"),
                          1, 1'000'000'000);
        operation.permits = int(permits.toInteger());
        lock.hasPermits = true;
    }
    return {};
}

/// A text, or a number as it is written; absent: not given.
Result<std::optional<QByteArray>> HistoryReader::nameIn(const QJsonObject &object, const char *field) const
{
    const QJsonValue value = object[QLatin1String(field)];
    if (value.isUndefined() || value.isNull())
        return std::optional<QByteArray>();
    if (value.isString())
        return std::optional(value.toString().toUtf8());
    if (!value.isDouble())
        return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' must be a text or a number."), QByteArray(field));
    return std::optional(value.toInteger(-1) == -1 && value.toDouble() != -1
                             ? QByteArray::number(value.toDouble(), 'g', 17)
                             : QByteArray::number(value.toInteger()));
}

/// A time in ns, or, with "_ms" behind its name, in ms; absent: neither is given.
Result<std::optional<qint64>> HistoryReader::time(const QJsonObject &object, const char *name, qint64 least,
                                                  qint64 most) const
{
    QJsonValue value = object[QLatin1String(name)];
    const bool isMs = value.isUndefined();
    if (isMs)
        value = object[QString(QLatin1String(name) + QLatin1String("_ms"))];
    if (value.isUndefined() || value.isNull())
        return std::optional<qint64>();
    const double given = value.toDouble(std::nan("")) * (isMs ? double(LockOperation::nsPerMs) : 1);
    if (!(given >= double(least) && given <= double(most)))
        return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' is no number, or out of range."), QByteArray(name));
    const qint64 whole = value.toInteger(LockOperation::noEnd); // exact, beyond what a double has
    return std::optional(whole == LockOperation::noEnd ? qint64(std::llround(given))
                                                       : whole * (isMs ? LockOperation::nsPerMs : 1));
}

Result<qint64> HistoryReader::moment(const QJsonObject &object, const char *name) const
{
    const auto given = time(object, name, -LockOperation::maxTime, LockOperation::maxTime);
    if (!given)
        return tl::unexpected(given.error());
    if (!*given)
        return refuse(QT_TRANSLATE_NOOP("phrases", "'%1' is missing. Give it in ns, or in ms as '%1_ms'."),
                      QByteArray(name));
    return **given;
}

size_t HistoryReader::lockOf(const QByteArray &key)
{
    const auto known = m_locks.constFind(key);
    if (known != m_locks.cend())
        return *known;
    m_locks.insert(key, m_history.locks.size());
    m_history.locks.push_back({.key = key});
    return m_history.locks.size() - 1;
}

int HistoryReader::numberOf(const QByteArray &name)
{
    const auto known = m_names.constFind(name);
    if (known != m_names.cend())
        return *known;
    m_names.insert(name, int(m_history.names.size()));
    m_history.names.push_back(name);
    return int(m_history.names.size()) - 1;
}

OperationHistory HistoryReader::finished()
{
    for (VerifiedLock &lock : m_history.locks) {
        lock.model = lock.model ? lock.model : m_ofAll.model;
        lock.capacity = lock.capacity > 0 ? lock.capacity : m_ofAll.capacity;
        lock.unseen.insert(lock.unseen.end(), m_ofAll.unseen.begin(), m_ofAll.unseen.end());
        const auto setBack = std::ranges::find_if(lock.operations, [this](const LockOperation &operation) {
            return m_open[size_t(operation.process)].setBack > m_history.clockBound;
        });
        if (setBack != lock.operations.end())
            lock.setBackLine = m_open[size_t(setBack->process)].setBackLine;
    }
    return std::move(m_history);
}

} // namespace lockscope
