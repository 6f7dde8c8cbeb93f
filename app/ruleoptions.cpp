// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "app/words.h"

#include <vector>

namespace lockscope {

namespace {

bool isOfCheck(AlertKind kind)
{
    return kind == AlertKind::HeldTooLong || kind == AlertKind::ManyWaiters;
}

QByteArrayView argumentOf(AlertLimit limit)
{
    return limit == AlertLimit::Duration ? "SECONDS" : limit == AlertLimit::Times ? "TIMES" : "N";
}

/// A number of times may be 0, which disables the alert.
Result<void> takeLimit(const AlertRule &rule, Options &options, const QByteArray &value,
                       const QString &option)
{
    const bool isTime = rule.limit == AlertLimit::Duration;
    const bool mayBeOff = rule.limit == AlertLimit::Times;
    std::optional<qint64> limit = wholeNumber(value, rule.minLimit, rule.maxLimit);
    if (isTime) {
        const auto time = secondsFrom(value);
        limit = time ? std::optional(time->count()) : std::nullopt;
    }
    if (!limit && !(mayBeOff && wholeNumber(value, 0, 0)))
        return usageError(isTime ? secondsRefusal(option, value)
                          : mayBeOff
                              ? Words::tr("%1 takes a whole number from %2 to %3, or 0 for no such alert.")
                                    .arg(option)
                                    .arg(rule.minLimit)
                                    .arg(rule.maxLimit)
                              : rangeRefusal(rule.minLimit, rule.maxLimit)(option, value));
    options.alertRules[rule.kind] = limit;
    if (rule.kind == AlertKind::HeldTooLong)
        options.rules.maxHeld = milliseconds(*limit);
    if (rule.kind == AlertKind::ManyWaiters)
        options.rules.maxWaiters = limit;
    return {};
}

std::optional<QString> commandFrom(const QByteArray &value)
{
    return value.trimmed().isEmpty() ? std::nullopt : nonEmpty<QString>(value);
}

std::optional<QUrl> webAddress(const QByteArray &value)
{
    const QUrl url(QString::fromUtf8(value), QUrl::StrictMode);
    const bool isWeb = url.scheme() == QStringLiteral("http") || url.scheme() == QStringLiteral("https");
    return url.isValid() && isWeb && !url.host().isEmpty() ? std::optional(url) : std::nullopt;
}

const OptionRow checkRows[] = {
    {0, "problems", "", scopeOf(Verb::Check),
     QT_TRANSLATE_NOOP(
         "lockscope::app",
         "rule: no problem as in list, no deadlock, no dead waiter (default, with open no expiry)"),
     flag(&CheckRules::problems)},
    {0, "no-expiry", "", scopeOf(Verb::Check),
     QT_TRANSLATE_NOOP("lockscope::app", "rule: no lock without expiry, whatever its library"),
     flag(&CheckRules::noExpiry)},
    {0, "allow-open-no-expiry", "", scopeOf(Verb::Check),
     QT_TRANSLATE_NOOP("lockscope::app",
                       "a lock without expiry whose family is ambiguous is printed and breaks no rule"),
     flag(&CheckRules::allowsOpenExpiry)},
};

const OptionRow otherRows[] = {
    {0, "run", "COMMAND", scopeOf(Verb::Alert),
     QT_TRANSLATE_NOOP("lockscope::app",
                       "shell command that gets new alerts on its input, one JSON object per line"),
     into(&Options::alertCommand, commandFrom, emptyRefusal)},
    {0, "webhook", "URL", scopeOf(Verb::Alert),
     QT_TRANSLATE_NOOP("lockscope::app", "web address to which new alerts are posted as JSON"),
     into(&Options::webhook, webAddress,
          sentence(QT_TRANSLATE_NOOP("lockscope::app",
                                     "%1 takes an address that starts with http:// or https://.")))},
    {0, "state", "FILE", scopeOf(Verb::Check),
     QT_TRANSLATE_NOOP("lockscope::app", "memory of --max-held (~/.local/state/lockscope/check-*.json)"),
     text(&Options::stateFile)},
};

} // namespace

std::span<const OptionRow> ruleRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> rows(std::begin(checkRows), std::end(checkRows));
        for (const AlertRule &rule : alertRuleTable()) {
            if (!rule.option)
                continue;
            OptionRow &row = rows.emplace_back();
            row.name = rule.option;
            row.argument = argumentOf(rule.limit);
            row.scope = scopeOf(Verb::Alert) | (isOfCheck(rule.kind) ? scopeOf(Verb::Check) : 0);
            row.help = rule.optionHelp;
            row.target = {[&rule](Options &options, const QByteArray &value, const QString &option) {
                return takeLimit(rule, options, value, option);
            }};
            row.context = "phrases";
        }
        rows.insert(rows.end(), std::begin(otherRows), std::end(otherRows));
        return rows;
    }();
    return all;
}

} // namespace lockscope
