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

std::optional<AlertKind> alertFromName(QByteArrayView name)
{
    return valueIn(alertNames, name);
}

bool isOn(const AlertRules &rules, AlertKind kind)
{
    bool is = false;
    visitRules([&](AlertKind each, auto rule) {
        if (each == kind)
            is = static_cast<bool>(rules.*rule);
    });
    return is;
}

AlertSeverity severityOf(AlertKind kind)
{
    switch (kind) {
    case AlertKind::Deadlock:
    case AlertKind::ConnectionLost:
    case AlertKind::Reset:
        return AlertSeverity::Critical;
    case AlertKind::NoExpiry:
    case AlertKind::HeldTooLong:
    case AlertKind::StalledHolder:
        return AlertSeverity::Warning;
    case AlertKind::HeldUnusuallyLong:
    case AlertKind::ManyWaiters:
        break;
    }
    return AlertSeverity::Notice;
}

} // namespace lockscope
