// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/model/moment.h"

namespace lockscope {

// The names that programs read: JSON and the command line. Never translated.
QByteArray eventName(EventKind kind);
QByteArray momentName(MomentKind kind);
QByteArray problemName(Problem problem);
std::optional<Problem> problemFromName(QByteArrayView name);
QList<Problem> problemList(Problems problems);

} // namespace lockscope
