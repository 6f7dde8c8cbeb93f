// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ruleoptions.h"

#include "app/optiontable.h"
#include "app/words.h"

namespace lockscope {

Result<void> takeMaxWaiters(Options &options, const QByteArray &value)
{
    options.rules.maxWaiters = options.alertRules.maxWaiters = wholeNumber(value, 1'000'000'000);
    if (!options.rules.maxWaiters)
        return usageError(Words::tr("--max-waiters takes a whole number from 0 to 1000000000."));
    return {};
}

Result<void> takeMaxHeld(Options &options, const QByteArray &value)
{
    options.rules.maxHeld = options.alertRules.maxHeld = durationFrom(value);
    if (!options.rules.maxHeld)
        return usageError(
            Words::tr("A duration is a number of seconds, 0 or at least 0.001, as in 30 or 0.5."));
    return {};
}

Result<void> takeUnusual(Options &options, const QByteArray &value)
{
    const auto times = wholeNumber(value, 1'000'000);
    if (!times || times == 1)
        return usageError(
            Words::tr("--unusual takes a whole number from 2 to 1000000, or 0 for no such alert."));
    options.alertRules.timesUsual = *times == 0 ? std::nullopt : std::optional(static_cast<int>(*times));
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

} // namespace lockscope
