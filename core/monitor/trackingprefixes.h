// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/keynamefilter.h"

namespace lockscope {

class LockStore;

/// The prefixes for CLIENT TRACKING in broadcasting mode that cover these patterns.
struct TrackingPrefixes
{
    QList<QByteArray> prefixes; ///< none is the beginning of another, which the server would refuse
    QList<QByteArray> rest;     ///< patterns without a prefix: no literal beginning, or one too many
};

/// Limit of our prefixes: every write makes the server walk over those of all clients.
constexpr qsizetype maxTrackingPrefixes = 8;

/// The patterns in use, those with most locks and changes first.
QList<QByteArray> heardPatterns(const KeyNameFilter &names, const LockStore &locks);

/// Covers the first patterns if there are too many. Pure.
TrackingPrefixes trackingPrefixes(const QList<QByteArray> &patterns);

} // namespace lockscope
