// SPDX-License-Identifier: GPL-3.0-or-later
// Alerts that are over as soon as they are raised.
#include "core/alerts/alertwatch.h"

namespace lockscope {

/// Ends as soon as it is raised: nothing restores the locks.
void AlertWatch::takeReset(const ServerReset &reset)
{
    raiseMoment({.kind = AlertKind::Reset, .resetOf = reset, .raisedAt = reset.at});
}

void AlertWatch::takeEviction(const LockEvent &event)
{
    raiseMoment({.kind = AlertKind::Evicted,
                 .key = event.address.key,
                 .family = event.family,
                 .owners = event.owners,
                 .raisedAt = event.at});
}

/// Each pair of locks is told once, and not again when the rule is turned off and on.
void AlertWatch::takeOrders(const LockDiff &diff, TimePoint now)
{
    for (const Inversion &inversion : m_orders.take(diff, now))
        raiseMoment({.kind = AlertKind::Inversion,
                     .key = inversion.first,
                     .owners = inversion.owners,
                     .cycle = {inversion.first, inversion.second},
                     .raisedAt = now});
}

void AlertWatch::raiseMoment(Alert alert)
{
    if (!m_rules[alert.kind])
        return;
    alert.endedAt = alert.raisedAt;
    alert.number = m_nextNumber++;
    m_changes.append({Change::What::Raised, alert});
}

} // namespace lockscope
