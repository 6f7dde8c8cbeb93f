// SPDX-License-Identifier: GPL-3.0-or-later
// How the program stands faults: a row after the other, and then the table. packaging/run-reliability builds and starts it.
#include "tests/reliability/inputcase.h"
#include "tests/reliability/row.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace lockscope {

namespace {

constexpr std::array rows{
    Row{"races", "force-expire races with changing owner, all forms of locks",
        "0 wrong kills, every kill told", runRaces},
    Row{"actions", "actions, their command or reply cut, forged or corrupted at every byte",
        "outcome true or unknown, 0 repeated, audit equals outcome", runActions},
    Row{"commands", "the same with lockscope-cli", "outcome true or unknown, audit equals outcome",
        runCommands},
    Row{"faults", "fault kinds, back to a correct table", "100 %, p99 <= the server's own recovery + 2 s",
        runFaults},
    Row{"sustained", "sustained changes, then a sweep",
        "0 differences, heap in use <= 2 % growth after warm-up", runSustained},
    Row{"inputs", "bad inputs, by class", "0 crashes, 0 hangs over 2 s, growth < 128 MB", runInputs},
    Row{"non-locks", "generated keys that are no locks", "0 called certain, 0 alarms", runNonLocks},
    Row{"ends", "how locks ended, by causes that are known",
        "0 wrong; quiet: open <= 10 % (tracking), 5 % (notifications)", runEnds},
    Row{"stuck", "why locks are held, by reasons that are known", "0 wrong, 0 open", runStuck},
};

constexpr qsizetype maxFlaws = 300;

constexpr const char *usage =
    "usage: reliability [--brief] [--seed N] [--races N] [--times N] [--seconds N] [--rate N] [--locks N]\n"
    "                   [--stride N] [--only KIND]... [row...]\n"
    "rows: ";

/// Takes the options off the front of the words; what stays are rows. false: wrong usage.
bool take(QStringList &words, Effort &effort)
{
    QStringList rest;
    const std::array<std::pair<QLatin1String, int *>, 6> numbers{
        {{QLatin1String("--races"), &effort.races},
         {QLatin1String("--times"), &effort.times},
         {QLatin1String("--seconds"), &effort.seconds},
         {QLatin1String("--rate"), &effort.perSecond},
         {QLatin1String("--locks"), &effort.locks},
         {QLatin1String("--stride"), &effort.stride}}};
    // The short form first: what is given beside it wins.
    if (words.removeAll(QStringLiteral("--brief")) > 0) {
        effort.brief = true;
        effort.races = 210;
        effort.times = 1;
        effort.seconds = 3;
        effort.perSecond = 3000;
        effort.locks = 2000;
        effort.stride = 23;
    }
    while (!words.isEmpty()) {
        const QString word = words.takeFirst();
        if (!word.startsWith(QLatin1String("--"))) {
            rest << word;
            continue;
        }
        if (words.isEmpty())
            return false;
        const QString value = words.takeFirst();
        const auto number =
            std::ranges::find_if(numbers, [&](const auto &each) { return each.first == word; });
        bool isNumber = false;
        if (word == QLatin1String("--only"))
            effort.only << value.toUtf8();
        else if (word == QLatin1String("--seed"))
            effort.seed = value.toUInt(&isNumber);
        else if (number == numbers.end())
            return false;
        else if ((*number->second = value.toInt(&isNumber)) < 1 || !isNumber)
            return false;
    }
    words = rest;
    return true;
}

struct Line
{
    const Row *row;
    Verdict verdict;
};

} // namespace

void tell(const QByteArray &line)
{
    std::printf("    %s\n", line.constData());
    std::fflush(stdout);
}

double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<size_t>(rank, 1, values.size()) - 1];
}

int runRows(QStringList words)
{
    Effort effort;
    effort.seed = QRandomGenerator::global()->generate();
    const auto rowNamed = [](const QString &name) {
        return std::ranges::find_if(rows, [&](const Row &row) { return name == QLatin1String(row.name); });
    };
    const bool understood = take(words, effort) && std::ranges::all_of(words, [&](const QString &name) {
                                return rowNamed(name) != rows.end();
                            });
    if (!understood) {
        std::fputs(usage, stderr);
        for (const Row &row : rows)
            std::fprintf(stderr, "%s ", row.name);
        std::fputs("\n", stderr);
        return 2;
    }
    std::printf("seed %u\n", effort.seed);
    std::vector<Line> lines;
    for (const Row &row : rows) {
        if (!words.isEmpty() && !words.contains(QLatin1String(row.name)))
            continue;
        std::printf("%s: %s\n", row.name, row.what);
        std::fflush(stdout);
        lines.push_back({&row, row.run(effort)});
        const QByteArrayList &flaws = lines.back().verdict.flaws;
        for (const QByteArray &flaw : flaws.first(std::min(maxFlaws, flaws.size())))
            tell("! " + flaw);
        if (flaws.size() > maxFlaws)
            tell("! and " + QByteArray::number(flaws.size() - maxFlaws) + " more");
    }
    std::printf("\n%-10s | %-65s | %-55s | %s\n", "row", "measured", "target", "");
    for (const Line &line : lines)
        std::printf("%-10s | %-65s | %-55s | %s\n", line.row->name, line.verdict.measured.constData(),
                    line.row->target, line.verdict.met ? "met" : "MISSED");
    return std::ranges::all_of(lines, [](const Line &line) { return line.verdict.met; }) ? 0 : 1;
}

} // namespace lockscope

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QStringList words = QCoreApplication::arguments().mid(1);
    if (words.value(0) == QLatin1String("--input")) // one class of bad input, in a process of its own
        return lockscope::runInputCase(words.value(1).toLatin1());
    return lockscope::runRows(words);
}
