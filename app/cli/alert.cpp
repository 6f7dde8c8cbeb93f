// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/alertprogram.h"
#include "app/cli/alertwebhook.h"
#include "app/cli/json.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/alerts/alertwatch.h"
#include "core/base/enumnames.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/monitor/scanguard.h"
#include "core/words/alertmessages.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"

#include <QDateTime>
#include <QTimer>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using What = AlertWatch::Change::What;

constexpr qsizetype alertKeyCodePoints = 80;
constexpr milliseconds longestHandingOn = 5s;

constexpr EnumNames eventOf{Named<What>{What::Raised, "raised"},
                            Named<What>{What::RaisedAgain, "raised-again"},
                            Named<What>{What::Ended, "ended"}};

QString inWords(What what)
{
    switch (what) {
    case What::Raised:
        return Words::tr("raised", "an alert");
    case What::RaisedAgain:
        return Words::tr("raised again", "an alert");
    case What::Ended:
        break;
    }
    return Words::tr("ended", "an alert");
}

QJsonObject toJson(const AlertWatch::Change &change, qint64 nowMs)
{
    const Alert &alert = change.alert;
    const AlertRule &rule = ruleOf(alert.kind);
    QJsonObject object{{QStringLiteral("event"), QString::fromLatin1(eventOf(change.what))},
                       {QStringLiteral("at"), nowMs},
                       {QStringLiteral("alert"), QString::fromLatin1(rule.name)},
                       {QStringLiteral("number"), qint64(alert.number)},
                       {QStringLiteral("message"), describe(alert)}};
    if (!alert.key.isEmpty())
        insertBytes(object, QStringLiteral("key"), alert.key.bytes);
    if (!alert.family.isUnknown())
        object[QStringLiteral("family")] = QString::fromLatin1(familyName(alert.family));
    insertHelp(object, alert.family);
    if (rule.why)
        object[QStringLiteral("verdict")] =
            QJsonObject{{QStringLiteral("why"), QString::fromLatin1(holdReasonName(*rule.why))}};
    if (!alert.owners.isEmpty())
        object[QStringLiteral("owners")] = ownerIdsJson(alert.owners, alert.family);
    if (rule.limitsTime()) {
        object[QStringLiteral("held_ms")] = qint64(alert.held.count());
        object[QStringLiteral("limit_ms")] = qint64(alert.limit.count());
    }
    if (rule.counted) {
        object[QString::fromLatin1(rule.counted->key)] = alert.waiters;
        object[QStringLiteral("certainty")] =
            alert.isAtLeast ? QStringLiteral("at-least") : QStringLiteral("exact");
    }
    if (!alert.cycle.isEmpty()) {
        QJsonArray locks;
        for (const LockKey &key : alert.cycle) {
            QJsonObject lock;
            insertBytes(lock, QStringLiteral("key"), key.bytes);
            locks.append(lock);
        }
        object[QStringLiteral("locks")] = locks;
    }
    if (!alert.server.isEmpty())
        object[QStringLiteral("server")] = lossless(alert.server.toUtf8());
    if (alert.resetOf)
        object[QStringLiteral("lost_locks")] = alert.resetOf->locks;
    if (alert.resetOf && alert.resetOf->isOfGroup()) {
        object[QStringLiteral("server")] = lossless(alert.resetOf->to.toUtf8());
        object[QStringLiteral("still_held")] = alert.resetOf->stillHeld;
    }
    if (alert.times > 1)
        object[QStringLiteral("times")] = alert.times;
    return object;
}

/// Returns "12:03:07.123  #4 raised  No expiry: lock:a. Held by …".
QString toLine(const AlertWatch::Change &change)
{
    const Alert &alert = change.alert;
    QString line = QDateTime::currentDateTime().toString(QStringLiteral("HH:mm:ss.zzz")) +
                   QStringLiteral("  #%1 %2  %3")
                       .arg(QString::number(alert.number), inWords(change.what), describe(alert.kind));
    if (!alert.key.isEmpty())
        line += QStringLiteral(": ") + printable(alert.key.bytes, alertKeyCodePoints);
    return change.what == What::Ended
               ? line
               : (QStringList{line + QStringLiteral(". ") + describe(alert)} + helpOf(alert.family))
                     .join(u' ');
}

class AlertCommand : public SessionCommand
{
public:
    explicit AlertCommand(Options options)
        : SessionCommand(std::move(options), Kind::Service), m_alerts(watched(), this->options().alertRules)
    {
        if (!this->options().alertCommand.isEmpty()) {
            m_program = std::make_unique<AlertProgram>(this->options().alertCommand);
            connect(m_program.get(), &AlertProgram::failed, this, &console::printError);
        }
        if (!this->options().webhook.isEmpty()) {
            m_webhook = std::make_unique<AlertWebhook>(this->options().webhook);
            connect(m_webhook.get(), &AlertWebhook::failed, this, &console::printError);
        }
        m_time.setInterval(250ms);
        connect(&m_time, &QTimer::timeout, this, [this] {
            if (console::readerIsGone())
                return interrupted();
            m_alerts.advance(Clock::now());
            tell();
        });
        endInTime([this] { interrupted(); });
        if (const auto duration = this->options().duration)
            console::waitNoLongerThan(Clock::now() + std::min(*duration, Deadline::horizon) +
                                      longestHandingOn);
    }

    void start() override
    {
        m_time.start();
        open();
    }

private:
    void take(const MonitorReport &event) override
    {
        if (const auto *stats = std::get_if<ScanStats>(&event))
            takeScan(*stats);
        m_alerts.take(event, Clock::now());
        tell();
    }

    void takeScan(const ScanStats &stats)
    {
        if (!stats.complete || !isReady())
            return;
        forgetTrouble();
        if (!std::exchange(m_isWatching, true))
            print({{QStringLiteral("event"), QStringLiteral("ready")},
                   {QStringLiteral("at"), QDateTime::currentMSecsSinceEpoch()},
                   {QStringLiteral("locks"), stats.locks}},
                  Words::tr("Watching %1 locks at %2.").arg(QString::number(stats.locks), serverName()));
        if (std::exchange(m_toldUnread, stats.unreadable) != stats.unreadable && stats.unreadable > 0)
            console::printError(Words::tr("No alerts for %1 unreadable keys.").arg(stats.unreadable));
    }

    void errorOccurred(const Error &why) override
    {
        if (!watched().hasEverReadAll() && (requiresUserAction(why.kind) || isIncomplete(why.kind)))
            return fail(why);
        SessionCommand::errorOccurred(why);
    }

    void interrupted() override
    {
        handOnThen([this] {
            finish(m_webhook && m_webhook->tookNothing() ? ExitStatus::NotWritten : ExitStatus::Done);
        });
    }

    void fail(const Error &why) override
    {
        m_alerts.advance(Clock::now() + AlertWatch::settleTime); // what is lost by now is not waited for
        tell();
        handOnThen([this, why] { SessionCommand::fail(why); });
    }

    void handOnThen(const std::function<void()> &end)
    {
        if (std::exchange(m_isEnding, true))
            return;
        m_time.stop();
        if (m_webhook)
            m_webhook->hurry();
        const auto pending = [this] {
            return (m_program ? m_program->pending() : 0) + (m_webhook ? m_webhook->pending() : 0);
        };
        const TimePoint last = Clock::now() + longestHandingOn;
        m_handingOn.setInterval(20ms);
        connect(&m_handingOn, &QTimer::timeout, this, [this, pending, last, end] {
            if (pending() > 0 && Clock::now() < last)
                return;
            m_handingOn.stop();
            if (const qsizetype left = pending(); left > 0)
                console::printError(Words::tr("Delivery unknown: %1 alerts.").arg(left));
            end();
        });
        m_handingOn.start();
    }

    void tell()
    {
        if (isFinished() || m_isEnding)
            return;
        for (const AlertWatch::Change &change : m_alerts.takeChanges()) {
            const QJsonObject object = toJson(change, QDateTime::currentMSecsSinceEpoch());
            // First: standard output may have to wait for its reader.
            if (m_program)
                m_program->add(jsonLine(object));
            if (m_webhook)
                m_webhook->add(jsonLine(object));
            if (!m_isEnding) // nobody may read any more
                print(object, toLine(change));
        }
        if (const qint64 waiting = m_alerts.notRaised();
            std::exchange(m_toldNotRaised, waiting) == 0 && waiting > 0)
            console::printError(
                Words::tr("More than %1 alerts are open; others wait.").arg(AlertWatch::maxOpen));
    }

    void print(const QJsonObject &object, const QString &line)
    {
        const console::WriteResult written =
            console::out(options().json ? jsonLine(object) : line.toUtf8() + '\n');
        const ExitStatus status = exitStatusOf(written, ExitStatus::Done);
        if (written.how == console::WriteResult::NobodyReads || status != ExitStatus::Done)
            handOnThen([this, status] { finish(status); });
    }

    AlertWatch m_alerts;
    QTimer m_time;
    std::unique_ptr<AlertProgram> m_program; ///< may be nullptr
    std::unique_ptr<AlertWebhook> m_webhook; ///< may be nullptr
    bool m_isWatching = false;
    bool m_isEnding = false;
    qint64 m_toldNotRaised = 0;
    qint64 m_toldUnread = 0;
    QTimer m_handingOn;
};

} // namespace

std::unique_ptr<Command> alertCommand(const Options &options)
{
    return std::make_unique<AlertCommand>(options);
}

} // namespace lockscope
