// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

namespace lockscope {

/// What the program keeps for its user: which servers there are, who logs in as whom, how processes are called. Nobody
/// else's affair: the file and its directory are closed to others before anything is read or written.
class Settings : public QSettings
{
public:
    Settings();
};

} // namespace lockscope
