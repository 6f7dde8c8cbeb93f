// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/operations.h"

#include "core/lock/auditrecord.h"
#include "core/lock/look.h"
#include "core/lock/scriptcall.h"
#include "core/redis/whendone.h"
#include "core/text/words.h"

#include <QCoreApplication>
#include <QPromise>

#include <memory>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::operations)
};

constexpr auto lookPatience = 5s;

/// {outcome, holds, pttl[, message]}, as every script answers when asked for named answers; a hand-off lock's adds the
/// fencing token.
Result<ActionReport> interpret(const ActionRequest &request, const Reply &reply)
{
    ActionReport report;
    report.action = request.action;
    report.key = request.key;
    const auto &parts = reply.elements;
    const std::optional<Outcome> outcome =
        parts.size() >= 3 && parts.size() <= 5 ? outcomeFromName(parts[0].text) : std::nullopt;
    if (!outcome || !parts[1].isInteger() || !parts[2].isInteger())
        return tl::unexpected(
            Error{ErrorKind::UnexpectedReply, Words::tr("the script answered in an unknown form").toUtf8()});
    report.outcome = *outcome;
    if (parts[1].integer >= 0)
        report.holds = parts[1].integer;
    if (parts[2].integer >= 0)
        report.ttl = milliseconds(parts[2].integer);
    if (parts.size() > 3)
        report.message = parts[3].text;
    return report;
}

} // namespace

/// One action from its audit record to its outcome; lives until its future has finished.
class Operations::Run : public std::enable_shared_from_this<Run>
{
public:
    Run(Operations &operations, ActionRequest request)
        : m_operations(operations), m_request(std::move(request))
    {
        m_promise.start();
    }

    QFuture<Result<ActionReport>> start()
    {
        Connection &connection = m_operations.m_connection;
        const Result<QByteArray> id = m_operations.m_audit.begin(askedRecord(m_request, connection));
        if (!id) {
            m_promise.addResult(Result<ActionReport>(tl::unexpected(id.error())));
            m_promise.finish();
            return m_promise.future();
        }
        m_id = *id;
        const ScriptCall call = scriptCall(m_request, connection.server());
        whenDone(&m_operations, call.script->run(connection, call.keys, call.arguments),
                 [self = shared_from_this()](const Result<Reply> &reply) { self->answered(reply); });
        return m_promise.future();
    }

private:
    void answered(const Result<Reply> &reply)
    {
        if (reply)
            return finish(interpret(m_request, *reply));
        if (reply.error().kind != ErrorKind::OutcomeUnknown)
            return finish(tl::unexpected(reply.error()));
        ActionReport report;
        report.action = m_request.action;
        report.key = m_request.key;
        report.message = reply.error().detail;
        whenDone(&m_operations, Look::start(m_operations.m_connection, m_request.key, lookPatience),
                 [self = shared_from_this(), report](const Result<Inspection> &found) mutable {
                     report.looked = found.has_value();
                     if (found)
                         report.now = found->lock;
                     self->finish(report);
                 });
    }

    void finish(Result<ActionReport> report)
    {
        const Result<void> recorded = m_operations.m_audit.complete(m_id, completedRecord(report));
        // The action has happened: a record that can't be completed must not hide how it ended.
        if (!recorded && report)
            report->message +=
                (report->message.isEmpty() ? "" : "; ") + Words::tr("the outcome is not in the audit log: %1")
                                                              .arg(QString::fromUtf8(recorded.error().detail))
                                                              .toUtf8();
        const bool hasEnded = report && report->action == Action::ForceExpire &&
                              report->outcome == Outcome::Expired &&
                              m_request.grace.value_or(milliseconds(0)) == milliseconds(0);
        if (hasEnded)
            emit m_operations.ended(m_request.key, m_request.expected);
        emit m_operations.touched(m_request.key);
        m_promise.addResult(std::move(report));
        m_promise.finish();
    }

    Operations &m_operations;
    ActionRequest m_request;
    QByteArray m_id;
    QPromise<Result<ActionReport>> m_promise;
};

bool succeeded(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
    case Outcome::Reentered:
    case Outcome::Released:
    case Outcome::Unwound:
    case Outcome::Extended:
    case Outcome::Expired:
    case Outcome::Removed:
        return true;
    default:
        return false;
    }
}

Operations::Operations(Connection &connection, AuditLog &audit, QObject *parent)
    : QObject(parent), m_connection(connection), m_audit(audit)
{
}

QFuture<Result<ActionReport>> Operations::run(ActionRequest request)
{
    const auto refuse = [](ErrorKind kind, const QByteArray &detail) {
        return QtFuture::makeReadyFuture(Result<ActionReport>(tl::unexpected(Error{kind, detail})));
    };
    if (m_connection.isReadOnly())
        return refuse(ErrorKind::ReadOnlyMode, Words::tr("read-only mode").toUtf8());
    if (const std::optional<QString> reason = flaw(request))
        return refuse(ErrorKind::InvalidArgument, reason->toUtf8());
    if (m_connection.state() != Connection::State::Ready)
        return refuse(ErrorKind::NotConnected, m_connection.lastError().detail);
    return std::make_shared<Run>(*this, std::move(request))->start();
}

} // namespace lockscope
