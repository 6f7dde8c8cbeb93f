// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clientfinder.h"

#include "core/base/ascii.h"
#include "core/family/companionkeys.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/read/channellocks.h"
#include "core/redis/whendone.h"

#include <QSet>

#include <algorithm>
#include <span>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxKinds = 5; // of commands, told of one client

/// A text as MONITOR quotes it.
QByteArray asShown(const QByteArray &bytes)
{
    static constexpr char digits[] = "0123456789abcdef";
    QByteArray text;
    for (const char c : bytes) {
        const auto code = static_cast<unsigned char>(c);
        const qsizetype named = QByteArrayView("\n\r\t\a\b\"\\").indexOf(c);
        if (named >= 0)
            text += {'\\', "nrtab\"\\"[named]};
        else if (code >= 0x20 && code < 0x7f)
            text += c;
        else
            text += QByteArray("\\x") + digits[code >> 4] + digits[code & 15];
    }
    return text;
}

int hexValue(char c)
{
    return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// The bytes after an opening quote, up to the closing one; `at` is then behind it.
QByteArray unquoted(QByteArrayView line, qsizetype &at)
{
    QByteArray bytes;
    for (; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] != '\\' || at + 1 >= line.size()) {
            bytes += line[at];
            continue;
        }
        const char next = line[++at];
        const qsizetype named = QByteArrayView("nrtab").indexOf(next);
        if (next == 'x' && at + 2 < line.size() && hexValue(line[at + 1]) >= 0 &&
            hexValue(line[at + 2]) >= 0) {
            bytes += static_cast<char>(hexValue(line[at + 1]) * 16 + hexValue(line[at + 2]));
            at += 2;
        } else {
            bytes += named >= 0 ? "\n\r\t\a\b"[named] : next;
        }
    }
    ++at;
    return bytes;
}

QByteArrayList queuesOf(const Lock &lock)
{
    QByteArrayList queues;
    for (const Family family : familiesWithCompanions()) {
        const Companions &companions = specOf(family).companions;
        if (companions.queue && companions.mayHave(lock))
            queues.append(companions.queue(lock.key()));
    }
    return queues;
}

/// True for owner IDs of libraries that use hashes.
bool namesAnOwner(const OwnerId &id)
{
    return std::ranges::any_of(familiesWith<&FamilySpec::matchOwners>(), [&id](Family family) {
        const auto facts = specOf(family).ownerFacts;
        return facts && !facts({}, id).client.isEmpty();
    });
}

/// True if the argument contains this ID, with or without the family's additions.
bool names(const QByteArray &argument, const OwnerId &id)
{
    return argument == id.bytes ||
           (argument.startsWith(id.bytes) && argument.mid(id.bytes.size()) == ":write");
}

bool isWord(const QByteArray &argument, const char *word)
{
    return argument.compare(word, Qt::CaseInsensitive) == 0;
}

/// The value that a holder requires in its command to extend or release (Redis 8.4, Valkey 8.1 and 9).
struct Comparison
{
    QByteArray value;
    bool isDigest = false;
};

std::optional<Comparison> comparisonIn(const QByteArray &command, std::span<const QByteArray> behind)
{
    if (isWord(command, "DELIFEQ") && !behind.empty())
        return Comparison{behind[0]};
    const bool sets = isWord(command, "SET");
    if (!sets && !isWord(command, "DELEX"))
        return std::nullopt;
    for (size_t i = sets ? 1 : 0; i + 1 < behind.size(); ++i) {
        if (isWord(behind[i], "IFEQ") || isWord(behind[i], "IFDEQ"))
            return Comparison{behind[i + 1], isWord(behind[i], "IFDEQ")};
    }
    return std::nullopt;
}

} // namespace

ClientFinder::ClientFinder(const ServerAddress &address, const Lock &lock, milliseconds duration,
                           QObject *parent)
    : QObject(parent),
      m_lock(lock),
      m_keyAsShown(asShown(lock.key().bytes)),
      m_queues(queuesOf(lock)),
      m_duration(std::clamp(duration, milliseconds(100), longestTime)),
      m_connection(
          address,
          {.clientName = "lockscope-who", .readOnly = true, .reconnect = false, .usesMonitor = true}),
      m_timer(this)
{
    m_connection.setParent(this);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ClientFinder::stop);
    connect(&m_connection, &Connection::ready, this, &ClientFinder::begin);
    connect(&m_connection, &Connection::pushReceived, this, &ClientFinder::look);
    connect(&m_connection, &Connection::connectionRefused, this, [this](const Error &why) { end(why); });
}

/// Before members are destroyed: closing the connection finishes pending replies.
ClientFinder::~ClientFinder()
{
    m_hasEnded = true;
    m_connection.close();
}

void ClientFinder::start()
{
    m_connection.open();
}

void ClientFinder::stop()
{
    end(std::nullopt);
}

void ClientFinder::begin()
{
    // First who is there; who may not ask that sees addresses without names.
    whenDone(this, m_connection.send({"CLIENT", "LIST"}), [this](const Result<Reply> &list) {
        if (m_hasEnded)
            return;
        const QList<QByteArray> clients = list ? list->text.split('\n') : QList<QByteArray>();
        for (const QByteArray &client : clients) {
            // All clients of a Unix socket have one address: the first that has a name stands for them.
            QByteArray &line = m_clients[clientField(client, "addr")];
            line = clientField(line, "name").isEmpty() ? client : line;
        }
        // Where the server knows digests, its clients may name the holder's token by one.
        if (m_lock.type == KeyType::String && m_lock.owners.size() == 1)
            whenDone(this, m_connection.send({"DIGEST", m_lock.key().bytes}),
                     [this](const Result<Reply> &digest) {
                         m_digest = digest && digest->isText() ? digest->text : QByteArray();
                     });
        whenDone(this, m_connection.send({"MONITOR"}), [this](const Result<Reply> &reply) {
            if (m_hasEnded)
                return;
            if (!reply)
                return end(reply.error());
            m_startedAt = Clock::now();
            m_timer.start(m_duration);
        });
    });
}

void ClientFinder::look(const Reply &line)
{
    if (m_hasEnded)
        return;
    if (++m_end.commands >= maxCommands) {
        m_end.isCutShort = true;
        return end(std::nullopt);
    }
    if (!line.text.contains(m_keyAsShown)) // most are about something else, and need not be taken apart
        return;
    const auto observation = parseObservation(line.text);
    if (!observation || observation->address == "lua" || observation->database != m_lock.address.database)
        return;
    const QList<QByteArray> &arguments = observation->arguments;
    const auto atKey = std::ranges::find_if(arguments, [this](const QByteArray &argument) {
        return argument == m_lock.key().bytes || m_queues.contains(argument);
    });
    if (atKey == arguments.end())
        return;
    const auto [use, id] = useOf(arguments, atKey - arguments.begin());
    ClientSighting &sighting = m_seen[{observation->address, id.bytes}];
    sighting.id = id;
    sighting.address = observation->address;
    const QByteArray client = m_clients.value(observation->address);
    sighting.name = clientField(client, "name");
    if (!sighting.mayBeSeveral())
        sighting.library = (clientField(client, "lib-name") + ' ' + clientField(client, "lib-ver")).trimmed();
    sighting.use = sighting.times++ == 0 ? use : std::min(use, sighting.use);
    const QByteArray command = arguments[0].toUpper();
    if (sighting.commands.size() < maxKinds && !sighting.commands.contains(command))
        sighting.commands.append(command);
}

/// The use shown by a command that names the lock, and the client's ID in it.
std::pair<ClientUse, OwnerId> ClientFinder::useOf(const QByteArrayList &arguments, qsizetype atKey) const
{
    const auto behind = std::span(arguments).subspan(size_t(atKey) + 1);
    const bool tellsApart = weakTokenOf(m_lock) == WeakToken::No;
    if (const auto compared = atKey == 1 ? comparisonIn(arguments[0], behind) : std::nullopt) {
        const OwnerId said(compared->isDigest ? QByteArray() : compared->value);
        for (const LockOwner &holder : m_lock.owners) {
            const bool isHolders = compared->isDigest
                                       ? !m_digest.isEmpty() && isWord(compared->value, m_digest)
                                       : said == holder.owner;
            if (tellsApart && isHolders)
                return {ClientUse::Held, holder.owner};
        }
        return {ClientUse::Used, tellsApart ? said : OwnerId()};
    }
    // To set it if nobody has is to try for it, whatever it is to be set to.
    const bool triesToSet = atKey == 1 && !behind.empty() &&
                            (isWord(arguments[0], "SETNX") || isWord(arguments[0], "HSETNX") ||
                             (isWord(arguments[0], "SET") &&
                              std::ranges::any_of(behind, [](const auto &a) { return isWord(a, "NX"); })));
    if (triesToSet)
        return {ClientUse::Tried, OwnerId(behind.front())};
    for (const QByteArray &argument : behind) {
        for (const LockOwner &holder : m_lock.owners) {
            if (tellsApart && names(argument, holder.owner))
                return {ClientUse::Held, holder.owner};
        }
        for (const Waiter &waiter : m_lock.companions->waiters.queue) {
            if (names(argument, waiter.id))
                return {ClientUse::Tried, waiter.id};
        }
    }
    // Whoever tries names itself, as Redisson's threads do.
    for (const QByteArray &argument : behind) {
        if (const OwnerId id(argument); m_lock.type == KeyType::Hash && namesAnOwner(id))
            return {ClientUse::Tried, id};
    }
    return {ClientUse::Used, OwnerId()};
}

void ClientFinder::end(std::optional<Error> error)
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_timer.stop();
    m_end.looked = m_startedAt == TimePoint()
                       ? 0ms
                       : std::chrono::duration_cast<milliseconds>(Clock::now() - m_startedAt);
    m_end.error = std::move(error);
    m_end.sightings = m_seen.values();
    std::ranges::sort(m_end.sightings, [](const ClientSighting &a, const ClientSighting &b) {
        return std::tie(a.use, b.times, a.address) < std::tie(b.use, a.times, b.address);
    });
    m_seen.clear();
    // Of a client of which more is known, what it did besides tells nothing.
    QSet<QByteArray> known;
    m_end.sightings.removeIf([&known](const ClientSighting &sighting) {
        const bool isMore = sighting.use == ClientUse::Used && known.contains(sighting.address);
        known.insert(sighting.address);
        return isMore && !sighting.mayBeSeveral();
    });
    // Closed at once, so that the server has nothing more to write to us; not from within one of its own signals.
    QMetaObject::invokeMethod(&m_connection, &Connection::close, Qt::QueuedConnection);
    emit ended(m_end);
}

std::optional<Observation> parseObservation(QByteArrayView line, qsizetype most)
{
    // 1700000000.123456 [0 127.0.0.1:50000] "set" "key" "value"
    const qsizetype open = line.indexOf('[');
    const qsizetype blank = line.indexOf(' ', open);
    const qsizetype close = line.indexOf("] \"", blank);
    if (open < 0 || blank < 0 || close < 0)
        return std::nullopt;
    Observation seen{line.sliced(blank + 1, close - blank - 1).toByteArray(),
                     line.sliced(open + 1, blank - open - 1).toInt(),
                     {}};
    for (qsizetype at = close + 2; at < line.size() && line[at] == '"' && seen.arguments.size() < most;
         ++at) {
        ++at;
        seen.arguments.append(unquoted(line, at));
    }
    return seen.arguments.isEmpty() ? std::nullopt : std::optional(seen);
}

QList<Family> candidatesByClients(const Lock &lock, const QList<ClientSighting> &sightings)
{
    QList<Family> families;
    for (const ClientSighting &sighting : sightings) {
        if (sighting.use != ClientUse::Held || sighting.library.isEmpty())
            continue;
        for (const Family family : candidatesOf(lock, sighting.library)) {
            if (!families.contains(family))
                families.append(family);
        }
    }
    return families;
}

} // namespace lockscope
