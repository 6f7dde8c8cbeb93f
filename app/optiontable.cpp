// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/words.h"
#include "core/act/acquirerefusal.h"
#include "core/base/ascii.h"
#include "core/base/printable.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/state/lockfilter.h"
#include "core/words/actionpreview.h"
#include "core/words/phrases.h"

#include <QHostAddress>

#include <algorithm>
#include <limits>
#include <vector>

namespace lockscope {

namespace {

constexpr unsigned byOwner = scopeOf(Verb::Acquire, Verb::Release, Verb::Extend);
constexpr unsigned actions = byOwner | scopeOf(Verb::ForceExpire, Verb::RemoveWaiter, Verb::Wake);
constexpr unsigned oneKey = actions | scopeOf(Verb::Get, Verb::Who, Verb::FamilyNew);

Result<void> takeFilter(Options &options, const QByteArray &value, const QString &option)
{
    if (!isValidUtf8(value))
        return usageError(
            Words::tr("%1 takes UTF-8. Write other bytes as \\xNN after key= or owner=.").arg(option));
    options.filter = QString::fromUtf8(value);
    const auto filter = LockFilter::parse(options.filter);
    return filter ? Result<void>() : usageError(inWords(filter.error()));
}

Result<void> takeFamily(Options &options, const QByteArray &value, const QString &option)
{
    options.family = familyFromName(value);
    if (!options.family || options.family->isUnknown())
        return usageError(Words::tr("%1 takes a family as list shows it: reentrant, token, …").arg(option));
    const Phrase reason = acquireRefusal(*options.family);
    return reason.isEmpty() ? Result<void>() : usageError(inWords(reason));
}

QByteArrayList acquiredFamilies()
{
    QByteArrayList names;
    for (const Family family : allFamilies()) {
        if (acquireRefusal(family).isEmpty())
            names.append(familyName(family));
    }
    return names;
}

std::optional<LockOwner> expectedOwner(const QByteArray &value)
{
    return LockOwner{OwnerId(value), {}, {}}; // empty, as what may be a lock is stored: see validationError()
}

Result<void> takeExpectedHolds(Options &options, const QByteArray &value, const QString &option)
{
    if (options.expected.isEmpty() || options.expected.back().holdCount)
        return usageError(
            Words::tr("Each --expect-holds must follow the --expect-owner that it belongs to."));
    LockOwner &owner = options.expected.back();
    owner.holdCount = parseCount(value);
    owner.rawHoldCount = value;
    return owner.holdCount ? Result<void>() : usageError(rangeRefusal(1, 999'999'999'999'999)(option, value));
}

std::optional<double> shareFrom(const QByteArray &value)
{
    bool isNumber = false;
    const double percent = value.toDouble(&isNumber);
    const bool isPlain = std::ranges::all_of(value, [](char c) { return isDigit(c) || c == '.'; });
    return isNumber && isPlain && percent >= 0.1 && percent <= 100 ? std::optional(percent / 100)
                                                                   : std::nullopt;
}

std::optional<ListenAddress> listenAddress(const QByteArray &value)
{
    const qsizetype colon = value.lastIndexOf(':');
    QByteArray host = value.left(std::max<qsizetype>(colon, 0));
    const bool isBracketed = host.startsWith('[') && host.endsWith(']');
    if (isBracketed)
        host = host.sliced(1, host.size() - 2);
    const auto port = wholeNumber(value.mid(colon + 1), 0, std::numeric_limits<quint16>::max());
    const QHostAddress address(host == "localhost" ? QStringLiteral("127.0.0.1") : QString::fromLatin1(host));
    const bool isAddress = address.protocol() == QAbstractSocket::IPv4Protocol
                               ? !isBracketed
                               : address.protocol() == QAbstractSocket::IPv6Protocol && isBracketed;
    if (colon < 0 || value.endsWith(':') || !port || !(host.isEmpty() ? !isBracketed : isAddress))
        return std::nullopt;
    return ListenAddress{host.isEmpty() ? QString() : address.toString(), static_cast<quint16>(*port)};
}

const OptionRow rows[] = {
    {0, "pattern", "GLOB", everywhere & ~scopeOf(Verb::Simulate),
     QT_TRANSLATE_NOOP("lockscope::app", "key pattern to scan for; repeatable (lock:*, lock_*, *:lock, and "
                                         "families' usual names)"),
     into(&Options::patterns, nonEmpty<QByteArray>, emptyRefusal)},
    {0, "filter", "EXPR", scopeOf(Verb::List),
     QT_TRANSLATE_NOOP("lockscope::app",
                       "list only what matches, as in the window's filter: 'state:held owner:web-*'"),
     OptionTarget{takeFilter}},
    {0, "limit", "N", scopeOf(Verb::List),
     QT_TRANSLATE_NOOP("lockscope::app", "list only the first N locks, in the order of their keys"),
     number(&Options::limit, 1, 1'000'000'000)},
    {0, "families", "DIR", everywhere,
     QT_TRANSLATE_NOOP("lockscope::app", "read families from the files *.toml there, too"),
     into(&Options::familyFolder, nonEmpty<QByteArray>, emptyRefusal)},
    {0, "read-only", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "refuse every action"),
     flag(&Options::readOnly)},
    {0, "demo", "", everywhere,
     QT_TRANSLATE_NOOP("lockscope::app",
                       "use a private server with a running simulation; removed at the end"),
     flag(&Options::demo)},
    {0, "environment", "NAME", everywhere,
     QT_TRANSLATE_NOOP("lockscope::app", "development, staging or production: what actions ask for"),
     oneOf<environmentName>(&Options::environment)},
    {0, "select", "KEY", window, QT_TRANSLATE_NOOP("lockscope::app", "show this lock first"),
     text(&Options::selectedLock)},
    {0, "confirm", "KEY", actions,
     QT_TRANSLATE_NOOP("lockscope::app", "the same key once more, as actions in production need it"),
     text(&Options::confirmedName)},
    {0, "version", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print the version and end"),
     flag(&Options::version)},
    {0, "help", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print this and end"),
     flag(&Options::help)},
    {0, "json", "", anyVerb, QT_TRANSLATE_NOOP("lockscope::app", "print JSON"), flag(&Options::json)},
    {0, "base64", "", oneKey, QT_TRANSLATE_NOOP("lockscope::app", "KEY and the given owners are base64"),
     flag(&Options::base64)},
    {0, "owner", "ID", byOwner, QT_TRANSLATE_NOOP("lockscope::app", "owner ID"), text(&Options::owner),
     byOwner},
    {0, "lease", "SECONDS", byOwner | scopeOf(Verb::Simulate),
     QT_TRANSLATE_NOOP("lockscope::app", "lease time in seconds (simulate: 2)"),
     into(&Options::lease, Lease::fromSeconds,
          sentence(QT_TRANSLATE_NOOP("lockscope::app",
                                     "%1 takes a number of seconds, at least 0.001, as in 30 or 0.5."))),
     scopeOf(Verb::Acquire, Verb::Extend)},
    {0, "family", "F", scopeOf(Verb::Acquire, Verb::RemoveWaiter, Verb::Wake),
     QT_TRANSLATE_NOOP("lockscope::app", "family: reentrant, token, ... (acquire: reentrant; else as found)"),
     OptionTarget{takeFamily, false, acquiredFamilies}},
    {0, "wait", "SECONDS", scopeOf(Verb::Acquire),
     QT_TRANSLATE_NOOP("lockscope::app", "retry time in seconds while another owner holds the lock (0)"),
     seconds(&Options::wait)},
    {0, "all", "", scopeOf(Verb::Release, Verb::List, Verb::Replay),
     QT_TRANSLATE_NOOP("lockscope::app",
                       "release: all levels; list, replay: also hidden keys that are probably no "
                       "locks"),
     flag(&Options::all)},
    {0, "expect-owner", "ID", scopeOf(Verb::ForceExpire),
     QT_TRANSLATE_NOOP("lockscope::app", "expected owner; repeatable"),
     into(&Options::expected, expectedOwner, emptyRefusal), scopeOf(Verb::ForceExpire)},
    {0, "expect-holds", "N", scopeOf(Verb::ForceExpire),
     QT_TRANSLATE_NOOP("lockscope::app", "expected hold count of the preceding --expect-owner"),
     OptionTarget{takeExpectedHolds, true}},
    {0, "only", "", scopeOf(Verb::ForceExpire),
     QT_TRANSLATE_NOOP("lockscope::app", "expire only the given owners, such as one of several readers"),
     flag(&Options::onlyExpected)},
    {0, "waiter", "ID", scopeOf(Verb::RemoveWaiter),
     QT_TRANSLATE_NOOP("lockscope::app", "dead waiter in the queue"), text(&Options::owner),
     scopeOf(Verb::RemoveWaiter)},
    {0, "grace", "SECONDS", scopeOf(Verb::ForceExpire),
     QT_TRANSLATE_NOOP("lockscope::app", "grace period in seconds before the lock expires (0)"),
     seconds(&Options::grace)},
    {0, "explain", "", scopeOf(Verb::Get),
     QT_TRANSLATE_NOOP("lockscope::app", "explain the lock's state and the effects of force-expire"),
     flag(&Options::explain)},
    {0, "duration", "SECONDS", scopeOf(Verb::Watch, Verb::Alert, Verb::Record, Verb::Simulate, Verb::Who),
     QT_TRANSLATE_NOOP(
         "lockscope::app",
         "duration in seconds (watch, alert, record: until Ctrl-C; simulate: 5; who: 3, at most 30)"),
     seconds(&Options::duration)},
    {0, "share", "PERCENT",
     scopeOf(Verb::List, Verb::Search, Verb::Watch, Verb::Check, Verb::Alert, Verb::Export, Verb::Record),
     QT_TRANSLATE_NOOP(
         "lockscope::app",
         "load budget in percent of one server core; 100: full speed (5; 25 for the first scan)"),
     into(&Options::share, shareFrom,
          sentence(QT_TRANSLATE_NOOP("lockscope::app", "%1 takes a percentage from 0.1 to 100, as in 25.")))},
    {0, "listen", "ADDR:PORT", scopeOf(Verb::Export),
     QT_TRANSLATE_NOOP("lockscope::app",
                       "where to serve /metrics: 127.0.0.1:10121; :10121 for all addresses"),
     into(&Options::listen, listenAddress,
          sentence(QT_TRANSLATE_NOOP("lockscope::app",
                                     "%1 takes an IP address and a port, as in 127.0.0.1:10121, "
                                     "[::1]:10121, or :10121 for all addresses of this machine."))),
     scopeOf(Verb::Export)},
    {0, "server", "VERSION", scopeOf(Verb::AclLine),
     QT_TRANSLATE_NOOP("lockscope::app", "6, 7, 8 (also Redis 7.4) or valkey (7)"),
     oneOf<aclServerName>(&Options::aclServer)},
    {0, "clients", "", scopeOf(Verb::AclLine, Verb::AclCheck),
     QT_TRANSLATE_NOOP("lockscope::app", "include what the verb who needs (CLIENT LIST and MONITOR)"),
     flag(&Options::findsClients)},
};

constexpr std::array verbs{
    VerbRow{Verb::List, "list", "", QT_TRANSLATE_NOOP("lockscope::app", "scan once and list every lock")},
    VerbRow{Verb::Get, "get", "KEY", QT_TRANSLATE_NOOP("lockscope::app", "show one lock")},
    VerbRow{Verb::Acquire, "acquire", "KEY --owner ID --lease SECONDS",
            QT_TRANSLATE_NOOP("lockscope::app", "acquire a lock as ID")},
    VerbRow{Verb::Release, "release", "KEY --owner ID",
            QT_TRANSLATE_NOOP("lockscope::app", "release one level, or all levels")},
    VerbRow{Verb::Extend, "extend", "KEY --owner ID --lease SECONDS",
            QT_TRANSLATE_NOOP("lockscope::app", "set a new lease if ID holds the lock")},
    VerbRow{Verb::ForceExpire, "force-expire", "KEY --expect-owner ID",
            QT_TRANSLATE_NOOP("lockscope::app", "expire the lock now if owner and hold count still match")},
    VerbRow{Verb::RemoveWaiter, "remove-waiter", "KEY --waiter ID",
            QT_TRANSLATE_NOOP("lockscope::app", "remove a dead waiter from a fair queue")},
    VerbRow{Verb::Wake, "wake", "KEY",
            QT_TRANSLATE_NOOP("lockscope::app", "wake the first waiter in a queue whose lock is gone")},
    VerbRow{Verb::Watch, "watch", "",
            QT_TRANSLATE_NOOP("lockscope::app",
                              "print changes live, one event per line. Between two readings, what one owner "
                              "releases\n      and acquires again leaves no event")},
    VerbRow{Verb::Alert, "alert", "",
            QT_TRANSLATE_NOOP("lockscope::app",
                              "watch, and tell what needs attention: problems, long holds, many "
                              "waiters, deadlocks,\n      stalled holders, lost connections")},
    VerbRow{
        Verb::Check, "check", "",
        QT_TRANSLATE_NOOP("lockscope::app",
                          "scan once and print what breaks a rule (exit status 1); 3: not all was read. A "
                          "release and\n      acquisition by the same owner between two checks is not seen")},
    VerbRow{Verb::Export, "export", "--listen ADDR:PORT",
            QT_TRANSLATE_NOOP("lockscope::app", "serve metrics for Prometheus over HTTP, without login")},
    VerbRow{Verb::Record, "record", "FILE",
            QT_TRANSLATE_NOOP("lockscope::app", "record every change to a file until Ctrl-C")},
    VerbRow{
        Verb::Replay, "replay", "FILE",
        QT_TRANSLATE_NOOP("lockscope::app", "print the events of a recording, or its locks at one moment")},
    VerbRow{
        Verb::Search, "search", "",
        QT_TRANSLATE_NOOP("lockscope::app", "find locks by content, whatever their names; reads every key")},
    VerbRow{Verb::Who, "who", "KEY",
            QT_TRANSLATE_NOOP("lockscope::app",
                              "find the clients of a lock by reading every command (MONITOR); costly")},
    VerbRow{Verb::AuditVerify, "audit verify", "[FILE]",
            QT_TRANSLATE_NOOP("lockscope::app", "check the hash chain of the audit log")},
    VerbRow{Verb::AclLine, "acl", "monitor|operator|sentinels",
            QT_TRANSLATE_NOOP("lockscope::app", "print the command that creates an ACL user with the "
                                                "permissions needed and no others")},
    VerbRow{Verb::AclCheck, "acl check", "[monitor|operator]",
            QT_TRANSLATE_NOOP("lockscope::app", "list the permissions that this login lacks")},
    VerbRow{Verb::Simulate, "simulate", "(--scenario NAME | --strategy NAME ...)",
            QT_TRANSLATE_NOOP("lockscope::app", "simulate lock contention and faults, and print a report; on "
                                                "a private server unless one is given")},
    VerbRow{
        Verb::FamilyList, "family list", "",
        QT_TRANSLATE_NOOP("lockscope::app", "list the families: which libraries and applications are known")},
    VerbRow{Verb::FamilyShow, "family show", "NAME",
            QT_TRANSLATE_NOOP("lockscope::app", "show what is known of a family")},
    VerbRow{Verb::FamilyCheck, "family check", "FILE...",
            QT_TRANSLATE_NOOP("lockscope::app", "check files of families of your own")},
    VerbRow{
        Verb::FamilyTry, "family try", "FILE",
        QT_TRANSLATE_NOOP("lockscope::app", "show what such a file finds on a server, and what it rejects")},
    VerbRow{Verb::FamilyNew, "family new", "KEY",
            QT_TRANSLATE_NOOP("lockscope::app", "draft such a file from what a key holds")},
};

} // namespace

QString written(const OptionRow &row)
{
    return QString::fromLatin1(row.written());
}

bool isCommon(const OptionRow &row)
{
    // With fewer verbs it is told of with each of them.
    const auto verbsWithIt = std::ranges::count_if(
        verbRows(), [&row](const VerbRow &verb) { return (row.scope & scopeOf(verb.verb)) != 0; });
    return verbsWithIt > std::ssize(verbs) / 2;
}

std::span<const OptionRow> optionRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> joined;
        for (const std::span<const OptionRow> some : {serverOptionRows(), std::span<const OptionRow>(rows),
                                                      ruleRows(), recordingRows(), simulateRows()})
            joined.insert(joined.end(), some.begin(), some.end());
        return joined;
    }();
    return all;
}

std::span<const VerbRow> verbRows()
{
    return verbs;
}

} // namespace lockscope
