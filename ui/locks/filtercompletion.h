// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/filterword.h"

namespace lockscope {

class DisplayClock;
class LockTableModel;

struct FilterSuggestion
{
    QString text;   ///< printable
    QString detail; ///< meaning, or number of matching locks
};

/// Returns replacements for a word: tokens that begin with it, or values of its token, most frequent first.
/// Keeps the "-" of a negated word. Empty if the word is already a suggestion or nothing matches.
QList<FilterSuggestion> suggestionsFor(const FilterWord &word, const LockTableModel &model,
                                       const DisplayClock &clock);
QList<FilterSuggestion> allTokens(const DisplayClock &clock);

} // namespace lockscope
