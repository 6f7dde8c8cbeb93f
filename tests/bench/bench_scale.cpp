// SPDX-License-Identifier: GPL-3.0-or-later
// The monitor before a hundred thousand locks among millions of keys: what it costs beside the least that would do, and
// how soon it knows. --only NAME: one part of it; --smoke: seconds, figures without a meaning.
#include "tests/bench/scalerows.h"
#include "tests/bench/scaletable.h"

#include <QCoreApplication>

#include <cstdio>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const BenchScale fullScale{{"D1", 10'000, 1'000'000},
                           {"D2", 100'000, 1'000'000},
                           {"D3", 100'000, 5'000'000},
                           9,
                           5s,
                           10'000,
                           2000,
                           4s,
                           200'000};
const BenchScale smokeScale{
    {"D1", 100, 2000}, {"D2", 1000, 2000}, {"D3", 1000, 5000}, 1, 300ms, 500, 20, 500ms, 1000};

bool benchSmall(const BenchScale &scale)
{
    const auto stage = Stage::make(scale.small);
    return stage && benchSweeps(*stage, scale, {.wallTarget = 1.3, .cpuTarget = 1.3});
}

bool benchMiddle(const BenchScale &scale)
{
    const auto stage = Stage::make(scale.middle);
    return stage &&
           benchSweeps(*stage, scale, {.wallTarget = 1.3, .cpuTarget = 1.3, .first = true, .redisCli = true});
}

bool benchLarge(const BenchScale &scale)
{
    const auto stage = Stage::make(scale.large);
    BenchScale fewer = scale;
    fewer.rounds = (scale.rounds + 1) / 2; // each takes five times as long
    return stage && benchSweeps(*stage, fewer, {.wallTarget = 1.1, .cpuTarget = 0}) &&
           benchLongestCommand(*stage);
}

template <bool (*bench)(Stage &, const BenchScale &)>
bool onMiddle(const BenchScale &scale)
{
    const auto stage = Stage::make(scale.middle);
    return stage && bench(*stage, scale);
}

struct Part
{
    const char *name;
    bool (*run)(const BenchScale &);
};
constexpr std::array<Part, 6> parts{{{"d1", benchSmall},
                                     {"d2", benchMiddle},
                                     {"d3", benchLarge},
                                     {"changes", onMiddle<benchChanges>},
                                     {"others", onMiddle<benchOthers>},
                                     {"expiry", onMiddle<benchExpiry>}}};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const BenchScale &scale = arguments.contains(QStringLiteral("--smoke")) ? smokeScale : fullScale;
    const qsizetype only = arguments.indexOf(QStringLiteral("--only"));
    printScaleHeading();
    bool haveRun = true;
    for (const Part &part : parts) {
        if (only < 0 || arguments.value(only + 1) == QLatin1String(part.name))
            haveRun = part.run(scale) && haveRun;
    }
    return haveRun ? 0 : 1;
}
