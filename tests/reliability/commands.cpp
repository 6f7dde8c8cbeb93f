// SPDX-License-Identifier: GPL-3.0-or-later
// The same with the real lockscope-cli, as an operator runs it.
#include "core/act/actionnames.h"
#include "tests/reliability/deeds.h"
#include "tests/reliability/desk.h"
#include "tests/reliability/row.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

namespace lockscope {

namespace {

constexpr int usualStride = 7; // a program each

Told runOnce(const Deed &deed, const FaultProxy &proxy, const QString &state)
{
    const QList<QByteArray> where{"-h", "127.0.0.1", "-p", QByteArray::number(proxy.address().port),
                                  "--json"};
    const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), where + deed.words, {},
                               {QStringLiteral("XDG_STATE_HOME=") + state});
    Told told;
    const QJsonObject document = QJsonDocument::fromJson(ran.out).object();
    const QString outcome = document[QStringLiteral("outcome")].toString();
    const QList<QJsonObject> records = lastRecords(state + QStringLiteral("/lockscope/audit.jsonl"), 2);
    told.audited = records.value(1)[QStringLiteral("outcome")].toString().toLatin1();
    told.wellRecorded =
        records.size() == 2 && records[0][QStringLiteral("request")] == records[1][QStringLiteral("request")];
    // A refusal by the server has a sentence, and the status 3; a program that died has none of the contract's.
    told.outcome = !outcome.isEmpty()                        ? outcome.toLatin1()
                   : ran.exitCode == 3 && !ran.err.isEmpty() ? QByteArray("refused")
                                                             : "status " + QByteArray::number(ran.exitCode);
    const std::optional<Outcome> known = outcomeName.valueOf(told.outcome);
    const int expected = !known || *known == Outcome::Unknown ? 3 : succeeded(*known) ? 0 : 1;
    if (ran.exitCode != expected)
        told.outcome += ", status " + QByteArray::number(ran.exitCode);
    return told;
}

} // namespace

Verdict runCommands(const Effort &effort)
{
    using Strike = FaultProxy::Strike;
    Verdict verdict;
    Witness witness;
    FaultProxy proxy(witness.server().socketAddress());
    const QTemporaryDir state;
    QRandomGenerator random(effort.seed);
    int runs = 0;
    int unknown = 0;
    for (const Deed &deed : deeds()) {
        if (deed.words.isEmpty() || !effort.wants(deed.name))
            continue;
        const auto once = [&](const Strike &strike) {
            witness.prepare(deed);
            proxy.strike("EVALSHA", strike);
            ++runs;
            return runOnce(deed, proxy, state.path());
        };
        once({});
        once({});
        const FaultProxy::Struck lengths = proxy.struck();
        QList<Strike> list{{.kind = Strike::Forge, .bytes = "+QUEUED\r\n"}};
        const int stride = std::max(usualStride, effort.stride);
        for (qsizetype at = random.bounded(stride); at <= lengths.replyBytes; at += stride)
            list.append(Strike{.kind = Strike::CutReply, .at = at, .reset = random.bounded(2) == 1});
        for (qsizetype at = random.bounded(stride); at <= lengths.requestBytes; at += stride)
            list.append(Strike{.kind = Strike::CutRequest, .at = at, .reset = random.bounded(2) == 1});
        const qsizetype before = verdict.flaws.size();
        for (const Strike &strike : std::as_const(list)) {
            const Told told = once(strike);
            unknown += told.outcome == "unknown";
            if (const QByteArray flaw = flawIn(told, witness, deed); !flaw.isEmpty())
                verdict.flaws << deed.name + QByteArray(", strike ") + QByteArray::number(strike.kind) +
                                     " at " + QByteArray::number(strike.at) + ": " + flaw;
        }
        tell("lockscope-cli " + deed.words[0] + " (" + deed.name + "): " + QByteArray::number(list.size()) +
             " times, " + QByteArray::number(verdict.flaws.size() - before) + " told wrongly");
        if (effort.brief)
            break;
    }
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(runs) + " commands: " + QByteArray::number(unknown) + " unknown, " +
                       QByteArray::number(verdict.flaws.size()) + " told or audited wrongly";
    return verdict;
}

} // namespace lockscope
