// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/family/content.h"

#include <QList>

namespace lockscope {

struct FamilySpec;

/// Why what is stored under a key is not what a family that is data stores: a reason for each of its forms, in their order; empty for
/// one that it is. Pure.
QList<Phrase> mismatchesOf(const FamilySpec &spec, QByteArrayView key, const KeyContent &content);

} // namespace lockscope
