// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

namespace lockscope {

// What check and alert judge by, and whom alert tells. Each takes an option's value.

Result<void> takeMaxWaiters(Options &options, const QByteArray &value);
Result<void> takeMaxHeld(Options &options, const QByteArray &value);
Result<void> takeUnusual(Options &options, const QByteArray &value);
Result<void> takeAlertCommand(Options &options, const QByteArray &value);
Result<void> takeWebhook(Options &options, const QByteArray &value);
Result<void> takeStateFile(Options &options, const QByteArray &value);

template <bool CheckRules::*rule>
Result<void> setRule(Options &options, const QByteArray &)
{
    options.rules.*rule = true;
    return {};
}

} // namespace lockscope
