// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

namespace lockscope {

/// Nothing in it is a default. It can't run: its rounds and its faults of the server exclude each other.
inline Plan unusualPlan()
{
    Plan plan;
    plan.name = "odd-1";
    plan.algorithm = {StrategyKind::TokenSetnx, ReleaseMethod::CheckThenDelete, WakeMethod::Backoff,
                      milliseconds(7), true};
    plan.workers = 2;
    plan.processes = 2;
    plan.locks = 2;
    plan.rounds = 9;
    plan.duration = milliseconds(1234);
    plan.lease = milliseconds(3000);
    plan.hold = {HoldTime::Shape::Uniform, microseconds(12), microseconds(3456)};
    plan.rest = milliseconds(3);
    plan.mode = WaitMode::Timeout;
    plan.timeout = milliseconds(55);
    plan.reentry = 1;
    plan.watchdog = true;
    plan.crashRate = 0.1;
    plan.pauseRate = 0.2;
    plan.pause = milliseconds(77);
    plan.splitCrashRate = 0.05;
    plan.watchdogStopRate = 0.06;
    plan.replyLossRate = 0.07;
    plan.releasePauseRate = 0.08;
    plan.longHoldRate = 0.09;
    plan.serverFaults = {ServerFault::Restart, ServerFault::FlushAll};
    plan.seed = 0xfedc'ba98;
    plan.keys = {"\xff one", "two"};
    Iteration visit;
    visit.startAt = milliseconds(30);
    visit.locks = {1, 0};
    visit.algorithm = Algorithm{.strategy = StrategyKind::Handoff};
    visit.owner = QByteArray("\0o", 2);
    visit.mode = WaitMode::Try;
    visit.timeout = milliseconds(8);
    visit.lease = milliseconds(900);
    visit.levels = 3;
    visit.step = milliseconds(4);
    visit.hold = microseconds(1500);
    visit.renew = milliseconds(300);
    visit.fault = Fault::AcquireReplyLost;
    visit.pause = milliseconds(10);
    visit.rest = milliseconds(11);
    Iteration second;
    second.lease = milliseconds(1000);
    plan.script = {{visit, second}, {}};
    return plan;
}

} // namespace lockscope
