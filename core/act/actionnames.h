// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

namespace lockscope {

// The names that programs read: scripts, JSON, command line, audit records. Never translated.
QByteArray outcomeName(Outcome outcome);
std::optional<Outcome> outcomeFromName(QByteArrayView name);
QByteArray actionName(Action action);
QByteArray foundName(Found::State state);

} // namespace lockscope
