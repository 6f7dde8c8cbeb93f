// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/keycommand.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/missingpermissions.h"
#include "core/read/companions.h"
#include "core/read/groupreading.h"
#include "core/read/inspector.h"
#include "core/redis/whendone.h"

#include <utility>

namespace lockscope {

KeyCommand::KeyCommand(Options options)
    : Command(std::move(options)),
      m_deployment(std::make_unique<Deployment>(this->options().server,
                                                Connection::Options{.clientName = "lockscope-cli",
                                                                    .readOnly = this->options().readOnly,
                                                                    .reconnect = false}))
{
    connect(&link(), &Link::ready, this, [this] {
        if (!std::exchange(m_isRunning, true))
            run();
    });
    const auto lost = [this](const Error &why) {
        if (isFinished())
            return;
        if (m_isRunning)
            connectionLost(why);
        else
            fail(why);
    };
    connect(&link(), &Link::connectionLost, this, lost);
    connect(&link(), &Link::connectionRefused, this, lost);
}

void KeyCommand::look(const LockKey &key, std::function<void(const LookedAt &)> then)
{
    if (m_deployment->isGroup())
        return lookInGroup(key, then);
    whenDone(listener(), inspector::inspect(link().forKey(key.bytes), key),
             [this, key, then](const Result<Inspection> &inspection) {
                 if (!inspection)
                     return readFailed(inspection.error());
                 if (!inspection->lock)
                     return then({});
                 readCompanions(link().forKey(key.bytes), *inspection->lock, then);
             });
}

void KeyCommand::readFailed(const Error &why)
{
    // A lost connection tells its own cause; that a mere look "may have been carried out" is no news. One of a Redlock group that
    // is lost is no end of the connection.
    if (m_deployment->isGroup() && why.kind == ErrorKind::OutcomeUnknown)
        fail(Error(ErrorKind::NotConnected, why));
    else if (why.kind != ErrorKind::OutcomeUnknown)
        fail(why);
}

void KeyCommand::readCompanions(Link &server, const Lock &lock,
                                const std::function<void(const LookedAt &)> &then)
{
    whenDone(listener(), companions::inspect(server, {lock}),
             [this, then](const Result<companions::Seen> &seen) {
                 if (!seen)
                     return readFailed(seen.error());
                 Lock found = seen->locks.first();
                 if (isHidden(found)) // a document is no owner
                     found.owners.clear();
                 then({found, missingCompanions(seen->forbidden)});
             });
}

void KeyCommand::lookInGroup(const LockKey &key, const std::function<void(const LookedAt &)> &then)
{
    const QList<Link *> servers = groupLinks();
    whenDone(listener(), GroupReading::start(servers, key, listener()),
             [this, key, then, servers](const GroupReading::Answer &found) {
                 if (!found)
                     return readFailed(found.error());
                 if (found->lock)
                     return readCompanions(*servers[found->lock->quorum->shownMember], *found->lock, then);
                 if (found->unknown == 0)
                     return then({});
                 warnOfMissing(missingServers());
                 finishWithout(ExitStatus::Unavailable,
                               Words::tr("no lock at %1 on %2 of %3 servers; others unread")
                                   .arg(printable(key.bytes))
                                   .arg(servers.size() - found->unknown)
                                   .arg(servers.size()));
             });
}

Link &KeyCommand::serverOf(const Lock &lock)
{
    return serverThatHas(*m_deployment, lock);
}

void KeyCommand::warnOfUnread(const LookedAt &seen)
{
    PermissionStatus status;
    status.missing = seen.missing;
    warnOfUnread(status, seen.isWhole() ? 0 : 1);
}

} // namespace lockscope
