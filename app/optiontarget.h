// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <QFile>

#include <functional>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lockscope {

tl::unexpected<Error> usageError(const QString &why);
/// Returns an error with the text of the first rule that is broken.
Result<void> firstBroken(std::initializer_list<std::pair<bool, QString>> rules);

/// Returns a sentence that rejects a value. `option`: as typed.
struct ValueRefusal : std::function<QString(const QString &option, const QByteArray &value)>
{
    using function::function;
    /// `text`: for Words::tr(); %1 is the option.
    ValueRefusal(const char *text);
};

inline constexpr char emptyRefusal[] = QT_TRANSLATE_NOOP("lockscope::app", "%1 must not be empty.");
inline constexpr char secondsRefusal[] =
    QT_TRANSLATE_NOOP("lockscope::app", "%1 takes seconds: 0, or at least 0.001.");
ValueRefusal rangeRefusal(qint64 least, qint64 most);
ValueRefusal namesRefusal(QByteArrayList (*names)());
/// Names the option's argument and values that it takes.
ValueRefusal exampleRefusal(const char *examples);

/// "acl takes monitor, operator or check."
QString choiceText(const QString &option, QByteArrayList names);
QString needText(const QString &option, const QString &other);
QString conflictText(const QString &option, const QString &other);

/// Parses digits only, without sign or spaces.
std::optional<qint64> wholeNumber(const QByteArray &text, qint64 least, qint64 most);
/// Parses seconds as for a lease, or 0.
std::optional<milliseconds> secondsFrom(const QByteArray &text);

struct OptionTarget
{
    std::function<Result<void>(Options &options, const QByteArray &value, const QString &option)> take;
    bool isRepeatable = false; ///< flags always may be repeated
    /// Returns the allowed names. The help lists them if it says nothing else.
    QByteArrayList (*values)() = nullptr;
};

template <typename T, typename Part>
T &placeOf(Options &options, T Part::*member)
{
    Plan &plan = options.simulation.plan;
    return std::get<Part &>(std::tie(options, options.server, options.rules, options.recording,
                                     options.simulation, plan, plan.algorithm)).*
           member;
}

/// Stores the result of `read`, an optional or a Result; a list gets one more element. Without a refusal, the
/// Result's own error is told.
template <typename T, typename Part, typename Read>
OptionTarget into(T Part::*member, Read read, const ValueRefusal &refusal = {})
{
    using Taken = decltype(read(QByteArray()));
    using Value = std::remove_cvref_t<decltype(*std::declval<Taken>())>;
    constexpr bool isOneMore = std::is_same_v<T, QList<Value>>;
    const auto take = [=](Options &options, const QByteArray &value, const QString &option) -> Result<void> {
        auto taken = read(value);
        if constexpr (std::is_same_v<Taken, Result<Value>>) {
            if (!taken && !refusal)
                return tl::unexpected(taken.error());
        }
        if (!taken)
            return usageError(refusal(option, value));
        if constexpr (isOneMore)
            placeOf(options, member).append(*std::move(taken));
        else
            placeOf(options, member) = *std::move(taken);
        return {};
    };
    return {take, isOneMore};
}

template <typename Set>
OptionTarget by(Set set, const ValueRefusal &refusal, bool isRepeatable = false)
{
    return {[=](Options &options, const QByteArray &value, const QString &option) {
                return set(options, value) ? Result<void>() : usageError(refusal(option, value));
            },
            isRepeatable};
}

template <typename T, typename Part>
OptionTarget flag(T Part::*member, T value = T(true))
{
    return {[=](Options &options, const QByteArray &, const QString &) {
        placeOf(options, member) = value;
        return Result<void>();
    }};
}

/// Refuses an empty value; decodes typed text.
template <typename T>
std::optional<T> nonEmpty(const QByteArray &value)
{
    if (value.isEmpty())
        return std::nullopt;
    if constexpr (std::is_same_v<T, QString>)
        return QFile::decodeName(value);
    else
        return T(value);
}

template <typename T, typename Part>
OptionTarget text(T Part::*member)
{
    return into(member, nonEmpty<T>, emptyRefusal);
}

/// `unit`: factor to the member's unit.
template <typename T, typename Part>
OptionTarget number(T Part::*member, qint64 least, qint64 most, const ValueRefusal &refusal = {},
                    qint64 unit = 1)
{
    const auto read = [=](const QByteArray &value) {
        const auto number = wholeNumber(value, least, most);
        return number ? std::optional<T>(std::in_place, T(*number * unit)) : std::nullopt;
    };
    return into(member, read, refusal ? refusal : rangeRefusal(least, most));
}

template <typename Part>
OptionTarget seconds(std::optional<milliseconds> Part::*member)
{
    return into(member, secondsFrom, secondsRefusal);
}

template <typename T, typename Part, typename ValueOf>
OptionTarget oneOf(T Part::*member, QByteArrayList (*names)(), ValueOf valueOf,
                   const ValueRefusal &refusal = {})
{
    OptionTarget target = into(member, valueOf, refusal ? refusal : namesRefusal(names));
    target.values = names;
    return target;
}

template <const auto &table, typename T, typename Part>
OptionTarget oneOf(T Part::*member)
{
    constexpr auto names = [] {
        QByteArrayList all = namesIn(table.names);
        all.removeAll(QByteArray("")); // for what nobody has chosen
        return all;
    };
    return oneOf(member, names, [=](const QByteArray &value) {
        return names().contains(value) ? table.valueOf(value) : std::nullopt;
    });
}

} // namespace lockscope
