// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/momenttext.h"

#include "core/base/match.h"
#include "core/table/feedtext.h"
#include "core/table/resettext.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"
#include "core/words/texts.h"

namespace lockscope {

namespace {

QString nodeText(MonitorEventKind kind, const NodeStatus &node, const QString &serverName)
{
    return kind == MonitorEventKind::NodeReady  ? Texts::tr("%1 is ready; reading its locks.").arg(node.name)
           : kind == MonitorEventKind::NodeLeft ? Texts::tr("%1 keeps no locks any more.").arg(node.name)
                                                : whyMissing(node, serverName);
}

} // namespace

QString momentText(const SourceEvent &moment, const QString &name, const ServerInfo &server,
                   const QStringList &cycle)
{
    return std::visit(Match{[](std::monostate) { return Texts::tr("All locks are read again."); },
                            [&](const Error &why) { return describe(why, name); },
                            [](FeedGap gap) { return gapText(gap); },
                            [](FeedMode mode) { return feedText(mode); },
                            [&](const ServerReset &reset) { return resetText(reset, server); },
                            [&](const Deadlock &) {
                                return cycle.join(Texts::tr("; ", "between two who wait for each other"));
                            },
                            [&](const NodeStatus &node) { return nodeText(moment.kind, node, name); }},
                      moment.what)
        .replace(u'\n', u' ');
}

} // namespace lockscope
