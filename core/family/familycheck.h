// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

namespace lockscope {

/// Whether the forms of a file without faults make of its examples what these say. A fault each where they do not, with the
/// example's line. Pure.
QList<FileFault> checkExamples(const FamilyFile &file);

/// What a family that is data makes of a stored key, as an example says it: "certain", "likely", "ambiguous", or "none" where it is not
/// of the family or held by nobody. Pure.
QByteArray certaintyIn(const FamilySpec &spec, const FamilyExample &stored);

} // namespace lockscope
