// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// The common part of strategies with a token: a token becomes the holder's only after the server's answer,
/// so that an attempt never overwrites one that may still be stored.
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

    /// The token for the next attempt; unchanged until one succeeds.
    const QByteArray &candidate();
    /// Keeps the candidate, which the server has stored, as held.
    AcquireResult won();

private:
    QByteArray m_held; ///< last one stored by the server
    QByteArray m_next;
};

} // namespace lockscope
