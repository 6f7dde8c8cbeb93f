// SPDX-License-Identifier: GPL-3.0-or-later
// Each class of bad input in a process of its own: one that crashes or hangs takes no other with it.
#include "tests/reliability/inputcase.h"
#include "tests/reliability/row.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int patienceMs = 120'000;
constexpr double mostBlocked = 2000; // ms
constexpr double mostGrowth = 128;   // MB
constexpr double slowMachine = 5;    // as many times as long: where the tests run

} // namespace

const std::vector<InputCase> &inputCases()
{
    static const std::vector<InputCase> all = [] {
        std::vector<InputCase> cases;
        for (std::vector<InputCase> part : {nameCases(), contentCases(), replyCases(), surroundingsCases()})
            cases.insert(cases.end(), part.begin(), part.end());
        std::ranges::sort(cases, [](const InputCase &a, const InputCase &b) {
            return QByteArrayView(a.id) < QByteArrayView(b.id);
        });
        return cases;
    }();
    return all;
}

int runInputCase(const QByteArray &id)
{
    for (const InputCase &each : inputCases()) {
        if (each.id != id || !each.run)
            continue;
        InputProbe probe;
        each.run(probe);
        return probe.report();
    }
    return 2;
}

Verdict runInputs(const Effort &effort)
{
    Verdict verdict;
    int run = 0;
    int absent = 0;
    int crashes = 0;
    int hangs = 0;
    double blocked = 0;
    double grown = 0;
    for (const InputCase &each : inputCases()) {
        const bool isWanted = effort.only.isEmpty() ? !effort.brief || each.brief : effort.wants(each.id);
        if (!isWanted)
            continue;
        if (!each.run) {
            ++absent;
            continue;
        }
        ++run;
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("--input"), QString::fromLatin1(each.id)});
        const bool ended = process.waitForFinished(patienceMs);
        if (!ended) {
            process.kill();
            process.waitForFinished();
        }
        const bool crashed =
            ended && (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0);
        double thisBlocked = 0;
        double thisGrown = 0;
        QByteArrayList flaws;
        for (const QByteArray &line : process.readAllStandardOutput().split('\n')) {
            if (line.startsWith("blocked "))
                thisBlocked = line.sliced(8).toDouble();
            else if (line.startsWith("grew "))
                thisGrown = line.sliced(5).toDouble();
            else if (line.startsWith("flaw "))
                flaws << line.sliced(5);
        }
        const bool hung = !ended || thisBlocked >= mostBlocked * (effort.brief ? slowMachine : 1);
        if (!ended)
            flaws << "does not end";
        else if (hung)
            flaws << "blocked for " + QByteArray::number(thisBlocked, 'f', 0) + " ms";
        if (thisGrown >= mostGrowth)
            flaws << "grew by " + QByteArray::number(thisGrown, 'f', 0) + " MB";
        if (crashed)
            flaws << "crashed";
        crashes += crashed;
        hangs += hung;
        blocked = std::max(blocked, thisBlocked);
        grown = std::max(grown, thisGrown);
        tell(each.id + QByteArray(" ") + each.what + ": longest blocked " +
             QByteArray::number(thisBlocked, 'f', 0) + " ms, grew by " +
             QByteArray::number(thisGrown, 'f', 0) + " MB" +
             (flaws.isEmpty() ? QByteArray() : "; " + flaws.join("; ")));
        for (const QByteArray &flaw : std::as_const(flaws))
            verdict.flaws << each.id + QByteArray(" ") + each.what + ": " + flaw;
    }
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(run) + " classes (" + QByteArray::number(absent) +
                       " concern nothing that exists), " + QByteArray::number(crashes) + " crashes, " +
                       QByteArray::number(hangs) + " hangs (longest " + QByteArray::number(blocked, 'f', 0) +
                       " ms), growth " + QByteArray::number(grown, 'f', 0) + " MB";
    return verdict;
}

} // namespace lockscope
