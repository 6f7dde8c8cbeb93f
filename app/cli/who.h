// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/keycommand.h"
#include "core/monitor/clientfinder.h"

namespace lockscope {

/// Which clients renew one lock or try for it.
class WhoCommand : public KeyCommand
{
public:
    explicit WhoCommand(Options options);

private:
    void run() override;
    void interrupted() override;
    void findClients(const Lock &lock);
    void ended(const ClientFinderResult &end);

    ClientFinder *m_look = nullptr; ///< a child
};

} // namespace lockscope
