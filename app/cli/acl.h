// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/keycommand.h"
#include "core/act/aclcheck.h"

#include <QQueue>

namespace lockscope {

/// Prints the command that creates a user with the permissions of a role. Needs no server.
ExitStatus printAclLine(const Options &options);

/// What a login lacks at a server, or at each node of a cluster, for one role or for both.
class AclCheckCommand : public KeyCommand
{
public:
    explicit AclCheckCommand(Options options);

private:
    struct Answer
    {
        QString node; ///< its address
        AclRole role;
        Result<AclVerdict> verdict;
    };

    void run() override;
    void askNext();
    void conclude();

    QQueue<std::pair<ServerAddress, AclRole>> m_toAsk;
    QList<Answer> m_answers;
};

} // namespace lockscope
