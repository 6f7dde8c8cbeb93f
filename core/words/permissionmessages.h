// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/watch/permissionstatus.h"

#include <QString>
#include <QStringList>

namespace lockscope {

// Missing permissions and the rules to request. Translated, except for the rules.

/// The ACL rule that grants missing permissions, as an administrator types it: "ACL SETUSER monitor %R~lock:*
/// +getrange". By the server's text or, if that is not enough, all that may be missing. `user`: empty for the
/// default user. `serverMajor`: 0: unknown. Empty if no rule can be given.
QString grantRule(const PermissionStatus &status, const QByteArray &user, int serverMajor);
/// True if the rule may grant more than what is missing, because the server's text is not precise.
bool isGrantVague(const PermissionStatus &status);

/// A sentence on a missing permission; plain text, a server's bytes escaped.
QString describe(const PermissionStatus::Missing &missing);
/// "4 keys cannot be read: no permission."
QString unreadableInWords(qint64 keys);
/// "… keys cannot be read", for companion keys of locks.
QString unreadCompanionsText(qint64 locks);
/// "Ask for: ACL SETUSER …"; empty if no rule can be given.
QString askForGrant(const PermissionStatus &status, const QByteArray &user, int serverMajor);

/// "command", "key", "channel" or "unknown": for programs.
inline constexpr EnumNames refusalName{Named<Refusal::About>{Refusal::About::Command, "command"},
                                       Named<Refusal::About>{Refusal::About::Key, "key"},
                                       Named<Refusal::About>{Refusal::About::Channel, "channel"},
                                       Named<Refusal::About>{Refusal::About::Unknown, "unknown"}};

} // namespace lockscope
