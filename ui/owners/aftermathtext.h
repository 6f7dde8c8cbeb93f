// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownergroup.h"
#include "core/monitor/crashaftermath.h"
#include "core/monitor/livenesssigns.h"
#include "ui/widgets/palette.h"

#include <QStringList>

namespace lockscope {

// Texts of what a crash of an owner would leave behind. Pure, but for the time zone.

struct ReportTime
{
    TimePoint now;
    qint64 wallMs = 0;
};

/// Returns a heading such as "If this process crashed now:".
QString aftermathHeading(OwnerGroup::Names names);
/// Returns sentences; never empty.
QStringList aftermathSentences(const CrashAftermath &aftermath, const ReportTime &at);

/// Says with evidence whether an owner is likely dead, or that this is not known.
QString signsSentence(const LivenessSigns &signs, const ReportTime &at);
/// Says how many processes of a host show signs of life; empty if no process is known.
QString processesSentence(const SignsOfProcesses &processes, const ReportTime &at);

} // namespace lockscope
