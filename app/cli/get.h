// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/keycommand.h"

namespace lockscope {

/// One lock.
class GetCommand : public KeyCommand
{
public:
    explicit GetCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    void run() override;
    void print(const LookedAt &seen);
};

} // namespace lockscope
