// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

namespace lockscope {

/// Whether the forms of a file without faults make of its examples what these say. A fault each where they do not, with the
/// example's line. Pure.
QList<FileFault> checkExamples(const FamilyFile &file);

} // namespace lockscope
