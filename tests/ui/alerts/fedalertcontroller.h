// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/told.h"
#include "ui/alerts/alertcontroller.h"

namespace lockscope {

/// So that it is there before the alerts of it.
struct FedSource
{
    ToldSource source;
};

/// The alerts of a watch that is told of by hand: ready and scanned.
class FedAlertController : private FedSource, public AlertController
{
public:
    FedAlertController(const QString &server, const QString &uri, DesktopNotifications &desktop)
        : AlertController(source, server, uri, desktop)
    {
        tell(statusOf(Link::State::Ready));
        tell(wholeScan());
    }
    void tell(const MonitorReport &event) { source.tell(event); }
};

} // namespace lockscope
