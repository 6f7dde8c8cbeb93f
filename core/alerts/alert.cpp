// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alert.h"

#include "core/base/enumnames.h"

namespace lockscope {

namespace {

constexpr std::array alertNames{
    Named<AlertKind>{AlertKind::NoExpiry, "no-expiry"},
    Named<AlertKind>{AlertKind::HeldTooLong, "max-held"},
    Named<AlertKind>{AlertKind::HeldUnusuallyLong, "unusual-hold"},
    Named<AlertKind>{AlertKind::ManyWaiters, "max-waiters"},
    Named<AlertKind>{AlertKind::Deadlock, "deadlock"},
    Named<AlertKind>{AlertKind::StalledHolder, "stalled-holder"},
    Named<AlertKind>{AlertKind::ConnectionLost, "connection-lost"},
    Named<AlertKind>{AlertKind::Reset, "reset"},
};
static_assert(alertNames.size() == alertKinds);

} // namespace

QByteArray alertName(AlertKind kind)
{
    return nameIn(alertNames, kind);
}

} // namespace lockscope
