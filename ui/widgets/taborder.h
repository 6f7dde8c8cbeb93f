// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockscope {

/// Makes Tab go through the controls in the order of their layouts, that is, as they are read. Qt takes the order in which
/// they were made. Call once all are in their layouts.
void orderTabs(const QWidget &whole);

} // namespace lockscope
