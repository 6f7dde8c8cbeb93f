// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <memory>

class QLockFile;

namespace lockscope {

/// The right to tell the desktop: of all that would tell it the same, in this process and in others of the user, one has it. Another has it
/// when that one gives it up or ends, however it ends. A file in the runtime directory ($XDG_RUNTIME_DIR), of mode 0600; where there is no such
/// directory, or the file cannot be made, everybody has it: told twice is better than never.
class NotifyClaim
{
public:
    NotifyClaim();
    ~NotifyClaim();

    /// Whether it is had, or is from now on. `subject`: what would be told; the claim to another one is given up. Waits for nobody.
    bool take(const QByteArray &subject);
    void giveUp();

private:
    QByteArray m_subject;
    std::unique_ptr<QLockFile> m_file; ///< null: not had
};

} // namespace lockscope
