// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockscope {

/// Makes Tab follow the layouts, as they are read; Qt follows the creation. Call once all parts are in their layouts.
void orderTabs(const QWidget &whole);

} // namespace lockscope
