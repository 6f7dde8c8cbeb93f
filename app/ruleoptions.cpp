// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "app/words.h"

namespace lockscope {

namespace {

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
        return usageError(isTime     ? ValueRefusal(secondsRefusal)(option, value)
                          : mayBeOff ? Words::tr("%1 takes a whole number from %2 to %3, or 0 for none.")
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

} // namespace

std::vector<OptionRow> OptionGroups::rules()
{
    std::vector<OptionRow> rows{
        {0, "problems", "", scopeOf(Verb::Check),
         QT_TR_NOOP("rule: no problem, deadlock or dead waiter (default)"), flag(&CheckRules::problems)},
        {0, "no-expiry", "", scopeOf(Verb::Check), QT_TR_NOOP("rule: no lock without expiry, of any family"),
         flag(&CheckRules::noExpiry)},
        {0, "allow-open-no-expiry", "", scopeOf(Verb::Check),
         QT_TR_NOOP("allow locks without expiry of an ambiguous family"),
         flag(&CheckRules::allowsOpenExpiry)},
    };
    for (const AlertRule &rule : alertRuleTable()) {
        if (!rule.option)
            continue;
        const auto take = [&rule](Options &options, const QByteArray &value, const QString &option) {
            return takeLimit(rule, options, value, option);
        };
        const bool isOfCheck = rule.kind == AlertKind::HeldTooLong || rule.kind == AlertKind::ManyWaiters;
        const unsigned scope = scopeOf(Verb::Alert) | (isOfCheck ? scopeOf(Verb::Check) : 0);
        const char *unit = rule.limit == AlertLimit::Duration ? "SECONDS"
                           : rule.limit == AlertLimit::Times  ? "TIMES"
                                                              : "N";
        rows.push_back({0, rule.option, unit, scope, rule.optionHelp, {take}, 0, "phrases"});
    }
    rows.insert(
        rows.end(),
        {
            {0, "run", "COMMAND", scopeOf(Verb::Alert),
             QT_TR_NOOP("shell command that reads alerts as JSON lines"),
             into(&Options::alertCommand, commandFrom, emptyRefusal)},
            {0, "webhook", "URL", scopeOf(Verb::Alert), QT_TR_NOOP("post alerts as JSON to this address"),
             into(&Options::webhook, webAddress, exampleRefusal("https://alerts.example.com/hook"))},
            {0, "server", "", scopeOf(Verb::Check),
             QT_TR_NOOP("check whether the server is fit for locks (INFO), no locks"),
             flag(&Options::checksServer)},
            {0, "state", "FILE", scopeOf(Verb::Check), QT_TR_NOOP("state file of --max-held"),
             text(&Options::stateFile)},
        });
    return rows;
}

} // namespace lockscope
