// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

/// One lock.
class GetCommand : public Command
{
public:
    explicit GetCommand(Options options) : Command(std::move(options), false) {}

private:
    void run() override;
    void print(const LookedAt &seen);
};

} // namespace lockscope
