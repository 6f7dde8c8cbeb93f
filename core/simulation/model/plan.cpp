// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/plan.h"

#include "core/base/ascii.h"
#include "core/simulation/model/strategyspec.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockscope {

namespace {

constexpr Choice<ReleaseMethod> releases[] = {
    {ReleaseMethod::Usual, "", QT_TRANSLATE_NOOP("phrases", "Default"),
     QT_TRANSLATE_NOOP("phrases", "The strategy's own method")},
    {ReleaseMethod::CheckThenDelete, "check-then-delete", QT_TRANSLATE_NOOP("phrases", "Check, then delete"),
     QT_TRANSLATE_NOOP("phrases", "Not safe: GET, compare in the client, DEL")},
    {ReleaseMethod::CompareAndDelete, "compare-and-delete",
     QT_TRANSLATE_NOOP("phrases", "Compare and delete"),
     QT_TRANSLATE_NOOP("phrases", "One script compares and deletes; a missing lock counts as not released")},
    {ReleaseMethod::CompareAndDeleteDone, "compare-and-delete-done",
     QT_TRANSLATE_NOOP("phrases", "Compare and delete; gone is done"),
     QT_TRANSLATE_NOOP("phrases", "One script compares and deletes; a missing lock counts as released")},
    {ReleaseMethod::WatchedTransaction, "watched-transaction",
     QT_TRANSLATE_NOOP("phrases", "Watched transaction"),
     QT_TRANSLATE_NOOP("phrases", "WATCH, GET, MULTI, DEL, EXEC; fails on a change in between")},
    {ReleaseMethod::UncheckedDelete, "unchecked-delete", QT_TRANSLATE_NOOP("phrases", "Delete without check"),
     QT_TRANSLATE_NOOP("phrases", "Not safe: DEL without a check of the owner")},
};

constexpr Choice<WakeMethod> wakes[] = {
    {WakeMethod::Usual, "", QT_TRANSLATE_NOOP("phrases", "Default"),
     QT_TRANSLATE_NOOP("phrases", "The strategy's own method")},
    {WakeMethod::Poll, "poll", QT_TRANSLATE_NOOP("phrases", "Poll"),
     QT_TRANSLATE_NOOP("phrases", "Retry after a fixed time")},
    {WakeMethod::Backoff, "backoff", QT_TRANSLATE_NOOP("phrases", "Random backoff"),
     QT_TRANSLATE_NOOP("phrases", "Retry after a random, growing time (1 to 20 ms)")},
    {WakeMethod::Subscription, "subscription", QT_TRANSLATE_NOOP("phrases", "Subscription"),
     QT_TRANSLATE_NOOP("phrases", "Retry when a release is published, all at once")},
};

constexpr Choice<WaitMode> modes[] = {
    {WaitMode::Try, "try", QT_TRANSLATE_NOOP("phrases", "Try once"),
     QT_TRANSLATE_NOOP("phrases", "Try once")},
    {WaitMode::Timeout, "timeout", QT_TRANSLATE_NOOP("phrases", "Wait up to the timeout"),
     QT_TRANSLATE_NOOP("phrases", "Wait up to the timeout")},
    {WaitMode::Block, "block", QT_TRANSLATE_NOOP("phrases", "Wait until the lock is acquired"),
     QT_TRANSLATE_NOOP("phrases", "Wait until the lock is acquired")},
};

constexpr Choice<ServerFault> serverFaults[] = {
    {ServerFault::Pause, "pause", QT_TRANSLATE_NOOP("phrases", "Pause the server"),
     QT_TRANSLATE_NOOP("phrases", "Pause the server")},
    {ServerFault::Restart, "restart", QT_TRANSLATE_NOOP("phrases", "Kill the server and restart it empty"),
     QT_TRANSLATE_NOOP("phrases", "Kill the server and restart it empty")},
    {ServerFault::FlushAll, "flushall", QT_TRANSLATE_NOOP("phrases", "Delete all keys"),
     QT_TRANSLATE_NOOP("phrases", "Delete all keys")},
};

const std::vector<Choice<StrategyKind>> &strategies()
{
    static const std::vector<Choice<StrategyKind>> all = [] {
        std::vector<Choice<StrategyKind>> choices;
        for (const StrategySpec *spec : strategySpecs())
            choices.push_back({spec->kind, spec->name.data(), spec->title, spec->meaning});
        return choices;
    }();
    return all;
}

constexpr double maxMilliseconds = 1e9; // far above what a plan may have; keeps the arithmetic exact

std::optional<microseconds> parseMilliseconds(QByteArrayView text)
{
    const bool isPlain = std::ranges::all_of(text, [](char c) { return isDigit(c) || c == '.'; });
    bool isNumber = false;
    const double value = text.toByteArray().toDouble(&isNumber);
    if (!isPlain || !isNumber || value > maxMilliseconds)
        return std::nullopt;
    return microseconds(std::llround(value * 1000));
}

QByteArray millisecondsText(microseconds time)
{
    return QByteArray::number(static_cast<double>(time.count()) / 1000, 'g', 15);
}

} // namespace

template <typename Kind>
std::span<const Choice<Kind>> choicesOf()
{
    if constexpr (std::is_same_v<Kind, StrategyKind>)
        return strategies();
    else if constexpr (std::is_same_v<Kind, ReleaseMethod>)
        return releases;
    else if constexpr (std::is_same_v<Kind, WakeMethod>)
        return wakes;
    else if constexpr (std::is_same_v<Kind, WaitMode>)
        return modes;
    else
        return serverFaults;
}

template std::span<const Choice<StrategyKind>> choicesOf();
template std::span<const Choice<ReleaseMethod>> choicesOf();
template std::span<const Choice<WakeMethod>> choicesOf();
template std::span<const Choice<WaitMode>> choicesOf();
template std::span<const Choice<ServerFault>> choicesOf();

ReleaseMethod releaseOf(const Algorithm &algorithm)
{
    return algorithm.release == ReleaseMethod::Usual ? specOf(algorithm.strategy).usualRelease
                                                     : algorithm.release;
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
