// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

namespace lockscope {

/// Checks that a valid file's forms read its examples as the examples expect; one fault, with the example's
/// line, for each that differs. Pure.
QList<FileFault> checkExamples(const FamilyFile &file);

/// How certain a file-defined family is of an example: "certain", "likely", "ambiguous", or "none" if the key
/// is not of the family or has no owner. Pure.
QByteArray certaintyIn(const FamilySpec &spec, const FamilyExample &stored);

} // namespace lockscope
