// SPDX-License-Identifier: GPL-3.0-or-later
// Force-expire of what was seen, while another connection gives the lock to the next owner: never is that one ended, and what
// was ended is told.
#include "core/family/registry.h"
#include "core/redis/blockingconnection.h"
#include "tests/reliability/desk.h"
#include "tests/reliability/lockforms.h"
#include "tests/reliability/row.h"
#include "tests/support/redisserver.h"

#include <QRandomGenerator>

#include <atomic>
#include <semaphore>
#include <set>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

const BlockingConnection::Options patient{.clientName = {}, .commandDeadline = 20s};

/// Changes owners, on a thread of its own, each time it is told to.
class Rival
{
public:
    explicit Rival(const ServerAddress &server)
        : m_thread([this, server](const std::stop_token &stop) {
              BlockingConnection connection(server, patient);
              const bool opened = connection.open().has_value();
              for (m_go.acquire(); !stop.stop_requested(); m_go.acquire()) {
                  const auto until = std::chrono::steady_clock::now() + m_pause;
                  std::this_thread::sleep_until(until);
                  const Result<Reply> reply =
                      opened ? connection.send({"EVAL", m_lua, "0"}) : Result<Reply>(tl::unexpected(Error{}));
                  m_oldStood = reply && reply->isInteger() ? static_cast<int>(reply->integer) : -1;
                  m_done.release();
              }
          })
    {
    }
    ~Rival()
    {
        m_thread.request_stop();
        m_go.release();
    }

    void go(const QByteArray &lua, std::chrono::microseconds pause)
    {
        m_lua = lua;
        m_pause = pause;
        m_go.release();
    }
    /// 1: the old owner still held when the new one came; 0: it had been ended; -1: the change failed.
    int oldStood()
    {
        m_done.acquire();
        return m_oldStood;
    }

private:
    QByteArray m_lua;
    std::chrono::microseconds m_pause{0};
    int m_oldStood = -1;
    std::binary_semaphore m_go{0};
    std::binary_semaphore m_done{0};
    std::jthread m_thread;
};

struct Tally
{
    int races = 0;
    int ended = 0;
    int refused = 0;
    int wrong = 0;   // the new owner was ended
    int untold = 0;  // the old one was ended, and nobody said so
    int boasted = 0; // said to be ended, and was not
};

/// Every form that force-expire can end has its races.
QByteArrayList formsWithoutRaces(const QList<RaceForm> &forms)
{
    std::set<const Scripts *> raced;
    for (const RaceForm &form : forms)
        raced.insert(specOf(form.request.family).scripts);
    QByteArrayList missing;
    for (const Family family : allFamilies()) {
        const Scripts *scripts = specOf(family).scripts;
        if (scripts->forceExpire.path && !raced.contains(scripts))
            missing << "no race for the form of " + familyName(family);
    }
    return missing;
}

} // namespace

Verdict runRaces(const Effort &effort)
{
    const QList<RaceForm> forms = raceForms();
    Verdict verdict;
    verdict.flaws = formsWithoutRaces(forms);
    const RedisServer server;
    const QTemporaryDir directory;
    Desk desk(server.socketAddress(), directory.filePath(QStringLiteral("audit.jsonl")));
    BlockingConnection eye(server.socketAddress(), patient);
    Rival rival(server.socketAddress());
    if (!desk.isReady() || !eye.open())
        return {false, "no connection"};
    QRandomGenerator random(effort.seed);
    Tally all;
    int middle = 500; // microseconds by which the rival waits on average
    const int each =
        std::max(1, (effort.races + static_cast<int>(forms.size()) - 1) / static_cast<int>(forms.size()));
    for (const RaceForm &form : forms) {
        if (!effort.wants(form.name))
            continue;
        QByteArrayList deletions;
        for (const QByteArray &key : form.keys)
            deletions << "DEL " + key;
        const QByteArray prepare = luaCalls(QByteArrayList{"FLUSHDB"} + form.old) + "return 1";
        const QByteArray change = "local stood = (" + form.oldStands + ") and 1 or 0 " +
                                  luaCalls(deletions + form.next) + "return stood";
        const QByteArray check = "return (" + form.nextStands + ") and 1 or 0";
        Tally tally;
        for (; tally.races < each; ++tally.races) {
            const Result<Reply> prepared = eye.send({"EVAL", prepare, "0"});
            rival.go(change, std::chrono::microseconds(random.bounded(2 * middle + 1)));
            const Result<ActionResult> report = desk.run(form.request);
            const int stood = rival.oldStood();
            const Result<Reply> intact = eye.send({"EVAL", check, "0"});
            if (!prepared || stood < 0 || !report || !intact) {
                verdict.flaws << form.name + QByteArray(": a race did not run: ") +
                                     (!prepared ? prepared.error().text()
                                      : !report ? report.error().text()
                                                : QByteArray("the new owner did not come"));
                break;
            }
            // Whoever came first comes later the next time, so that both come at about the same moment on any machine.
            middle = std::clamp(stood == 1 ? middle + middle / 8 + 5 : middle - middle / 8 - 5, 0, 50'000);
            const bool told = report->outcome == Outcome::Expired;
            tally.ended += told;
            tally.refused += !told;
            tally.wrong += intact->integer != 1;
            tally.untold += stood == 0 && !told;
            tally.boasted += stood == 1 && told;
        }
        tell(QByteArray(form.name) + ": " + QByteArray::number(tally.races) + " races, " +
             QByteArray::number(tally.ended) + " ended, " + QByteArray::number(tally.refused) + " refused, " +
             QByteArray::number(tally.wrong) + " wrong kills, " +
             QByteArray::number(tally.untold + tally.boasted) + " told wrongly");
        if (tally.wrong + tally.untold + tally.boasted > 0)
            verdict.flaws << form.name + QByteArray(": ") + QByteArray::number(tally.wrong) +
                                 " wrong kills, " + QByteArray::number(tally.untold) + " untold, " +
                                 QByteArray::number(tally.boasted) + " told though nothing was ended";
        all.races += tally.races;
        all.ended += tally.ended;
        all.refused += tally.refused;
        all.wrong += tally.wrong;
        all.untold += tally.untold + tally.boasted;
    }
    // A race that one side always wins is none.
    if (effort.only.isEmpty() && (all.ended == 0 || all.refused == 0))
        verdict.flaws << "one side always won: nothing was raced";
    const Result<AuditLog::Verdict> audit = AuditLog::verify(desk.audit.path());
    if (!audit || audit->records != 2 * all.races || !audit->unfinished.isEmpty() || audit->brokenAtLine)
        verdict.flaws << "the audit log is not two records an action";
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(all.races) + " (" + QByteArray::number(all.ended) + " ended, " +
                       QByteArray::number(all.refused) + " refused), " + QByteArray::number(all.wrong) +
                       " wrong kills, " + QByteArray::number(all.untold) + " told wrongly";
    return verdict;
}

} // namespace lockscope
