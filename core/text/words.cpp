// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/words.h"

#include "core/redis/refusal.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::words)
};

template <typename Enum>
using Named = std::pair<Enum, const char *>;

constexpr std::array outcomeNames{
    Named<Outcome>{Outcome::Acquired, "acquired"},
    Named<Outcome>{Outcome::Reentered, "reentered"},
    Named<Outcome>{Outcome::HeldByOther, "held-by-other"},
    Named<Outcome>{Outcome::Released, "released"},
    Named<Outcome>{Outcome::Unwound, "unwound"},
    Named<Outcome>{Outcome::NotHeld, "not-held"},
    Named<Outcome>{Outcome::Extended, "extended"},
    Named<Outcome>{Outcome::Expired, "expired"},
    Named<Outcome>{Outcome::AlreadyGone, "already-gone"},
    Named<Outcome>{Outcome::OwnerChanged, "owner-changed"},
    Named<Outcome>{Outcome::HoldsChanged, "holds-changed"},
    Named<Outcome>{Outcome::WrongType, "wrong-type"},
    Named<Outcome>{Outcome::BadCount, "bad-count"},
    Named<Outcome>{Outcome::Removed, "removed"},
    Named<Outcome>{Outcome::NotWaiting, "not-waiting"},
    Named<Outcome>{Outcome::StillListens, "still-listens"},
    Named<Outcome>{Outcome::LeaseChanged, "lease-changed"},
    Named<Outcome>{Outcome::NotHeard, "not-heard"},
    Named<Outcome>{Outcome::Unknown, "unknown"},
};

constexpr std::array actionNames{
    Named<Action>{Action::Acquire, "acquire"},
    Named<Action>{Action::Release, "release"},
    Named<Action>{Action::Extend, "extend"},
    Named<Action>{Action::ForceExpire, "force-expire"},
    Named<Action>{Action::RemoveWaiter, "remove-waiter"},
};

constexpr std::array eventNames{
    Named<EventKind>{EventKind::Found, "found"},
    Named<EventKind>{EventKind::Acquired, "acquired"},
    Named<EventKind>{EventKind::Reentered, "reentered"},
    Named<EventKind>{EventKind::Unwound, "unwound"},
    Named<EventKind>{EventKind::Renewed, "renewed"},
    Named<EventKind>{EventKind::Shortened, "shortened"},
    Named<EventKind>{EventKind::Released, "released"},
    Named<EventKind>{EventKind::Expired, "expired"},
    Named<EventKind>{EventKind::OwnerChanged, "owner-changed"},
    Named<EventKind>{EventKind::ExpiryLost, "expiry-lost"},
    Named<EventKind>{EventKind::Vanished, "vanished"},
    Named<EventKind>{EventKind::Forced, "forced"},
};

constexpr std::array foundNames{
    Named<Found::State>{Found::State::Held, "held"},
    Named<Found::State>{Found::State::Absent, "absent"},
    Named<Found::State>{Found::State::Unreadable, "unreadable"},
    Named<Found::State>{Found::State::Unreachable, "unreachable"},
};

constexpr std::array problemNames{
    Named<Problem>{Problem::NoExpiry, "no-expiry"},
    Named<Problem>{Problem::BadCount, "bad-count"},
    Named<Problem>{Problem::SeveralOwners, "several-owners"},
    Named<Problem>{Problem::WrongType, "wrong-type"},
    Named<Problem>{Problem::TooBig, "too-big"},
    Named<Problem>{Problem::DeadWaiter, "dead-waiter"},
    Named<Problem>{Problem::Orphaned, "orphaned"},
    Named<Problem>{Problem::CameBack, "came-back"},
    Named<Problem>{Problem::Deadlock, "deadlock"},
    Named<Problem>{Problem::Unreadable, "unreadable"},
};

template <typename Enum, size_t size>
QByteArray nameIn(const std::array<Named<Enum>, size> &names, Enum value)
{
    const auto named = std::ranges::find(names, value, &Named<Enum>::first);
    return named == names.end() ? QByteArray() : QByteArray(named->second);
}

template <typename Enum, size_t size>
std::optional<Enum> valueIn(const std::array<Named<Enum>, size> &names, QByteArrayView name)
{
    const auto named = std::ranges::find_if(names, [&](const auto &entry) { return name == entry.second; });
    return named == names.end() ? std::nullopt : std::optional(named->first);
}

/// For the choice between one and several; no language needs more of a large number than its end.
int plural(qint64 number)
{
    return static_cast<int>(number <= 1'000'000'000 ? number : 1'000'000'000 + number % 1'000'000'000);
}

/// The cause and the next step, without the server's own text.
QString explain(ErrorKind kind, const QString &server)
{
    switch (kind) {
    case ErrorKind::HostNotFound:
        return Words::tr("The host of %1 can't be found. Check its spelling and this machine's name service.")
            .arg(server);
    case ErrorKind::ConnectionRefused:
        return Words::tr("Nothing listens at %1. Is the server running, and is this the right port?")
            .arg(server);
    case ErrorKind::ConnectTimeout:
        return Words::tr(
                   "%1 did not answer in time. Check the address, and that no firewall stands in between.")
            .arg(server);
    case ErrorKind::NoSuchSocket:
        return Words::tr(
                   "The socket %1 is missing or may not be opened. Is the server running, and is this user "
                   "allowed to open its socket?")
            .arg(server);
    case ErrorKind::TlsFailed:
        return Words::
            tr("No secure connection to %1 could be made. Check the certificates, the server's name in its "
               "certificate, and that this port speaks TLS.")
                .arg(server);
    case ErrorKind::NetworkFailed:
        return Words::tr("The connection to %1 failed. Check the network and try again.").arg(server);
    case ErrorKind::NotRedis:
        return Words::tr("What answers at %1 does not speak as a Redis or Valkey server does. Check the "
                         "port, and whether it "
                         "expects TLS.")
            .arg(server);
    case ErrorKind::NotConnected:
        return Words::tr(
                   "There is no connection to %1 at the moment: nothing was sent. Try again once it is back.")
            .arg(server);
    case ErrorKind::Cancelled:
        return Words::tr("The request to %1 was cancelled before it was sent.").arg(server);
    case ErrorKind::OutcomeUnknown:
        return Words::
            tr("The connection to %1 was lost after the request was sent: it may have been carried out. Look "
               "at the lock before trying again.")
                .arg(server);
    case ErrorKind::AuthRequired:
        return Words::tr("%1 asks for a password. Give one, and a user name where the server has users.")
            .arg(server);
    case ErrorKind::WrongPassword:
        return Words::tr("%1 refused the user name or password. Check both.").arg(server);
    case ErrorKind::NoPermission:
        return Words::tr("This user lacks a permission on %1. Ask for it, or log in as another user.")
            .arg(server);
    case ErrorKind::Loading:
        return Words::tr("%1 is still loading its data. Try again in a moment.").arg(server);
    case ErrorKind::Busy:
        return Words::tr("%1 is busy running another client's script. Try again when it has ended.")
            .arg(server);
    case ErrorKind::Moved:
        return Words::
            tr("%1 is part of a cluster, and this key is on another node. Clusters are not supported yet: "
               "connect to that node.")
                .arg(server);
    case ErrorKind::Ask:
        return Words::tr(
                   "%1 is moving this key to another node of its cluster. Clusters are not supported yet.")
            .arg(server);
    case ErrorKind::TryAgain:
        return Words::tr("%1 is moving keys between cluster nodes. Try again in a moment.").arg(server);
    case ErrorKind::ClusterDown:
        return Words::tr("The cluster that %1 belongs to is down. Check its nodes.").arg(server);
    case ErrorKind::CrossSlot:
        return Words::
            tr("%1 is part of a cluster, where all keys of one lock must be in one slot: nothing was done. "
               "Such a lock needs a {hash tag} in its key, as in {order:7}.")
                .arg(server);
    case ErrorKind::ReadOnlyReplica:
        return Words::tr("%1 is a replica and takes no writes. Connect to its master.").arg(server);
    case ErrorKind::PersistenceFailed:
        return Words::tr(
                   "%1 takes no writes because it can't save to its disk. Its operator must mend that first.")
            .arg(server);
    case ErrorKind::OutOfMemory:
        return Words::tr("%1 has no memory left for new data. Locks can still be released or ended.")
            .arg(server);
    case ErrorKind::NoReplicas:
        return Words::tr(
                   "%1 takes no writes because too few of its replicas are in step. Check the replicas.")
            .arg(server);
    case ErrorKind::MasterDown:
        return Words::tr("%1 is a replica that has lost its master. Connect to another node.").arg(server);
    case ErrorKind::NoScript:
        return Words::tr("%1 does not know the script, although it was just sent. Try again.").arg(server);
    case ErrorKind::WrongType:
        return Words::
            tr("The key on %1 holds another type than a lock of this family has. Look at it before acting.")
                .arg(server);
    case ErrorKind::TooManyClients:
        return Words::tr("%1 has reached its limit of clients. Try again later, or raise maxclients.")
            .arg(server);
    case ErrorKind::ServerError:
        return Words::tr("%1 answered with an error.").arg(server);
    case ErrorKind::UnexpectedReply:
        return Words::tr("%1 sent a reply that this command never has. Is there a proxy in between?")
            .arg(server);
    case ErrorKind::EndlessScan:
        return Words::tr("The scan of %1 was ended, since it would never be complete: some locks may be "
                         "missing. Check what answers at this address, and any proxy in between.")
            .arg(server);
    case ErrorKind::TooManyLocks:
        return Words::tr("There are more locks at %1 than are held at once: some are missing. Narrow the "
                         "patterns.")
            .arg(server);
    case ErrorKind::ReadOnlyMode:
        return Words::tr("Refused: this program runs in read-only mode. Nothing was sent to %1.").arg(server);
    case ErrorKind::AuditFailed:
        return Words::tr("The audit record can't be written, so nothing was sent to %1.").arg(server);
    case ErrorKind::InvalidArgument:
        return Words::tr("This can't be asked of %1.").arg(server);
    case ErrorKind::NotStarted:
        return Words::tr("A program that this needs did not start.");
    }
    return {};
}

/// What to ask for, where the server's text says what it is about.
QString explainRefusal(const Refusal &refusal, const QString &server)
{
    const QString command = printable(refusal.command, 40);
    if (refusal.about == Refusal::About::Command && !command.isEmpty())
        return Words::tr("This user may not run “%1” on %2. Ask for +%1, or log in as another user.")
            .arg(command, server);
    if (refusal.about == Refusal::About::Key)
        return Words::tr(
                   "This user may not access a key on %1. Ask for a pattern that matches the key (~…), or "
                   "log in as another user.")
            .arg(server);
    return explain(ErrorKind::NoPermission, server);
}

// Where these say it all, a system's "Connection refused" behind them is only noise.
bool saysItAll(ErrorKind kind)
{
    return kind == ErrorKind::HostNotFound || kind == ErrorKind::ConnectionRefused ||
           kind == ErrorKind::ConnectTimeout || kind == ErrorKind::ReadOnlyMode;
}

bool isServersAnswer(ErrorKind kind)
{
    return kind >= ErrorKind::AuthRequired && kind <= ErrorKind::ServerError;
}

QString ttlInWords(const ActionReport &report)
{
    return report.ttl ? Words::tr("It ends in %1.").arg(describe(*report.ttl)) : QString();
}

QString holdsInWords(const ActionReport &report)
{
    return report.holds.value_or(0) > 0 ? Words::tr("Holds: %1.").arg(*report.holds) : QString();
}

/// Why nobody knows whether it was carried out.
QString causeInWords(ErrorKind cause)
{
    switch (cause) {
    case ErrorKind::OutcomeUnknown:
        return Words::tr("The connection was lost after the request was sent: it may have been carried out.");
    case ErrorKind::Cancelled:
        return Words::tr(
            "The request was sent, and its answer was not waited for: it may have been carried out.");
    case ErrorKind::UnexpectedReply:
        return Words::tr(
            "The server sent an answer that this action never has: it may have been carried out. Is "
            "there a proxy in between?");
    default:
        return Words::tr(
            "The script ended with an error, which may have come after a change: it may have been "
            "carried out.");
    }
}

/// What a look at the key found, where the outcome is not known.
QString truthInWords(const Found &found)
{
    if (found.state == Found::State::Unreachable)
        return Words::tr("The key could not be read since: look at it before trying again.");
    if (found.state == Found::State::Absent)
        return Words::tr("A look at the key just now: nothing is there.");
    if (found.state == Found::State::Unreadable && !found.lock)
        return Words::tr("A look at the key just now was refused: look at it before trying again.");
    if (found.lock->holders.isEmpty())
        return Words::tr("A look at the key just now: it is there, but no owner can be read.");
    const Holder &holder = found.lock->holders.front();
    const QString count = holder.countText.isEmpty() ? QStringLiteral("1") : printable(holder.countText, 20);
    return Words::tr("A look at the key just now: owner %1, holds %2.")
        .arg(printable(holder.owner.bytes, 80), count);
}

QString outcomeInWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Acquired:
        return Words::tr("The lock was acquired.");
    case Outcome::Reentered:
        return Words::tr("The owner held the lock already and holds it once more.");
    case Outcome::HeldByOther:
        return Words::tr("Another owner holds the lock: nothing was changed.");
    case Outcome::Released:
        return Words::tr("The lock was released.");
    case Outcome::Unwound:
        return Words::tr("One level was released; the owner still holds the lock.");
    case Outcome::NotHeld:
        return Words::tr("The lock is not held by this owner: nothing was changed.");
    case Outcome::Extended:
        return Words::tr("The lease was set anew.");
    case Outcome::Expired:
        return Words::tr("The lock's end was forced.");
    case Outcome::AlreadyGone:
        return Words::tr("The lock was gone already: nothing was changed.");
    case Outcome::OwnerChanged:
        return Words::tr("Refused: the owner is no longer the one that was seen. Nothing was changed.");
    case Outcome::HoldsChanged:
        return Words::tr(
            "Refused: the owner's holds are no longer those that were seen. Nothing was changed.");
    case Outcome::WrongType:
        return Words::tr("What is stored there is no lock of a known family: nothing was changed.");
    case Outcome::BadCount:
        return Words::tr("The stored count of holds is not a number of at least 1: nothing was changed.");
    case Outcome::Removed:
        return Words::tr("Removed: it does not stand in the queue any more.");
    case Outcome::NotWaiting:
        return Words::tr("It does not stand in the queue (any more): nothing was changed.");
    case Outcome::StillListens:
        return Words::tr("This waiter listens, so it is alive: nothing was changed.");
    case Outcome::LeaseChanged:
        return Words::tr(
            "Rejected: the token is the same, but the time left has risen since it was seen, so the "
            "lock was renewed or acquired again. Nothing was changed.");
    case Outcome::NotHeard:
        return Words::tr(
            "Rejected: the waiter is not heard here, but may be subscribed to another server. Check whether "
            "its process runs; a dead waiter times out by itself.");
    case Outcome::Unknown:
        break; // causeInWords() says it
    }
    return {};
}

} // namespace

QByteArray familyName(Family family)
{
    return factsOf(family).name;
}

std::optional<Family> familyFromName(QByteArrayView name)
{
    for (int i = 0; i < families; ++i) {
        if (name == factsOf(static_cast<Family>(i)).name)
            return static_cast<Family>(i);
    }
    return std::nullopt;
}

QByteArray outcomeName(Outcome outcome)
{
    return nameIn(outcomeNames, outcome);
}

std::optional<Outcome> outcomeFromName(QByteArrayView name)
{
    return valueIn(outcomeNames, name);
}

QByteArray actionName(Action action)
{
    return nameIn(actionNames, action);
}

QByteArray foundName(Found::State state)
{
    return nameIn(foundNames, state);
}

QByteArray eventName(EventKind kind)
{
    return nameIn(eventNames, kind);
}

QByteArray problemName(Problem problem)
{
    return nameIn(problemNames, problem);
}

QList<Problem> problemList(Problems problems)
{
    QList<Problem> list;
    for (const auto &[problem, name] : problemNames) {
        if (problems.testFlag(problem))
            list.append(problem);
    }
    return list;
}

QString describe(const Error &error, const QString &serverName)
{
    QString detail = printable(error.detail);
    // What we refuse or miss ourselves comes with its own full sentence.
    if ((error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::NotStarted) &&
        !detail.isEmpty())
        return detail;
    const QString server = serverName.isEmpty() ? Words::tr("the server") : serverName;
    const QString text = error.kind == ErrorKind::NoPermission
                             ? explainRefusal(refusalFrom(error.detail), server)
                             : explain(error.kind, server);
    if (detail.isEmpty() || saysItAll(error.kind))
        return text;
    if (isServersAnswer(error.kind))
        return Words::tr("%1 It said: “%2”").arg(text, detail);
    return Words::tr("%1 (%2)").arg(text, detail);
}

QString describe(const ServerReset &reset)
{
    const QString locks = Words::tr("%1 lock(s)", nullptr, plural(reset.locks)).arg(grouped(reset.locks));
    switch (reset.cause) {
    case ServerReset::Cause::Flush:
        return Words::tr("The database was flushed: %1 gone.").arg(locks);
    case ServerReset::Cause::Restart:
        if (reset.hasData)
            return Words::tr("The server was restarted or replaced, and has data: %1 gone.").arg(locks);
        return Words::tr("The server was restarted or replaced, and is empty: %1 gone.").arg(locks);
    case ServerReset::Cause::NotKnown:
        break;
    }
    return Words::tr("The keyspace is empty, flushed or deleted key by key: %1 gone.").arg(locks);
}

QString describe(const ActionReport &report)
{
    const bool isUnknown = report.outcome == Outcome::Unknown;
    QString text = isUnknown ? causeInWords(report.cause) : outcomeInWords(report.outcome);
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty())
            text = Words::tr("%1 %2", "two sentences, one after the other").arg(text, sentence);
    };
    if (isUnknown)
        add(truthInWords(report.found.value_or(Found{})));
    add(holdsInWords(report));
    if (report.action != Action::RemoveWaiter) // it is the lock that would end then, not what was asked about
        add(ttlInWords(report));
    if (!report.message.isEmpty())
        add(Words::tr("Note: %1").arg(printable(report.message)));
    return text;
}

QString describe(Problem problem)
{
    switch (problem) {
    case Problem::NoExpiry:
        return Words::tr("No expiry: it will never end by itself.");
    case Problem::BadCount:
        return Words::tr("The stored count of holds is not a number of at least 1.");
    case Problem::SeveralOwners:
        return Words::tr("More than one owner where only one can be.");
    case Problem::WrongType:
        return Words::tr("It has a lock's name, but holds no value that a lock could have.");
    case Problem::TooBig:
        return Words::tr("It holds more than is read of a lock: shown in part.");
    case Problem::DeadWaiter:
        return Words::tr(
            "A waiter in the queue does not listen any more: those behind it wait until it times out.");
    case Problem::Orphaned:
        return Words::tr("A queue without its lock: nobody will wake those that stand in it.");
    case Problem::CameBack:
        return Words::tr("It was ended by force, and its old owner has written it anew.");
    case Problem::Deadlock:
        return Words::tr("Deadlock: its owner waits for a lock whose owner waits for this one.");
    case Problem::Unreadable:
        return Words::tr("No permission to read this lock any more. What is shown was read before.");
    }
    return {};
}

QString grouped(qint64 number)
{
    return QLocale(QLocale::English).toString(number);
}

QString describe(milliseconds duration)
{
    using namespace std::chrono;
    // Rounded down: a time left must never look longer than it is.
    const milliseconds left = std::max(duration, milliseconds(0));
    if (left < 1s)
        return Words::tr("%1 ms").arg(left.count());
    if (left < 10s)
        return Words::tr("%1.%2 s").arg(QString::number(left / 1s), QString::number(left % 1s / 100ms));
    if (left < 1min)
        return Words::tr("%1 s").arg(left / 1s);
    if (left < 1h)
        return Words::tr("%1 min %2 s").arg(QString::number(left / 1min), QString::number(left % 1min / 1s));
    if (left < days(1))
        return Words::tr("%1 h %2 min").arg(QString::number(left / 1h), QString::number(left % 1h / 1min));
    constexpr days year(365);
    if (left < year)
        return Words::tr("%1 d %2 h")
            .arg(QString::number(left / days(1)), QString::number(left % days(1) / 1h));
    if (left / year < 1000)
        return Words::tr("%1 y %2 d")
            .arg(QString::number(left / year), QString::number(left % year / days(1)));
    return Words::tr("more than 1,000 years");
}

} // namespace lockscope
