// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/recording/recordedhistory.h"
#include "core/recording/recording.h"
#include "core/verify/historyreader.h"
#include "core/verify/recordedoperations.h"
#include "core/words/phrases.h"
#include "core/words/verifymessages.h"

#include <QFile>

#include <algorithm>
#include <map>

namespace lockscope {

namespace {

constexpr int mostLocks = 20; ///< of a text; JSON has all
constexpr int columnWidth = 4;

constexpr EnumNames verdictName{Named<LockCheck::Verdict>{LockCheck::Verdict::Holds, "holds"},
                                Named<LockCheck::Verdict>{LockCheck::Verdict::Violated, "violated"},
                                Named<LockCheck::Verdict>{LockCheck::Verdict::Undecided, "undecided"}};

/// Marks the locks that were polled at a time: holds may have come and gone between two readings.
void markPolled(const Recording &recording, std::vector<VerifiedLock> &locks)
{
    QList<FeedStatus::Route> known;
    const auto take = [&](const FeedStatus &feed) {
        if (feed.routes == known)
            return;
        known = feed.routes;
        for (VerifiedLock &lock : locks)
            lock.isPolled = lock.isPolled || (!known.isEmpty() && !feed.tellsNewName(lock.key));
    };
    RecordingCursor cursor(recording, milliseconds(0), TimePoint{});
    take(cursor.beginWithoutLocks().watching.feed);
    for (auto step = cursor.next(); step; step = cursor.next()) {
        const auto *entry = std::get_if<RecordedEntry>(&*step);
        if (const auto *watching = entry ? std::get_if<WatchState>(&entry->what) : nullptr)
            take(watching->feed);
    }
}

OperationHistory operationsOf(const Recording &recording)
{
    OperationHistory history = operationsIn(historyOf(recording, milliseconds(0), recording.length()));
    markPolled(recording, history.locks);
    return history;
}

class VerifyPrinter
{
public:
    VerifyPrinter(const Options &options, const OperationHistory &history)
        : m_options(options), m_history(history)
    {
        for (const LockCheck &check : checkHistory(history, options.lockModel)) {
            if (!options.patterns.isEmpty() &&
                !globMatchesAny(options.patterns, history.locks[check.lock].key))
                continue;
            ++m_locks;
            m_verdict = worse(m_verdict, check.verdict);
            if (check.verdict != LockCheck::Verdict::Holds)
                m_checks.push_back(check);
        }
        std::ranges::stable_partition(
            m_checks, [](const LockCheck &check) { return check.verdict == LockCheck::Verdict::Violated; });
    }

    ExitStatus status() const
    {
        return m_verdict == LockCheck::Verdict::Violated    ? ExitStatus::Rejected
               : m_verdict == LockCheck::Verdict::Undecided ? ExitStatus::Unavailable
                                                            : ExitStatus::Done;
    }

    qint64 locks() const { return m_locks; }

    QByteArray json() const
    {
        QJsonArray checks;
        for (const LockCheck &check : m_checks)
            checks.append(toJson(check));
        return jsonLine({{QStringLiteral("verdict"), QString::fromLatin1(verdictName(m_verdict))},
                         {QStringLiteral("events"), m_history.events},
                         {QStringLiteral("locks"), m_locks},
                         {QStringLiteral("violated"), count(LockCheck::Verdict::Violated)},
                         {QStringLiteral("undecided"), count(LockCheck::Verdict::Undecided)},
                         {QStringLiteral("checks"), checks}});
    }

    QString text() const
    {
        QString text;
        for (const LockCheck &check : m_checks) {
            if (&check - m_checks.data() == mostLocks) {
                text += Words::tr("and %n more (--json prints all)", nullptr,
                                  plural(std::ssize(m_checks) - mostLocks)) +
                        u'\n';
                break;
            }
            const QString name = printable(m_history.locks[check.lock].key, 60);
            text +=
                QStringLiteral("%1(%2): %3. %4\n")
                    .arg(name.isEmpty() ? name : name + u' ', QString::fromLatin1(lockModelName(check.model)),
                         describe(check.verdict), describe(check, m_history));
            if (m_options.explain && check.verdict == LockCheck::Verdict::Violated)
                text += explanation(check);
        }
        return text +
               Words::tr("Locks: %1, violated: %2, undecided: %3; events: %4")
                   .arg(grouped(m_locks), grouped(count(LockCheck::Verdict::Violated)),
                        grouped(count(LockCheck::Verdict::Undecided)), grouped(m_history.events)) +
               u'\n';
    }

private:
    static LockCheck::Verdict worse(LockCheck::Verdict a, LockCheck::Verdict b)
    {
        using enum LockCheck::Verdict;
        return a == Violated || b == Violated     ? Violated
               : a == Undecided || b == Undecided ? Undecided
                                                  : Holds;
    }
    qint64 count(LockCheck::Verdict verdict) const
    {
        return std::ranges::count(m_checks, verdict, &LockCheck::verdict);
    }
    const LockOperation &operationOf(const LockCheck &check, const OperationEvent &event) const
    {
        return m_history.locks[check.lock].operations[event.operation];
    }
    static qint64 timeOf(const LockOperation &operation, bool isEnd)
    {
        return isEnd ? operation.endedAt : operation.invokedAt;
    }

    QJsonObject toJson(const LockCheck &check) const
    {
        QJsonObject object{{QStringLiteral("model"), QString::fromLatin1(lockModelName(check.model))},
                           {QStringLiteral("verdict"), QString::fromLatin1(verdictName(check.verdict))},
                           {QStringLiteral("reason"), QString::fromLatin1(checkReasonName(check.reason))}};
        insertBytes(object, QStringLiteral("lock"), m_history.locks[check.lock].key);
        QJsonArray events;
        for (const OperationEvent &event : check.events) {
            const LockOperation &operation = operationOf(check, event);
            QJsonObject each{
                {QStringLiteral("type"), event.isEnd ? QStringLiteral("ok") : QStringLiteral("invoke")},
                {QStringLiteral("operation"), QString::fromLatin1(operationName(operation.kind))},
                {QStringLiteral("time_ms"), double(timeOf(operation, event.isEnd)) / LockOperation::nsPerMs}};
            if (const int line = event.isEnd ? operation.endLine : operation.invokeLine; line > 0)
                each[QStringLiteral("line")] = line;
            if (operation.token >= 0)
                each[QStringLiteral("token")] = operation.token;
            insertBytes(each, QStringLiteral("process"), m_history.names[size_t(operation.process)]);
            insertBytes(each, QStringLiteral("owner"), m_history.names[size_t(operation.owner)]);
            events.append(each);
        }
        if (!events.isEmpty())
            object[QStringLiteral("events")] = events;
        return object;
    }

    QString explanation(const LockCheck &check) const
    {
        QString text = lanes(check) + u'\n';
        Table table({QString(), Words::tr("TIME", "column of a table"),
                     Words::tr("LINE", "column of a table"), Words::tr("PROCESS", "column of a table"),
                     Words::tr("OPERATION", "column of a table"), Words::tr("TOKEN", "column of a table")});
        const qint64 first = check.events.empty() ? 0
                                                  : timeOf(operationOf(check, check.events.front()),
                                                           check.events.front().isEnd);
        int number = 0;
        for (const OperationEvent &event : check.events) {
            const LockOperation &operation = operationOf(check, event);
            const qint64 at = timeOf(operation, event.isEnd);
            const int line = event.isEnd ? operation.endLine : operation.invokeLine;
            table.add({QString::number(++number),
                       m_history.isRecording ? timeText(at / LockOperation::nsPerMs)
                                             : QStringLiteral("+%1 ms").arg(
                                                   double(at - first) / LockOperation::nsPerMs, 0, 'f', 3),
                       line > 0 ? QString::number(line) : QString(), nameOf(operation),
                       QString::fromLatin1(operationName(operation.kind)) +
                           (event.isEnd ? QStringLiteral(" ok") : QStringLiteral(" invoke")),
                       operation.token >= 0 ? QString::number(operation.token) : QString()});
        }
        text += table.text(console::hasColor()) + u'\n';
        if (m_history.isRecording && !check.events.empty())
            text += Words::tr("Locks then: lockscope-cli replay %1 --at %2")
                        .arg(printable(m_options.recording.file),
                             QString::number(first / LockOperation::nsPerMs)) +
                    u'\n' + u'\n';
        return text;
    }

    QString nameOf(const LockOperation &operation) const
    {
        return printable(m_history.names[size_t(operation.process)], 40);
    }

    /// A lane for each process, a column for each event: [-] an operation, = a hold, . a time that does not matter.
    QString lanes(const LockCheck &check) const
    {
        struct Span
        {
            int invoke = -1;
            int end = -1;
        };
        std::map<size_t, Span> spans; // by operation
        int column = 0;
        QString numbers;
        for (const OperationEvent &event : check.events) {
            (event.isEnd ? spans[event.operation].end : spans[event.operation].invoke) = column * columnWidth;
            numbers += QString::number(++column).leftJustified(columnWidth);
        }
        const int width = column * columnWidth;
        std::map<int, QString> lanes; // by process
        const VerifiedLock &lock = m_history.locks[check.lock];
        for (const auto &[number, span] : spans) {
            const LockOperation &operation = lock.operations[number];
            QString &lane = lanes[operation.process];
            if (lane.isEmpty())
                lane.fill(u' ', width);
            const auto fill = [&lane](int from, int to, QChar with) {
                for (int at = from; at < to; ++at)
                    lane[at] = lane[at] == u' ' ? with : lane[at];
            };
            if (span.invoke >= 0)
                lane[span.invoke] = u'[';
            if (span.end >= 0)
                lane[span.end] = u']';
            const bool isWhole = span.invoke >= 0 && span.end >= 0;
            fill(span.invoke >= 0 ? span.invoke + 1 : std::max(span.end - columnWidth + 1, 0),
                 span.end >= 0 ? span.end : std::min(span.invoke + columnWidth, width),
                 isWhole ? u'-' : u'.');
            if (operation.kind != LockOperation::Kind::Acquire || span.end < 0)
                continue;
            int until = operation.lease < 0 ? width : span.end + 1;
            for (const auto &[later, other] : spans) {
                if (later > number && lock.operations[later].owner == operation.owner &&
                    other.invoke > span.end && lock.operations[later].kind == LockOperation::Kind::Release)
                    until = std::min(until == span.end + 1 ? width : until, other.invoke);
            }
            fill(span.end + 1, until, u'=');
        }
        Table table({Words::tr("PROCESS", "column of a table"), numbers});
        for (const auto &[process, lane] : lanes)
            table.add({printable(m_history.names[size_t(process)], 40), lane});
        return table.text(console::hasColor());
    }

    const Options &m_options;
    const OperationHistory &m_history;
    std::vector<LockCheck> m_checks; ///< violated, then undecided
    qint64 m_locks = 0;
    LockCheck::Verdict m_verdict = LockCheck::Verdict::Holds;
};

/// The operations of a file; otherwise a status, after an error.
std::optional<ExitStatus> read(const Options &options, OperationHistory &history)
{
    const QString path = QFile::decodeName(options.recording.file);
    const QString shown = printable(options.recording.file);
    QFile file(path);
    const bool isOpen = file.open(QIODevice::ReadOnly);
    QByteArray start = isOpen ? file.peek(1024) : QByteArray();
    if (start.startsWith("\xEF\xBB\xBF"))
        start.remove(0, 3);
    start = start.trimmed();
    if (isOpen && (start.isEmpty() || start.startsWith('{'))) {
        Result<OperationHistory> lines = HistoryReader::read(file);
        if (!lines)
            return deliverNone(options, ExitStatus::WrongUsage,
                               QStringLiteral("%1: %2").arg(shown, inWords(lines.error())));
        if (file.error() != QFileDevice::NoError)
            return deliverNone(options, ExitStatus::Unavailable,
                               QStringLiteral("%1: %2").arg(shown, file.errorString()));
        history = *std::move(lines);
        return std::nullopt;
    }
    const Result<Recording> recording = Recording::open(path);
    if (!recording)
        return deliverNone(options, ExitStatus::Unavailable, inWords(recording.error()));
    history = operationsOf(*recording);
    return std::nullopt;
}

} // namespace

ExitStatus verify(const Options &options)
{
    OperationHistory history;
    if (const std::optional<ExitStatus> failed = read(options, history))
        return *failed;
    const VerifyPrinter printer(options, history);
    if (printer.locks() == 0 && !options.patterns.isEmpty())
        return deliverNone(options, ExitStatus::Unavailable, Words::tr("No lock matches --pattern."));
    return deliver(options.json ? printer.json() : printer.text().toUtf8(), printer.status());
}

} // namespace lockscope
