// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/plan.h"

#include "core/base/ascii.h"
#include "core/base/enumnames.h"
#include "core/simulation/model/strategyspec.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope {

namespace {

constexpr std::array releases{
    Named<ReleaseMethod>{ReleaseMethod::CheckThenDelete, "check-then-delete"},
    Named<ReleaseMethod>{ReleaseMethod::CompareAndDelete, "compare-and-delete"},
    Named<ReleaseMethod>{ReleaseMethod::CompareAndDeleteDone, "compare-and-delete-done"},
    Named<ReleaseMethod>{ReleaseMethod::WatchedTransaction, "watched-transaction"},
    Named<ReleaseMethod>{ReleaseMethod::UncheckedDelete, "unchecked-delete"},
};

constexpr std::array wakes{
    Named<WakeMethod>{WakeMethod::Poll, "poll"},
    Named<WakeMethod>{WakeMethod::Backoff, "backoff"},
    Named<WakeMethod>{WakeMethod::Subscription, "subscription"},
};

constexpr std::array modes{
    Named<WaitMode>{WaitMode::Try, "try"},
    Named<WaitMode>{WaitMode::Timeout, "timeout"},
    Named<WaitMode>{WaitMode::Block, "block"},
};

constexpr std::array serverFaults{
    Named<ServerFault>{ServerFault::Pause, "pause"},
    Named<ServerFault>{ServerFault::Restart, "restart"},
    Named<ServerFault>{ServerFault::FlushAll, "flushall"},
};

constexpr double mostMilliseconds = 1e9; // far above what a plan may have; keeps the arithmetic exact

std::optional<microseconds> parseMilliseconds(QByteArrayView text)
{
    const bool isPlain = std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '.'; });
    bool isNumber = false;
    const double value = text.toByteArray().toDouble(&isNumber);
    if (!isPlain || !isNumber || value > mostMilliseconds)
        return std::nullopt;
    return microseconds(std::llround(value * 1000));
}

QByteArray millisecondsText(microseconds time)
{
    return QByteArray::number(static_cast<double>(time.count()) / 1000, 'g', 15);
}

} // namespace

QByteArray strategyName(StrategyKind kind)
{
    return specOf(kind).name.toByteArray();
}

std::optional<StrategyKind> strategyFromName(QByteArrayView name)
{
    const auto all = strategySpecs();
    const auto spec = std::ranges::find(all, name, [](const StrategySpec *each) { return each->name; });
    return spec == all.end() ? std::nullopt : std::optional((*spec)->kind);
}

QByteArrayList strategyNames()
{
    QByteArrayList names;
    for (const StrategySpec *spec : strategySpecs())
        names.append(spec->name.toByteArray());
    return names;
}

QByteArray releaseName(ReleaseMethod form)
{
    return nameIn(releases, form);
}

std::optional<ReleaseMethod> releaseFromName(QByteArrayView name)
{
    return valueIn(releases, name);
}

QByteArrayList releaseNames()
{
    return namesIn(releases);
}

QByteArray wakeName(WakeMethod form)
{
    return nameIn(wakes, form);
}

std::optional<WakeMethod> wakeFromName(QByteArrayView name)
{
    return valueIn(wakes, name);
}

QByteArrayList wakeNames()
{
    return namesIn(wakes);
}

QByteArray waitModeName(WaitMode mode)
{
    return nameIn(modes, mode);
}

std::optional<WaitMode> waitModeFromName(QByteArrayView name)
{
    return valueIn(modes, name);
}

QByteArrayList waitModeNames()
{
    return namesIn(modes);
}

std::optional<ServerFault> serverFaultFromName(QByteArrayView name)
{
    return valueIn(serverFaults, name);
}

QByteArrayList serverFaultNames()
{
    return namesIn(serverFaults);
}

ReleaseMethod usualRelease(StrategyKind kind)
{
    return specOf(kind).usualRelease;
}

ReleaseMethod releaseOf(const Algorithm &algorithm)
{
    return algorithm.release == ReleaseMethod::Usual ? usualRelease(algorithm.strategy) : algorithm.release;
}

bool hasGap(ReleaseMethod form)
{
    return form == ReleaseMethod::CheckThenDelete || form == ReleaseMethod::WatchedTransaction;
}

bool releaseFits(StrategyKind kind, ReleaseMethod form)
{
    // Anybody can delete a key; comparing it as a whole takes one that is a token.
    return form == ReleaseMethod::Usual || form == ReleaseMethod::UncheckedDelete || specOf(kind).isToken;
}

bool wakeFits(StrategyKind kind, WakeMethod form)
{
    switch (form) {
    case WakeMethod::Usual:
        return true;
    case WakeMethod::Backoff:
        return specOf(kind).canBackOff;
    case WakeMethod::Poll:
    case WakeMethod::Subscription:
        break;
    }
    return specOf(kind).canPoll;
}

bool isReentrant(StrategyKind kind)
{
    return specOf(kind).isReentrant;
}

QList<Algorithm> algorithmsOf(const Plan &plan)
{
    QList<Algorithm> all;
    const auto add = [&all](const Algorithm &algorithm) {
        if (!all.contains(algorithm))
            all.append(algorithm);
    };
    for (const QList<Iteration> &visits : plan.script) {
        for (const Iteration &visit : visits)
            add(visit.algorithm.value_or(plan.algorithm));
    }
    if (all.isEmpty())
        add(plan.algorithm);
    return all;
}

bool hasWholeSecondLease(StrategyKind kind)
{
    return specOf(kind).inWholeSeconds;
}

std::optional<HoldTime> HoldTime::parse(QByteArrayView text)
{
    constexpr QByteArrayView uniform = "uniform:";
    constexpr QByteArrayView exponential = "exp:";
    if (text.startsWith(uniform)) {
        const QByteArrayView range = text.sliced(uniform.size());
        const qsizetype dots = range.indexOf("..");
        if (dots < 0)
            return std::nullopt;
        const auto low = parseMilliseconds(range.first(dots));
        const auto high = parseMilliseconds(range.sliced(dots + 2));
        return low && high && *low <= *high ? std::optional(HoldTime{Shape::Uniform, *low, *high})
                                            : std::nullopt;
    }
    const bool isExponential = text.startsWith(exponential);
    const auto time = parseMilliseconds(isExponential ? text.sliced(exponential.size()) : text);
    if (!time || (isExponential && time->count() == 0))
        return std::nullopt;
    return HoldTime{isExponential ? Shape::Exponential : Shape::Fixed, *time, *time};
}

QByteArray HoldTime::toText() const
{
    switch (shape) {
    case Shape::Fixed:
        break;
    case Shape::Uniform:
        return "uniform:" + millisecondsText(low) + ".." + millisecondsText(high);
    case Shape::Exponential:
        return "exp:" + millisecondsText(low);
    }
    return millisecondsText(low);
}

double drawShare(std::mt19937 &random)
{
    return static_cast<double>(random()) / (static_cast<double>(std::mt19937::max()) + 1);
}

microseconds HoldTime::draw(std::mt19937 &random) const
{
    const double share = drawShare(random);
    switch (shape) {
    case Shape::Fixed:
        break;
    case Shape::Uniform:
        return low + microseconds(static_cast<qint64>(share * static_cast<double>((high - low).count() + 1)));
    case Shape::Exponential:
        return std::min(10 * low,
                        microseconds(std::llround(-std::log1p(-share) * static_cast<double>(low.count()))));
    }
    return low;
}

} // namespace lockscope
