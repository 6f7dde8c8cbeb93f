// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/monitor/clientfinder.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"

#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

QJsonObject toJson(const ClientSighting &sighting)
{
    QJsonArray commands;
    for (const QByteArray &command : sighting.commands)
        commands.append(lossless(command));
    QJsonObject object{{QStringLiteral("times"), sighting.times},
                       {QStringLiteral("use"), QString::fromLatin1(clientUseName(sighting.use))},
                       {QStringLiteral("holds"), sighting.use == ClientUse::Held},
                       {QStringLiteral("commands"), commands}};
    if (!sighting.id.isEmpty())
        insertBytes(object, QStringLiteral("id"), sighting.id.bytes);
    if (sighting.mayBeSeveral())
        object[QStringLiteral("several")] = true;
    insertBytes(object, QStringLiteral("address"), sighting.address);
    if (!sighting.name.isEmpty())
        insertBytes(object, QStringLiteral("name"), sighting.name);
    if (!sighting.library.isEmpty())
        insertBytes(object, QStringLiteral("library"), sighting.library);
    return object;
}

QString humanText(const Lock &lock, const ClientFinderResult &end)
{
    QString text;
    if (!end.sightings.isEmpty()) {
        Table table({Words::tr("CLIENT", "column of a table"), Words::tr("NAME", "column of a table"),
                     Words::tr("ACTIVITY", "column of a table"), Words::tr("TIMES", "column of a table"),
                     Words::tr("ID", "column of a table")});
        for (const ClientSighting &sighting : end.sightings)
            table.add({printable(sighting.address, 60), clientNameInWords(sighting),
                       clientUseInWords(sighting), grouped(sighting.times),
                       ownerIdText(sighting.id.bytes, 80)});
        text += table.text(console::hasColor());
    }
    QStringList lines{Words::tr("Clients found: %1, in %2 and %3 commands.")
                          .arg(grouped(end.sightings.size()), describe(end.looked), grouped(end.commands))};
    if (end.sightings.isEmpty())
        lines << Words::tr("No client used the key. Search longer with --duration (30 at most).");
    else if (end.sightings.front().use != ClientUse::Held)
        lines << Words::tr("No holder found: without renewals, a holder sends nothing.");
    if (std::ranges::any_of(end.sightings, &ClientSighting::mayBeSeveral))
        lines << Words::tr("Unix socket: each line may be several clients.");
    if (const QString candidates = candidatesByClientsInWords(candidatesByClients(lock, end.sightings));
        !candidates.isEmpty())
        lines << candidates;
    if (end.isCutShort)
        lines << Words::tr("The search ended early, at its limit of commands.");
    return text + lines.join(u'\n') + u'\n';
}

class WhoCommand : public KeyCommand
{
public:
    explicit WhoCommand(Options options) : KeyCommand(std::move(options)) {}

private:
    void run() override
    {
        look(options().key, [this](const LookedAt &seen) {
            if (seen.lock)
                return findClients(*seen.lock);
            finishWithout(ExitStatus::Rejected,
                          Words::tr("no lock at %1").arg(printable(options().key.bytes)));
        });
    }

    void findClients(const Lock &lock)
    {
        m_lock = lock;
        const milliseconds duration = options().duration.value_or(ClientFinder::usualTime);
        console::printError(Words::tr("reading all commands for %1; costly for a busy server (Ctrl-C stops)")
                                .arg(describe(duration)));
        // Who holds or wants it talks to the node that keeps it.
        m_look = new ClientFinder(serverOf(lock).address(), lock, duration, this);
        connect(m_look, &ClientFinder::ended, this, &WhoCommand::ended);
        m_look->start();
    }

    void interrupted() override
    {
        if (m_look)
            m_look->stop();
        else
            KeyCommand::interrupted();
    }

    void ended(const ClientFinderResult &end)
    {
        if (end.error)
            return fail(*end.error);
        if (options().json) {
            QJsonArray clients;
            for (const ClientSighting &sighting : end.sightings)
                clients.append(toJson(sighting));
            QJsonArray families;
            for (const Family family : candidatesByClients(m_lock, end.sightings))
                families.append(QString::fromLatin1(familyName(family)));
            QJsonObject object{{QStringLiteral("looked_ms"), qint64(end.looked.count())},
                               {QStringLiteral("commands"), end.commands},
                               {QStringLiteral("cut_short"), end.isCutShort},
                               {QStringLiteral("clients"), clients}};
            if (!families.isEmpty())
                object[QStringLiteral("candidates_by_client")] = families;
            insertBytes(object, QStringLiteral("key"), options().key.bytes);
            return finish(ExitStatus::Done, jsonLine(object));
        }
        finish(ExitStatus::Done, humanText(m_lock, end).toUtf8());
    }

    Lock m_lock;
    ClientFinder *m_look = nullptr; ///< owned as a child
};

} // namespace

std::unique_ptr<Command> whoCommand(const Options &options)
{
    return std::make_unique<WhoCommand>(options);
}

} // namespace lockscope
