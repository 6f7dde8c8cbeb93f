// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// What the strategies with a token have in common: one that becomes the holder's only when the server took it, so that
/// an attempt never overwrites the one that may still be stored.
class Token : public LockStrategy
{
public:
    using LockStrategy::LockStrategy;

    Result<int> storedHolds() override;

protected:
    static QByteArray newToken();
    static QByteArray wholeSeconds(milliseconds lease);

    QByteArray token() const override { return m_held; }
    Result<bool> extend(milliseconds lease) override;

    /// For the next attempt; the same until one succeeds.
    const QByteArray &candidate();
    /// The server took the candidate.
    AcquireResult won();

    LeaseText m_lease;

private:
    QByteArray m_held; ///< the last that the server took
    QByteArray m_next;
};

} // namespace lockscope
