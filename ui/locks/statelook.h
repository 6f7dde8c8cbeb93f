// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

QString stateWord(LockState state); ///< translated
Glyph stateGlyph(LockState state);
StatusColor stateColor(LockState state);

} // namespace lockscope
