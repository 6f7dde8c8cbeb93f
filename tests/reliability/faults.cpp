// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of fault comes over a session's server or its connections, and goes; how long until the table is right again.
#include "tests/reliability/await.h"
#include "tests/reliability/faultkinds.h"
#include "tests/reliability/row.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr double target = 2;      // seconds
constexpr double slowTarget = 15; // where the tests run, on a machine that may be slow
constexpr auto patience = 40s;    // and then it counts as not recovered

/// When others change locks: what was missed has to be found, what comes later to be heard.
enum class Changes { While, After, Never };

/// One time. Seconds from the server's recovery to a right table; nothing: it did not come.
std::optional<double> suffer(Stage &stage, const FaultKind &kind, milliseconds holds, Changes changes,
                             QByteArray &why)
{
    kind.begin(stage);
    runFor(holds / 2);
    if (changes == Changes::While && kind.takesChanges)
        stage.writeLocks();
    runFor(holds / 2);
    kind.end(stage);
    const auto isBack = [&] {
        if (changes == Changes::After)
            return stage.writeLocks();
        const Result<Reply> reply = stage.ask({"SET", "probe", "x"});
        return reply.has_value();
    };
    if (!runUntil(isBack, 20s)) {
        why = "the server does not take changes again";
        return std::nullopt;
    }
    const TimePoint recovered = Clock::now();
    if (kind.userRetries)
        stage.session().retryNow();
    if (kind.userRefreshes)
        stage.session().scanNow();
    const std::optional<Truth> truth = stage.truth();
    if (!truth) {
        why = "the server does not say what it has";
        return std::nullopt;
    }
    if (!runUntil([&] { return stage.shows(*truth, recovered); }, patience)) {
        why = stage.difference(*truth, recovered);
        return std::nullopt;
    }
    return std::chrono::duration<double>(Clock::now() - recovered).count();
}

QByteArray seconds(double value)
{
    return QByteArray::number(value, 'f', 2) + " s";
}

} // namespace

Verdict runFaults(const Effort &effort)
{
    Verdict verdict;
    std::vector<double> all;
    int kinds = 0;
    int times = 0;
    QByteArray slowest;
    double longest = 0;
    for (const FaultKind &kind : faultKinds()) {
        if (effort.only.isEmpty() ? effort.brief && !kind.brief : !effort.wants(kind.name))
            continue;
        ++kinds;
        Stage stage(kind.byProxy);
        if (!stage.writeLocks())
            qFatal("no locks");
        stage.session().open();
        if (!runUntil([&] { return stage.hasBegun(); }, 20s))
            qFatal("the session did not begin");
        std::vector<double> took;
        const milliseconds holds = effort.brief ? std::min(kind.holds, 400ms) : kind.holds;
        for (int time = 0; time < effort.times; ++time) {
            QByteArray why;
            ++times;
            const auto changes = static_cast<Changes>((effort.seed + static_cast<quint32>(kinds + time)) % 3);
            if (const auto after = suffer(stage, kind, holds, changes, why))
                took.push_back(*after);
            else
                verdict.flaws << kind.name + QByteArray(": not right again within 40 s: ") + why;
        }
        const double p99 = percentile(took, 0.99);
        tell(kind.name + QByteArray(": ") + QByteArray::number(took.size()) + " of " +
             QByteArray::number(effort.times) + " right again, after p50 " + seconds(percentile(took, 0.5)) +
             ", p99 " + seconds(p99));
        if (p99 > (effort.brief ? slowTarget : target))
            verdict.flaws << kind.name + QByteArray(": p99 ") + seconds(p99);
        if (p99 > longest) {
            longest = p99;
            slowest = kind.name;
        }
        all.insert(all.end(), took.begin(), took.end());
    }
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(kinds) + " kinds, " + QByteArray::number(all.size()) + " of " +
                       QByteArray::number(times) + " recovered, p99 of the slowest (" + slowest + ") " +
                       seconds(longest);
    return verdict;
}

} // namespace lockscope
