// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/content.h"

#include <QList>

namespace lockscope {

struct FamilySpec;

/// Reasons why a stored key does not match a file-defined family: one for each of its forms, in their order;
/// empty for a match. Pure.
QList<Phrase> mismatchesOf(const FamilySpec &spec, QByteArrayView key, const KeyContent &content);

} // namespace lockscope
