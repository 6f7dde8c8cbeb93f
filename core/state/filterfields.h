// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/state/filterword.h"

#include <QByteArrayList>

#include <span>

namespace lockscope {

/// A token of the filter's language, for completion.
struct FilterField
{
    const char *token;              ///< "state:", "ttl<"
    const char *meaning;            ///< phrase: what it compares
    const char *expected = nullptr; ///< phrase: what must follow; absent: the meaning
};

std::span<const FilterField> filterFields();
/// The field whose token the word starts with, after an optional "-"; nullptr: none.
const FilterField *fieldOf(const FilterWord &word);
/// The text after the token, in lower case.
QByteArray valueOf(const FilterWord &word, const FilterField &field);
/// All values of a token ("state:") with fixed ones: states, families, problems.
QByteArrayList fixedValues(QByteArrayView token);

/// What must follow an invalid word to make it valid; absent: nothing can.
std::optional<Phrase> expectedAfter(const FilterWord &word);
/// True if the word may become a token: "sta".
bool startsField(const FilterWord &word);

} // namespace lockscope
