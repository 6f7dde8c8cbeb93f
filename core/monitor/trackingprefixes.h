// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/nominatednames.h"

namespace lockscope {

class LockStore;

/// What CLIENT TRACKING in broadcasting mode can be asked for so that changes under these patterns are told.
struct TrackingPrefixes
{
    QList<QByteArray>
        prefixes; ///< literal bytes; none is the beginning of another, which the server would refuse
    QList<QByteArray> rest; ///< patterns that no prefix covers: without a literal beginning, or one too many
};

/// Every write of the server walks over all prefixes of all its clients: we ask for no more than this.
constexpr qsizetype mostTrackingPrefixes = 8;

/// The patterns in use, those under which most locks are held, and come and go, first.
QList<QByteArray> heardPatterns(const NominatedNames &names, const LockStore &locks);

/// Pure. The first patterns come first where there are too many.
TrackingPrefixes trackingPrefixes(const QList<QByteArray> &patterns);

} // namespace lockscope
