// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/plan.h"

#include "core/base/enumnames.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope {

namespace {

constexpr std::array strategies{
    Named<StrategyKind>{StrategyKind::Reentrant, "reentrant"},
    Named<StrategyKind>{StrategyKind::TokenSet, "token-set"},
    Named<StrategyKind>{StrategyKind::TokenLua, "token-lua"},
    Named<StrategyKind>{StrategyKind::TokenSetnx, "token-setnx"},
    Named<StrategyKind>{StrategyKind::TokenCounted, "token-counted"},
    Named<StrategyKind>{StrategyKind::Redisson, "redisson"},
    Named<StrategyKind>{StrategyKind::Handoff, "handoff"},
};

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

bool isToken(StrategyKind kind)
{
    return kind == StrategyKind::TokenSet || kind == StrategyKind::TokenLua ||
           kind == StrategyKind::TokenSetnx || kind == StrategyKind::TokenCounted;
}

constexpr double mostMilliseconds = 1e9; // far above what a plan may have; keeps the arithmetic exact

std::optional<microseconds> parseMilliseconds(QByteArrayView text)
{
    const bool isPlain = std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
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
    return nameIn(strategies, kind);
}

std::optional<StrategyKind> strategyFromName(QByteArrayView name)
{
    return valueIn(strategies, name);
}

QByteArray releaseName(ReleaseMethod form)
{
    return nameIn(releases, form);
}

std::optional<ReleaseMethod> releaseFromName(QByteArrayView name)
{
    return valueIn(releases, name);
}

QByteArray wakeName(WakeMethod form)
{
    return nameIn(wakes, form);
}

std::optional<WakeMethod> wakeFromName(QByteArrayView name)
{
    return valueIn(wakes, name);
}

QByteArray waitModeName(WaitMode mode)
{
    return nameIn(modes, mode);
}

std::optional<WaitMode> waitModeFromName(QByteArrayView name)
{
    return valueIn(modes, name);
}

ReleaseMethod usualRelease(StrategyKind kind)
{
    if (kind == StrategyKind::TokenCounted)
        return ReleaseMethod::UncheckedDelete; // as published
    return isToken(kind) ? ReleaseMethod::CompareAndDelete : ReleaseMethod::Usual;
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
    return form == ReleaseMethod::Usual || form == ReleaseMethod::UncheckedDelete || isToken(kind);
}

bool wakeFits(StrategyKind kind, WakeMethod form)
{
    switch (form) {
    case WakeMethod::Usual:
        return true;
    case WakeMethod::Backoff: // also what Redisson's spin lock does
        return kind != StrategyKind::Handoff;
    case WakeMethod::Poll:
    case WakeMethod::Subscription:
        break;
    }
    return kind == StrategyKind::Reentrant || isToken(kind);
}

bool isReentrant(StrategyKind kind)
{
    return !isToken(kind) || kind == StrategyKind::TokenCounted;
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
    return kind == StrategyKind::TokenSetnx || kind == StrategyKind::TokenCounted;
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
