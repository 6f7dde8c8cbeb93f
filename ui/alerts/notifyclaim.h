// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <memory>

class QLockFile;

namespace lockscope {

/// The right to notify the desktop, held by one page per subject among all processes of the user and released
/// when it ends. A lock file of mode 0600 in $XDG_RUNTIME_DIR; without the directory or file everybody has
/// the right: a duplicate is better than none.
class NotifyClaim
{
public:
    NotifyClaim();
    ~NotifyClaim();

    /// Returns true if this has the claim to `subject`; gives up any other claim. Never waits.
    bool take(const QByteArray &subject);
    void giveUp();

private:
    QByteArray m_subject;
    std::unique_ptr<QLockFile> m_file; ///< nullptr without the claim
};

} // namespace lockscope
