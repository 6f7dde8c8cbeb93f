// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// A pattern that would show some of the locks found.
struct PatternAdvice
{
    QByteArray pattern;
    QList<LockKey> keys; ///< all of those found that it matches

    friend bool operator==(const PatternAdvice &, const PatternAdvice &) = default;
};

/// Patterns that together match all of these keys, and few others: what keys with the same beginning have in common, or
/// with the same word for a lock at their end.
/// The one that matches most first; none whose keys those before it match already. Pure.
QList<PatternAdvice> suggestPatterns(const QList<LockKey> &keys);

} // namespace lockscope
