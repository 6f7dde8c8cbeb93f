// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

namespace lockscope {

// The names that programs read: JSON and the command line. Never translated.
QByteArray eventName(EventKind kind);
QByteArray problemName(Problem problem);
QList<Problem> problemList(Problems problems);

} // namespace lockscope
