// SPDX-License-Identifier: GPL-3.0-or-later
// Actions whose command or reply is cut, corrupted or forged on the way: what is told has happened, or is told to be unknown.
#include "core/act/actionnames.h"
#include "tests/reliability/deeds.h"
#include "tests/reliability/desk.h"
#include "tests/reliability/row.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// A reply that was made longer than it is ends here.
const Connection::Options hurried{.commandDeadline = 400ms};

/// All that is done to a deed, from the lengths of its command and its reply.
QList<FaultProxy::Strike> strikes(FaultProxy::Struck lengths, const Effort &effort, QRandomGenerator &random)
{
    using Strike = FaultProxy::Strike;
    QList<Strike> list;
    const auto each = [&](Strike::Kind kind, qsizetype length) {
        for (qsizetype at = random.bounded(effort.stride); at < length; at += effort.stride) {
            const bool corrupts = kind == Strike::CorruptRequest || kind == Strike::CorruptReply;
            list.append(
                Strike{.kind = kind, .at = at, .mask = 1, .reset = !corrupts && random.bounded(2) == 1});
            if (corrupts)
                list.append(
                    Strike{.kind = kind, .at = at, .mask = static_cast<char>(random.bounded(2, 256))});
        }
    };
    each(Strike::CutRequest, lengths.requestBytes + 1);
    each(Strike::CutReply, lengths.replyBytes + 1);
    each(Strike::CorruptReply, lengths.replyBytes);
    each(Strike::CorruptRequest, lengths.requestBytes);
    list.append(Strike{.kind = Strike::Duplicate});
    for (const QByteArray &bytes : forgedReplies())
        list.append(Strike{.kind = Strike::Forge, .bytes = bytes});
    return list;
}

QByteArray spelled(const FaultProxy::Strike &strike)
{
    constexpr std::array names{
        "watched",        "request cut at ", "reply cut at ", "request corrupted at ", "reply corrupted at ",
        "reply forged: ", "reply twice"};
    QByteArray text = names[strike.kind];
    if (strike.kind == FaultProxy::Strike::Forge)
        return text + strike.bytes.toPercentEncoding(" +-*$:!");
    if (strike.kind != FaultProxy::Strike::Duplicate)
        text += QByteArray::number(strike.at);
    return text;
}

/// Does it once, and says what the program told.
Told doOnce(const Deed &deed, FaultProxy &proxy, const QString &auditPath)
{
    Told told;
    Desk desk(proxy.address(), auditPath, hurried);
    if (!desk.isReady()) {
        told.outcome = "no connection";
        return told;
    }
    const Result<ActionResult> report = desk.run(deed.request);
    told.outcome = report ? outcomeName(report->outcome) : QByteArray("refused");
    if (report && report->found && report->found->state == Found::State::Absent)
        told.foundKey = false;
    else if (report && report->found && report->found->state == Found::State::Held)
        told.foundKey = true;
    const QList<QJsonObject> records = lastRecords(auditPath, 2);
    const auto field = [&](qsizetype record, const char *name) {
        return records.value(record)[QLatin1String(name)].toString();
    };
    told.audited = field(1, "outcome").toLatin1();
    told.wellRecorded = field(0, "phase") == QStringLiteral("asked") &&
                        field(1, "phase") == QStringLiteral("completed") &&
                        field(0, "request") == field(1, "request");
    return told;
}

} // namespace

Verdict runActions(const Effort &effort)
{
    Verdict verdict;
    Witness witness;
    FaultProxy proxy(witness.server().socketAddress());
    const QTemporaryDir directory;
    const QString auditPath = directory.filePath(QStringLiteral("audit.jsonl"));
    QRandomGenerator random(effort.seed);
    int runs = 0;
    int unknown = 0;
    int repeated = 0;
    for (const Deed &deed : deeds()) {
        if (!effort.wants(deed.name))
            continue;
        const auto once = [&](const FaultProxy::Strike &strike) {
            if (!witness.prepare(deed))
                qFatal("the deed can't be prepared");
            proxy.strike("EVALSHA", strike);
            ++runs;
            return doOnce(deed, proxy, auditPath);
        };
        once({}); // now the script is known to the server
        const Told clean = once({});
        if (const QByteArray flaw = flawIn(clean, witness, deed);
            !flaw.isEmpty() || clean.outcome == "unknown")
            verdict.flaws << deed.name + QByteArray(", undisturbed: ") + clean.outcome + ' ' + flaw;
        const FaultProxy::Struck lengths = proxy.struck();
        int flaws = 0;
        const int before = runs;
        for (const FaultProxy::Strike &strike : strikes(lengths, effort, random)) {
            const Told told = once(strike);
            unknown += told.outcome == "unknown";
            const QByteArray flaw = flawIn(told, witness, deed);
            if (flaw.isEmpty())
                continue;
            ++flaws;
            repeated += flaw.startsWith("carried out");
            verdict.flaws << deed.name + QByteArray(", ") + spelled(strike) + ": " + flaw;
        }
        tell(deed.name + QByteArray(": ") + QByteArray::number(runs - before) + " times (command of " +
             QByteArray::number(lengths.requestBytes) + ", reply of " +
             QByteArray::number(lengths.replyBytes) + " bytes), " + QByteArray::number(flaws) +
             " told wrongly");
    }
    const Result<AuditLog::Verdict> audit = AuditLog::verify(auditPath);
    if (!audit || audit->records != 2 * runs || !audit->unfinished.isEmpty() || audit->brokenAtLine)
        verdict.flaws << "the audit log is not two records an action";
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(runs) + " actions: " + QByteArray::number(unknown) + " unknown, " +
                       QByteArray::number(repeated) + " repeated, " +
                       QByteArray::number(verdict.flaws.size()) + " told or audited wrongly";
    return verdict;
}

} // namespace lockscope
