// SPDX-License-Identifier: GPL-3.0-or-later
// Each class of bad input in a process of its own: one that crashes or hangs takes no other with it.
#include "tests/reliability/inputcase.h"
#include "tests/reliability/row.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QProcess>

#include <algorithm>
#include <deque>
#include <memory>

namespace lockscope {

namespace {

constexpr int patienceMs = 120'000;
constexpr double maxBlocked = 2000;       // ms
constexpr double maxGrowthOfInputs = 128; // MB
constexpr double slowMachine = 5;         // as many times as long: where the tests run

/// What became of all classes so far.
struct Totals
{
    int run = 0;
    int crashes = 0;
    int hangs = 0;
    double blocked = 0; // ms
    double grown = 0;   // MB
    QByteArrayList flaws;
};

struct Running
{
    const InputCase *input = nullptr;
    std::unique_ptr<QProcess> process;
    QDeadlineTimer patience;
};

Running start(const InputCase &input)
{
    Running running{&input, std::make_unique<QProcess>(), QDeadlineTimer(patienceMs)};
    running.process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    running.process->start(QCoreApplication::applicationFilePath(),
                           {QStringLiteral("--input"), QString::fromLatin1(input.id)});
    return running;
}

void note(Totals &totals, const Running &running, double limit)
{
    QProcess &process = *running.process;
    const bool ended = process.waitForFinished(static_cast<int>(running.patience.remainingTime()));
    if (!ended) {
        process.kill();
        process.waitForFinished();
    }
    double blocked = 0;
    double grown = 0;
    QByteArrayList flaws;
    for (const QByteArray &line : process.readAllStandardOutput().split('\n')) {
        if (line.startsWith("blocked "))
            blocked = line.sliced(8).toDouble();
        else if (line.startsWith("grew "))
            grown = line.sliced(5).toDouble();
        else if (line.startsWith("flaw "))
            flaws << line.sliced(5);
    }
    const bool hung = !ended || blocked >= limit;
    const bool crashed = ended && (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0);
    if (!ended)
        flaws << "does not end";
    else if (hung)
        flaws << "blocked for " + QByteArray::number(blocked, 'f', 0) + " ms";
    if (grown >= maxGrowthOfInputs)
        flaws << "grew by " + QByteArray::number(grown, 'f', 0) + " MB";
    if (crashed)
        flaws << "crashed";
    const QByteArray name = running.input->id + QByteArray(" ") + running.input->what;
    tell(name + ": longest blocked " + QByteArray::number(blocked, 'f', 0) + " ms, grew by " +
         QByteArray::number(grown, 'f', 0) + " MB" +
         (flaws.isEmpty() ? QByteArray() : "; " + flaws.join("; ")));
    ++totals.run;
    totals.crashes += crashed;
    totals.hangs += hung;
    totals.blocked = std::max(totals.blocked, blocked);
    totals.grown = std::max(totals.grown, grown);
    for (const QByteArray &flaw : std::as_const(flaws))
        totals.flaws << name + ": " + flaw;
}

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
    Totals totals;
    int absent = 0;
    // A class mostly waits: for servers that say nothing, for deadlines. What is timed is timed one by one.
    const std::size_t atOnce = effort.brief ? 4 : 1;
    std::deque<Running> running;
    const auto noteFirst = [&] {
        note(totals, running.front(), maxBlocked * (effort.brief ? slowMachine : 1));
        running.pop_front();
    };
    for (const InputCase &each : inputCases()) {
        const bool isWanted = effort.only.isEmpty() ? !effort.brief || each.brief : effort.wants(each.id);
        if (!isWanted)
            continue;
        if (!each.run) {
            ++absent;
            continue;
        }
        if (running.size() == atOnce)
            noteFirst();
        running.push_back(start(each));
    }
    while (!running.empty())
        noteFirst();
    Verdict verdict;
    verdict.flaws = totals.flaws;
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(totals.run) + " classes (" + QByteArray::number(absent) +
                       " concern nothing that exists), " + QByteArray::number(totals.crashes) + " crashes, " +
                       QByteArray::number(totals.hangs) + " hangs (longest " +
                       QByteArray::number(totals.blocked, 'f', 0) + " ms), growth " +
                       QByteArray::number(totals.grown, 'f', 0) + " MB";
    return verdict;
}

} // namespace lockscope
