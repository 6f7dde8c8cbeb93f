// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"

#include <QSettings>

namespace lockscope {

/// The user's settings: servers, logins, names of processes. Private: file and directory are closed to others
/// before anything is read or written. A version that reads them otherwise than the one before writes another
/// number as `format`, after a copy of the file; absent: 1.
class Settings : public QSettings
{
public:
    Settings();

    /// True if a newer version wrote them. The file is then left as it is: what is set is kept in a copy, which
    /// goes with the process.
    static bool areNewer();
    /// What that means, for people.
    static Phrase newerText();
};

} // namespace lockscope
