// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ruleoptions.h"

#include "app/words.h"

#include <vector>

namespace lockscope {

namespace {

/// check judges by it, too.
bool isOfCheck(AlertKind kind)
{
    return kind == AlertKind::HeldTooLong || kind == AlertKind::ManyWaiters;
}

QByteArrayView argumentOf(AlertLimit limit)
{
    return limit == AlertLimit::Duration ? "SECONDS" : limit == AlertLimit::Times ? "TIMES" : "N";
}

/// A number of times may be 0, for no such alert.
Result<std::optional<qint64>> limitFrom(const AlertRule &rule, const QByteArray &value)
{
    if (rule.limit == AlertLimit::Duration)
        return durationFrom(value).map([](milliseconds limit) { return std::optional(limit.count()); });
    const auto limit = wholeNumber(value, rule.maxLimit);
    if (limit && *limit >= rule.minLimit)
        return limit;
    const bool mayBeOff = rule.limit == AlertLimit::Times;
    if (mayBeOff && limit == 0)
        return std::nullopt;
    const QString why = mayBeOff
                            ? Words::tr("--%1 takes a whole number from %2 to %3, or 0 for no such alert.")
                            : Words::tr("--%1 takes a whole number from %2 to %3.");
    return usageError(why.arg(QLatin1String(rule.option)).arg(rule.minLimit).arg(rule.maxLimit));
}

Result<void> takeLimit(const AlertRule &rule, Options &options, const QByteArray &value)
{
    return limitFrom(rule, value).map([&](std::optional<qint64> limit) {
        options.alertRules[rule.kind] = limit;
        if (rule.kind == AlertKind::HeldTooLong)
            options.rules.maxHeld = milliseconds(*limit);
        if (rule.kind == AlertKind::ManyWaiters)
            options.rules.maxWaiters = limit;
    });
}

template <bool CheckRules::*rule>
Result<void> setRule(Options &options, const QByteArray &)
{
    options.rules.*rule = true;
    return {};
}

Result<void> takeAlertCommand(Options &options, const QByteArray &value)
{
    if (value.trimmed().isEmpty())
        return usageError(Words::tr("--run must not be empty."));
    options.alertCommand = QString::fromLocal8Bit(value);
    return {};
}

/// Without repeating it: it may be a secret.
Result<void> takeWebhook(Options &options, const QByteArray &value)
{
    const QUrl url(QString::fromUtf8(value), QUrl::StrictMode);
    const bool isWeb = url.scheme() == QStringLiteral("http") || url.scheme() == QStringLiteral("https");
    if (!url.isValid() || !isWeb || url.host().isEmpty())
        return usageError(Words::tr("--webhook takes an address that starts with http:// or https://."));
    options.webhook = url;
    return {};
}

Result<void> takeStateFile(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--state must not be empty."));
    options.stateFile = value;
    return {};
}

const std::array checkRows{
    OptionRow{0, "problems", "", scopeOf(Verb::Check),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "rule: no problem as in list, no deadlock, no dead waiter (default)"),
              setRule<&CheckRules::problems>},
    OptionRow{0, "no-expiry", "", scopeOf(Verb::Check),
              QT_TRANSLATE_NOOP("lockscope::app", "rule: no lock without expiry, whatever its library"),
              setRule<&CheckRules::noExpiry>},
};

const std::array otherRows{
    OptionRow{0, "run", "COMMAND", scopeOf(Verb::Alert),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "shell command that gets new alerts on its input, one JSON object per line"),
              takeAlertCommand},
    OptionRow{0, "webhook", "URL", scopeOf(Verb::Alert),
              QT_TRANSLATE_NOOP("lockscope::app", "web address to which new alerts are posted as JSON"),
              takeWebhook},
    OptionRow{
        0, "state", "FILE", scopeOf(Verb::Check),
        QT_TRANSLATE_NOOP("lockscope::app", "memory of --max-held (~/.local/state/lockscope/check-*.json)"),
        takeStateFile},
};

} // namespace

std::span<const OptionRow> ruleRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> rows(checkRows.begin(), checkRows.end());
        for (const AlertRule &rule : alertRuleTable()) {
            if (!rule.option)
                continue;
            OptionRow &row = rows.emplace_back();
            row.name = rule.option;
            row.argument = argumentOf(rule.limit);
            row.scope = scopeOf(Verb::Alert) | (isOfCheck(rule.kind) ? scopeOf(Verb::Check) : 0);
            row.help = rule.optionHelp;
            row.take = [&rule](Options &options, const QByteArray &value) {
                return takeLimit(rule, options, value);
            };
            row.context = "phrases";
        }
        rows.insert(rows.end(), otherRows.begin(), otherRows.end());
        return rows;
    }();
    return all;
}

} // namespace lockscope
