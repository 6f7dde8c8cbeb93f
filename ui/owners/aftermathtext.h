// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownergroup.h"
#include "core/monitor/crashaftermath.h"
#include "core/monitor/signsoflife.h"
#include "ui/widgets/palette.h"

#include <QStringList>

namespace lockscope {

// What is said of owners of which somebody asks what their end would leave. Pure, but for the time zone.

/// What `now` is for people: its epoch ms on this machine.
struct ToldAt
{
    TimePoint now;
    qint64 wallMs = 0;
};

/// "If this process crashed now:"
QString aftermathHeading(OwnerGroup::Names names);
/// A sentence each; never empty.
QStringList aftermathSentences(const CrashAftermath &aftermath, const ToldAt &at);

/// Whether it is likely dead, with the evidence for it; else that it is not known to be.
QString signsSentence(const SignsOfLife &signs, const ToldAt &at);
/// Of a host: how many of its processes show signs of life. Empty where none is known.
QString processesSentence(const SignsOfProcesses &processes, const ToldAt &at);

} // namespace lockscope
