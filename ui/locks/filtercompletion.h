// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/filterword.h"

namespace lockscope {

class DisplayClock;
class LockTableModel;

/// Something to take over into the filter field.
struct FilterSuggestion
{
    QString text;   ///< what is inserted; printable
    QString detail; ///< what it means, or how many locks there are of it
};

/// What may stand in place of the word: tokens that begin like it; behind a token the values that there are, those that
/// most locks have first. The "-" of a negated word stays. Empty where the word is one of them already, or nothing fits.
QList<FilterSuggestion> suggestionsFor(const FilterWord &word, const LockTableModel &model,
                                       const DisplayClock &clock);
/// Every token.
QList<FilterSuggestion> allTokens(const DisplayClock &clock);

} // namespace lockscope
