// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

namespace lockscope {

/// The user's settings: servers, logins, names of processes. Private: file and directory are closed to others
/// before anything is read or written.
class Settings : public QSettings
{
public:
    Settings();
};

} // namespace lockscope
