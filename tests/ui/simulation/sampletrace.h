// SPDX-License-Identifier: GPL-3.0-or-later
// A run that never ran: W1 holds the lock, is paused beyond its lease, and W2 enters meanwhile; then W2 wakes W3.
#pragma once

#include "tests/ui/simulation/samplerun.h"

namespace lockscope {

inline QList<TraceEntry> sampleEntries()
{
    using Kind = TraceEntry::Kind;
    using std::chrono::milliseconds;
    const auto entry = [](Kind kind, int worker, int at, int since = 0, int until = 0) {
        return TraceEntry{.kind = kind,
                          .worker = qint16(worker),
                          .lock = 0,
                          .at = milliseconds(at),
                          .since = milliseconds(since),
                          .until = milliseconds(until)};
    };
    TraceEntry woken = entry(Kind::Woken, 2, 1101, 1090);
    woken.other = 1;
    return {
        entry(Kind::WaitBegan, 0, 1),
        entry(Kind::Entered, 0, 2),
        entry(Kind::Acquired, 0, 2, 1, 301),
        entry(Kind::WaitBegan, 1, 50),
        entry(Kind::WaitBegan, 2, 60),
        entry(Kind::PauseBegan, 0, 100),
        entry(Kind::Refused, 1, 100, 99),
        entry(Kind::Refused, 1, 200, 199),
        entry(Kind::Entered, 1, 310),
        entry(Kind::Acquired, 1, 310, 305, 3305),
        entry(Kind::PauseEnded, 0, 900),
        entry(Kind::Left, 0, 950),
        entry(Kind::NotHeld, 0, 960, 951),
        entry(Kind::Left, 1, 1090),
        entry(Kind::Published, 1, 1100, 1090),
        woken,
        entry(Kind::Entered, 2, 1110),
        entry(Kind::Acquired, 2, 1110, 1102, 4102),
        entry(Kind::Left, 2, 1200),
        entry(Kind::Released, 2, 1210, 1201),
    };
}

inline Report sampleTraced()
{
    Report report = sampleReport(StrategyKind::TokenSet, 3, milliseconds(1));
    report.plan.workers = 3;
    report.plan.script = {{Iteration()}, {Iteration()}, {Iteration()}};
    report.duration = milliseconds(1300);
    for (const TraceEntry &entry : sampleEntries())
        report.trace.add(entry);
    Violation overlap = sampleViolation();
    overlap.holder = 0;
    overlap.intruder = 1;
    overlap.holderEntered = milliseconds(2);
    overlap.at = milliseconds(310);
    report.findings.overlaps = 1;
    report.findings.examples = {overlap};
    return report;
}

} // namespace lockscope
