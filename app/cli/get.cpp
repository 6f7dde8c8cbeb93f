// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/explain.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/words.h"
#include "core/act/auditrecord.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/familykeys.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/redis/whendone.h"
#include "core/state/lockstate.h"
#include "core/state/verdict.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/textlayout.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

QJsonObject toJson(const HoldVerdict &verdict)
{
    QJsonArray evidence;
    for (const Sign sign : verdict.signs)
        evidence.append(QString::fromLatin1(signName(sign)));
    QJsonArray possible;
    for (const HoldReason reason : verdict.possible)
        possible.append(QString::fromLatin1(holdReasonName(reason)));
    return {{QStringLiteral("why"), QString::fromLatin1(holdReasonName(verdict.why))},
            {QStringLiteral("evidence"), evidence},
            {QStringLiteral("possible"), possible}};
}

QString humanText(const Lock &lock, TimePoint now, const QStringList &servers)
{
    QString text;
    const auto line = [&](const QString &name, const QString &value) {
        text += padded(name, 10) + value + u'\n';
    };
    line(Texts::tr("Key"), printable(lock.key().bytes));
    line(Texts::tr("Family"), QString::fromLatin1(familyName(lock.family)));
    line(Texts::tr("Certainty"), QString::fromLatin1(certaintyName(certaintyOf(lock))));
    for (const LockOwner &holder : knownOwners(lock)) {
        const QString count = holdsInWords(lock, holder);
        const QString id = ownerIdText(holder.owner.bytes);
        line(Texts::tr("Owner"), count.isEmpty() ? id : Words::tr("%1, hold count %2").arg(id, count));
    }
    const auto ttl = ttlAt(lock, now);
    line(Texts::tr("TTL"), ttl                                ? describe(*ttl)
                           : lock.leaseOf == LeaseOf::Unknown ? Texts::tr("unknown")
                                                              : Texts::tr("none"));
    if (lock.quorum) {
        line(Texts::tr("Servers"), quorumText(*lock.quorum));
        for (qsizetype i = 0; i < servers.size(); ++i)
            line({}, QStringLiteral("%1: %2").arg(servers[i], readingText(*lock.quorum, i, now)));
    }
    if (const Waiters &waiters = lock.companions->waiters; waiters.certainty != WaiterCertainty::Unknown)
        line(Texts::tr("Waiters"), waiters.certainty == WaiterCertainty::Exact
                                       ? grouped(waiters.count)
                                       : Texts::tr("at least %1").arg(grouped(waiters.count)));
    for (const Problem problem : problemList(lock.problems))
        line(Words::tr("Problem"), describe(problem));
    return text;
}

class GetCommand : public KeyCommand
{
public:
    explicit GetCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    void run() override
    {
        look(options().key, [this](const LookedAt &seen) {
            if (!seen.lock)
                return lookForJob();
            m_readAt = Clock::now();
            m_readAtMs = QDateTime::currentMSecsSinceEpoch();
            options().probe.isEmpty() ? print(seen) : probe(seen);
        });
    }

    void connectionLost(const Error &why) override
    {
        if (!m_probe.isRunning()) // else all was read
            fail(why);
    }

    void probe(const LookedAt &seen)
    {
        const Result<ProbeRequest> request = probeRequest(options().probe, *seen.lock);
        if (!request)
            return print(seen, tl::unexpected(request.error()));
        m_command = request->command();
        whenDone(listener(), m_probe.run(*request, serverOf(*seen.lock)),
                 [this, seen](const Result<ProbeAnswer> &answer) {
                     if (!isFinished())
                         print(seen, answer);
                 });
    }

    QJsonObject probeJson(const Result<ProbeAnswer> &probe) const
    {
        if (!probe)
            return {{QStringLiteral("refused"), describe(probe.error(), serverName())}};
        QJsonObject object = completedRecord(*probe);
        object[QStringLiteral("command")] = m_command;
        object[QStringLiteral("at")] = probe->endedMs;
        return object;
    }

    /// A job that runs without its lock has stalled. Where the list can't be read, nothing is said of a job.
    void lookForJob()
    {
        const QByteArray &key = options().key.bytes;
        const QString none = Words::tr("no lock at %1").arg(printable(key));
        for (const Family family : familiesWith<&FamilySpec::activeJob>()) {
            const ActiveJob job = specOf(family).activeJob(key);
            if (job.id.isEmpty() || deployment().isGroup())
                continue;
            CommandBatch batch{"MULTI"}; // a worker takes job and lock at once
            batch.add({"LRANGE", job.list, "0", "999"});
            batch.add({"EXISTS", key});
            batch.add({"EXEC"});
            const auto answer = [this, none, job](const Result<std::vector<Reply>> &replies) {
                finishWithout(ExitStatus::Rejected, replies && isStalled(replies->back(), job)
                                                        ? none + QStringLiteral("; ") + stalled(job)
                                                        : none);
            };
            return whenDone(listener(), link().forKey(key).send(batch), answer);
        }
        finishWithout(ExitStatus::Rejected, none);
    }

    static bool isStalled(const Reply &executed, const ActiveJob &job)
    {
        if (executed.elements.size() != 2)
            return false;
        const std::vector<Reply> &jobs = executed.elements[0].elements;
        const bool isActive = std::ranges::find(jobs, job.id, &Reply::text) != jobs.end();
        return isActive && executed.elements[1].isInteger() && executed.elements[1].integer == 0;
    }

    static QString stalled(const ActiveJob &job)
    {
        return Words::tr("but its job is still in %1: stalled, and will go to another worker")
            .arg(printable(job.list));
    }

    void print(const LookedAt &seen, const std::optional<Result<ProbeAnswer>> &probe = {})
    {
        const Lock &lock = *seen.lock;
        const bool isWhole =
            seen.isWhole() && (!lock.quorum || lock.quorum->unknown == 0) && (!probe || *probe);
        const ExitStatus status = isWhole ? ExitStatus::Done : ExitStatus::Unavailable;
        warnOfUnread(seen);
        warnOfReplica();
        if (lock.quorum)
            warnOfMissing(missingServers());
        if (probe && !*probe)
            console::printError(describe(probe->error(), serverName()));
        const TimePoint now = m_readAt;
        const qint64 wallMs = m_readAtMs;
        const QStringList explanation =
            options().explain ? explanationOf(readOnce(lock, now, wallMs), now, wallMs, groupServers())
                              : QStringList();
        if (options().json) {
            QJsonObject object = lockObject(lock, now, wallMs);
            if (options().explain) {
                object[QStringLiteral("verdict")] = toJson(verdictOf(readOnce(lock, now, wallMs), now));
                insertHelp(object, lock.family);
                object[QStringLiteral("explanation")] = QJsonArray::fromStringList(explanation);
                object[QStringLiteral("holder_after_end")] = QString::fromLatin1(impactName(impactOf(lock)));
            }
            if (probe)
                object[QStringLiteral("probe")] = probeJson(*probe);
            return finish(status, jsonLine(object));
        }
        QString text = options().explain
                           ? printable(lock.key().bytes) + u'\n' + explanation.join(u'\n') + u'\n'
                           : humanText(lock, now, groupServers());
        if (probe && *probe)
            text += padded(Words::tr("Probe"), 10) + describe(**probe) + u'\n';
        finish(status, text.toUtf8());
    }

    AuditLog m_audit;
    HolderProbe m_probe{m_audit};
    QString m_command;
    TimePoint m_readAt;
    qint64 m_readAtMs = 0; ///< the same moment, epoch ms
};

} // namespace

std::unique_ptr<Command> getCommand(const Options &options)
{
    return std::make_unique<GetCommand>(options);
}

} // namespace lockscope
