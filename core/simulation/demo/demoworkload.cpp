// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/demo/demoworkload.h"

#include <QUuid>

#include <array>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using enum DemoHabit;

constexpr auto retryPause = 300ms;

constexpr std::array posts{
    DemoLock{"lock:order:1001", StrategyKind::Reentrant, HoldBriefly, 2},
    DemoLock{"lock:order:1002", StrategyKind::Reentrant, Reenter, 1},
    DemoLock{"lock:order:1003", StrategyKind::Reentrant, OverrunLease, 1},
    DemoLock{"lock:order:1004", StrategyKind::TokenSet, HoldBriefly, 1},
    DemoLock{"lock:user:123456", StrategyKind::Reentrant, Reenter, 2},
    DemoLock{"lock:user:204817", StrategyKind::Reentrant, HoldBriefly, 1},
    DemoLock{"lock:user:377120", StrategyKind::TokenSet, HoldBriefly, 1},
    DemoLock{"payments:lock", StrategyKind::Reentrant, KeepRenewing, 3},
    DemoLock{"lock:payment:refunds", StrategyKind::Reentrant, DieHolding, 1},
    DemoLock{"lock_report_nightly", StrategyKind::TokenSet, KeepRenewing, 1},
    DemoLock{"lock_report_weekly", StrategyKind::TokenSet, OverrunLease, 1},
    DemoLock{"lock:cart:88231", StrategyKind::TokenSet, HoldBriefly, 2},
    DemoLock{"lock:cart:90417", StrategyKind::Reentrant, HoldBriefly, 1},
    DemoLock{"lock:inventory:sku-4711", StrategyKind::Reentrant, HoldBriefly, 4},
    DemoLock{"lock:inventory:sku-0815", StrategyKind::TokenSet, OverrunLease, 2},
    DemoLock{"lock:coupon:winter", StrategyKind::TokenSet, HoldBriefly, 1},
    DemoLock{"lock:shipment:7731", StrategyKind::Reentrant, Reenter, 1},
    DemoLock{"lock:invoice:2041", StrategyKind::Reentrant, DieHolding, 2},
    DemoLock{"lock:mail:digest", StrategyKind::TokenSet, DieHolding, 1},
    DemoLock{"lock_import_suppliers", StrategyKind::TokenSet, KeepRenewing, 2},
    DemoLock{"lock_import_prices", StrategyKind::Reentrant, KeepRenewing, 1},
    DemoLock{"lock_cache_warmup", StrategyKind::TokenSet, HoldBriefly, 2},
    DemoLock{"search:reindex:lock", StrategyKind::Reentrant, KeepRenewing, 1},
    DemoLock{"thumbnails:lock", StrategyKind::Reentrant, Reenter, 1},
    DemoLock{"lock:checkout", StrategyKind::Handoff, TakeTurns, 5},
    DemoLock{"lock:prices:publish", StrategyKind::Redisson, TakeTurns, 3},
};

Algorithm algorithmOf(StrategyKind strategy)
{
    if (!wakeFits(strategy, WakeMethod::Poll))
        return {.strategy = strategy};
    return {.strategy = strategy, .wake = WakeMethod::Poll, .poll = retryPause};
}

} // namespace

std::span<const DemoLock> demoPosts()
{
    return posts;
}

DemoWorkload::DemoWorkload(const DemoLock &post, int lock, quint32 seed, quint32 number)
    : m_strategy(post.strategy), m_habit(post.habit), m_lock(lock), m_number(number)
{
    std::seed_seq choices{seed, number};
    m_choices.seed(choices);
}

std::optional<Iteration> DemoWorkload::next()
{
    Iteration visit;
    visit.locks = {m_lock};
    visit.algorithm = algorithmOf(m_strategy);
    if (m_strategy != StrategyKind::TokenSet) {
        // A process keeps its name until it dies.
        if (m_owner.isEmpty())
            m_owner = process();
        visit.owner = m_owner;
    }
    visit.rest = between(500ms, 3000ms);
    switch (m_habit) {
    case HoldBriefly:
        visit.lease = between(5s, 10s);
        visit.hold = between(300ms, 2500ms);
        break;
    case Reenter:
        visit.lease = 8s;
        visit.levels = std::uniform_int_distribution(2, 3)(m_choices);
        visit.step = between(300ms, 800ms);
        visit.hold = between(500ms, 1500ms);
        break;
    case KeepRenewing:
        visit.lease = 6s;
        visit.renew = 2s;
        visit.hold = between(9s, 25s);
        break;
    case OverrunLease:
        visit.lease = between(1500ms, 2500ms);
        visit.hold = visit.lease + between(500ms, 1500ms);
        break;
    case DieHolding:
        visit.lease = 4s;
        visit.renew = 1300ms;
        visit.hold = between(1500ms, 6s);
        visit.fault = Fault::CrashHolding;
        m_owner.clear();
        break;
    case TakeTurns:
        visit.lease = 10s;
        visit.hold = between(700ms, 2500ms);
        visit.rest = between(100ms, 600ms);
        break;
    }
    return visit;
}

milliseconds DemoWorkload::between(milliseconds shortest, milliseconds longest)
{
    return milliseconds(std::uniform_int_distribution(shortest.count(), longest.count())(m_choices));
}

QByteArray DemoWorkload::uuid()
{
    std::array<char, 16> bytes{};
    for (char &byte : bytes)
        byte = static_cast<char>(m_choices() & 0xFF);
    bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40); // version 4
    bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80); // variant of RFC 4122
    return QUuid::fromRfc4122(bytes).toByteArray(QUuid::WithoutBraces);
}

QByteArray DemoWorkload::process()
{
    const QByteArray thread = QByteArray::number(std::uniform_int_distribution(1, 64)(m_choices));
    // Most libraries name an owner by a UUID, home-made ones by host and thread.
    if (m_number % 4 == 3 && m_strategy != StrategyKind::Redisson)
        return "shop-api-" + QByteArray::number(m_number) + "/thread-" + thread;
    return uuid() + ':' + thread;
}

} // namespace lockscope
