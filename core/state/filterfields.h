// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/state/filterword.h"

#include <QByteArrayList>

#include <span>

namespace lockscope {

/// A token of the filter's language: what is offered while a filter is typed.
struct FilterField
{
    const char *token;    ///< "state:", "ttl<"
    const char *meaning;  ///< of a Phrase: what it compares
    const char *expected; ///< of a Phrase: what has to follow
};

std::span<const FilterField> filterFields();
/// The token with which the word starts, after a "-"; nullptr where it starts with none.
const FilterField *fieldOf(const FilterWord &word);
/// What stands behind the token, in lower case.
QByteArray valueOf(const FilterWord &word, const FilterField &field);
/// Every value that a token ("state:") takes, where these are fixed: states, families, problems.
QByteArrayList fixedValues(QByteArrayView token);

/// Whether letters typed behind a word that makes no sense can still make it one that does; then what has to follow.
std::optional<Phrase> expectedAfter(const FilterWord &word);
/// Whether the word may become a token: "sta".
bool startsField(const FilterWord &word);

} // namespace lockscope
