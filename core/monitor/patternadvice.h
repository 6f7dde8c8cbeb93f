// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

/// A pattern that matches some of the locks found.
struct PatternAdvice
{
    QByteArray pattern;
    QList<LockKey> keys; ///< all found keys that it matches

    friend bool operator==(const PatternAdvice &, const PatternAdvice &) = default;
};

/// Patterns that together match all of these keys and few others, by common beginnings or by a common word
/// for a lock at the end. The pattern with the most matches comes first; each adds keys to those before it.
/// Pure.
QList<PatternAdvice> suggestPatterns(const QList<LockKey> &keys);

} // namespace lockscope
