// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// A way to end a lock by its key and at most its token, whichever algorithm acquired it.
class Releasing
{
public:
    virtual ~Releasing() = default;
    virtual Result<Returned> release(const QByteArray &token) = 0;
};

/// Null for ReleaseForm::Usual: a script of the strategy's own.
std::unique_ptr<Releasing> makeReleasing(ReleaseForm form, const Hands &hands);

} // namespace lockscope
