// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/watch/permissionstatus.h"

#include <QString>
#include <QStringList>

namespace lockscope {

// What a missing permission means, and what to ask for. Translated but for the rule.

/// The ACL rule that grants what is missing, as an administrator types it: "ACL SETUSER monitor %R~lock:* +getrange". By
/// what the server has said; where that is not enough, all that may be missing. `user`: empty for the default user.
/// `serverMajor`: 0 where it is not known. Empty where no rule can be given.
QString grantRule(const PermissionStatus &status, const QByteArray &user, int serverMajor);
/// The rule may name more than what is missing, since the server does not say which it is.
bool isGrantVague(const PermissionStatus &status);

/// One sentence for what may not be done; plain text, the server's bytes in it escaped.
QString describe(const PermissionStatus::Missing &missing);
/// "4 keys cannot be read: no permission."
QString unreadableInWords(qint64 keys);
/// The same, of keys beside so many that may be locks.
QString unreadCompanionsText(qint64 locks);
/// "Ask for: ACL SETUSER …"; empty where no rule can be given.
QString askForGrant(const PermissionStatus &status, const QByteArray &user, int serverMajor);

/// "command", "key", "channel" or "unknown": for programs.
inline constexpr EnumNames refusalName{Named<Refusal::About>{Refusal::About::Command, "command"},
                                       Named<Refusal::About>{Refusal::About::Key, "key"},
                                       Named<Refusal::About>{Refusal::About::Channel, "channel"},
                                       Named<Refusal::About>{Refusal::About::Unknown, "unknown"}};

} // namespace lockscope
