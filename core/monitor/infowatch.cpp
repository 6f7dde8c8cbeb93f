// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/infowatch.h"

#include "core/redis/almostredis.h"
#include "core/redis/info.h"
#include "core/redis/whendone.h"

namespace lockscope {

using namespace std::chrono_literals;

InfoWatch::InfoWatch(Link &connection, QObject *parent)
    : QObject(parent), m_connection(connection), m_timer(this)
{
    m_timer.setInterval(1s);
    connect(&m_timer, &QTimer::timeout, this, &InfoWatch::ask);
}

void InfoWatch::begin()
{
    const int begun = ++m_generation;
    m_clockJumps.reset();
    ask();
    CommandBatch question;
    fieldlease::appendQuestion(question);
    whenDone(this, m_connection.send(question), [this, begun](const Result<std::vector<Reply>> &replies) {
        if (replies && begun == m_generation)
            emit fieldLeasesTold(fieldlease::answerIn(replies->front()));
    });
}

void InfoWatch::halt()
{
    ++m_generation;
    m_timer.stop();
}

void InfoWatch::ask()
{
    m_timer.start();
    whenDone(this, m_connection.send(ServerCounters::question(isRedis7(m_connection.server()))),
             [this, begun = m_generation, sentAt = Clock::now()](const Result<Reply> &info) {
                 if (begun != m_generation)
                     return;
                 const TimePoint now = Clock::now();
                 if (info) {
                     if (m_clockJumps.happened(info->text, sentAt, now))
                         emit clockSet();
                     emit countersTold(info->text, now);
                 } else if (requiresUserAction(info.error().kind)) {
                     m_timer.stop();
                     emit countersForbidden(info.error());
                 } else if (info.error().kind == ErrorKind::ServerError) { // it has no such command
                     m_timer.stop();
                     emit countersMissing();
                 }
             });
}

void InfoWatch::countKeys()
{
    whenDone(this, m_connection.send({"DBSIZE"}), [this, begun = m_generation](const Result<Reply> &size) {
        if (begun == m_generation && size && size->isInteger())
            emit keysCounted(size->integer);
    });
}

void InfoWatch::tellLoading(const Error &why)
{
    whenDone(this, m_connection.send({"INFO", "persistence"}),
             [this, why, begun = m_generation](const Result<Reply> &info) {
                 if (begun != m_generation)
                     return;
                 Error told = why;
                 const QByteArray percent =
                     info ? infoField(info->text, "loading_loaded_perc") : QByteArray();
                 const auto left = info ? infoNumber(info->text, "loading_eta_seconds") : std::nullopt;
                 if (!percent.isEmpty() && left && *left >= 0)
                     told.note =
                         Phrase(QT_TRANSLATE_NOOP("phrases", "%1% loaded, about %2 s left"), percent, *left);
                 emit loadingTold(told);
             });
}

} // namespace lockscope
