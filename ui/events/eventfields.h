// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"

#include <QByteArray>
#include <QVariant>

#include <array>

namespace lockscope {

/// A column of events that are written for other programs.
struct EventField
{
    const char *name; ///< as `lockscope-cli watch` calls it; never translated
    /// A whole number or a text, whose bytes are escaped where they are no UTF-8; invalid: the event has none.
    QVariant (*value)(const LoggedEvent &logged);
};

constexpr int eventFieldCount = 12;
/// All of them, in the order of a table.
const std::array<EventField, eventFieldCount> &eventFields();

/// "acquired", "disconnected": as `lockscope-cli watch` calls it.
QByteArray nameOf(LoggedKind kind);

} // namespace lockscope
