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

} // namespace

std::vector<OptionRow> OptionGroups::general()
{
    using enum Verb;
    return {
        {0, "pattern", "GLOB", everywhere & ~scopeOf(Simulate),
         QT_TR_NOOP(
             "key pattern to scan for; repeatable (lock:*, lock_*, *:lock, and families' usual names)"),
         into(&Options::patterns, nonEmpty<QByteArray>, emptyRefusal)},
        {0, "filter", "EXPR", scopeOf(List),
         QT_TR_NOOP("list only what matches, as in the window's filter: 'state:held owner:web-*'"),
         OptionTarget{takeFilter}},
        {0, "limit", "N", scopeOf(List),
         QT_TR_NOOP("list only the first N locks, in the order of their keys"),
         number(&Options::limit, 1, 1'000'000'000)},
        {0, "families", "DIR", everywhere, QT_TR_NOOP("read families from the files *.toml there, too"),
         text(&Options::familyFolder)},
        {0, "read-only", "", everywhere, QT_TR_NOOP("refuse every action"), flag(&Options::readOnly)},
        {0, "demo", "", everywhere,
         QT_TR_NOOP("use a private server with a running simulation; removed at the end"),
         flag(&Options::demo)},
        {0, "environment", "NAME", everywhere,
         QT_TR_NOOP("development, staging or production: what actions ask for"),
         oneOf<environmentName>(&Options::environment)},
        {0, "select", "KEY", window, QT_TR_NOOP("show this lock first"), text(&Options::selectedLock)},
        {0, "confirm", "KEY", actions, QT_TR_NOOP("the same key once more, as actions in production need it"),
         text(&Options::confirmedName)},
        {0, "version", "", everywhere, QT_TR_NOOP("print the version and end"), flag(&Options::version)},
        {0, "help", "", everywhere, QT_TR_NOOP("print this and end"), flag(&Options::help)},
        {0, "json", "", anyVerb, QT_TR_NOOP("print JSON"), flag(&Options::json)},
        {0, "base64", "", oneKey, QT_TR_NOOP("KEY and the given owners are base64"), flag(&Options::base64)},
        {0, "owner", "ID", byOwner, QT_TR_NOOP("owner ID"), text(&Options::owner), byOwner},
        {0, "lease", "SECONDS", byOwner | scopeOf(Simulate),
         QT_TR_NOOP("lease time in seconds (simulate: 2)"),
         into(&Options::lease, Lease::fromSeconds,
              QT_TR_NOOP("%1 takes a number of seconds, at least 0.001, as in 30 or 0.5.")),
         scopeOf(Acquire, Extend)},
        {0, "family", "F", scopeOf(Acquire, RemoveWaiter, Wake),
         QT_TR_NOOP("family: reentrant, token, ... (acquire: reentrant; else as found)"),
         OptionTarget{takeFamily, false, acquiredFamilies}},
        {0, "wait", "SECONDS", scopeOf(Acquire),
         QT_TR_NOOP("retry time in seconds while another owner holds the lock (0)"), seconds(&Options::wait)},
        {0, "all", "", scopeOf(Release, List, Replay),
         QT_TR_NOOP("release: all levels; list, replay: also hidden keys that are probably no locks"),
         flag(&Options::all)},
        {0, "expect-owner", "ID", scopeOf(ForceExpire), QT_TR_NOOP("expected owner; repeatable"),
         into(&Options::expected, expectedOwner, emptyRefusal), scopeOf(ForceExpire)},
        {0, "expect-holds", "N", scopeOf(ForceExpire),
         QT_TR_NOOP("expected hold count of the preceding --expect-owner"),
         OptionTarget{takeExpectedHolds, true}},
        {0, "only", "", scopeOf(ForceExpire),
         QT_TR_NOOP("expire only the given owners, such as one of several readers"),
         flag(&Options::onlyExpected)},
        {0, "waiter", "ID", scopeOf(RemoveWaiter), QT_TR_NOOP("dead waiter in the queue"),
         text(&Options::owner), scopeOf(RemoveWaiter)},
        {0, "grace", "SECONDS", scopeOf(ForceExpire),
         QT_TR_NOOP("grace period in seconds before the lock expires (0)"), seconds(&Options::grace)},
        {0, "explain", "", scopeOf(Get),
         QT_TR_NOOP("explain the lock's state and the effects of force-expire"), flag(&Options::explain)},
        {0, "duration", "SECONDS", scopeOf(Watch, Alert, Record, Simulate, Who),
         QT_TR_NOOP(
             "duration in seconds (watch, alert, record: until Ctrl-C; simulate: 5; who: 3, at most 30)"),
         seconds(&Options::duration)},
        {0, "share", "PERCENT", scopeOf(List, Search, Watch, Check, Alert, Export, Record),
         QT_TR_NOOP("load budget in percent of one server core; 100: full speed (5; 25 for the first scan)"),
         into(&Options::share, shareFrom, QT_TR_NOOP("%1 takes a percentage from 0.1 to 100, as in 25."))},
        {0, "listen", "ADDR:PORT", scopeOf(Export),
         QT_TR_NOOP("where to serve /metrics: 127.0.0.1:10121; :10121 for all addresses"),
         into(&Options::listen, listenAddress,
              QT_TR_NOOP("%1 takes an IP address and a port, as in 127.0.0.1:10121, [::1]:10121, or :10121 "
                         "for all addresses of this machine.")),
         scopeOf(Export)},
        {0, "server", "VERSION", scopeOf(AclLine), QT_TR_NOOP("6, 7, 8 (also Redis 7.4) or valkey (7)"),
         oneOf<aclServerName>(&Options::aclServer)},
        {0, "clients", "", scopeOf(AclLine, AclCheck),
         QT_TR_NOOP("include what the verb who needs (CLIENT LIST and MONITOR)"),
         flag(&Options::findsClients)},
    };
}

std::span<const VerbRow> OptionGroups::verbs()
{
    using enum Verb;
    static constexpr auto rows = std::to_array<VerbRow>({
        {List, "list", "", QT_TR_NOOP("scan once and list every lock")},
        {Get, "get", "KEY", QT_TR_NOOP("show one lock")},
        {Acquire, "acquire", "KEY --owner ID --lease SECONDS", QT_TR_NOOP("acquire a lock as ID")},
        {Release, "release", "KEY --owner ID", QT_TR_NOOP("release one level, or all levels")},
        {Extend, "extend", "KEY --owner ID --lease SECONDS",
         QT_TR_NOOP("set a new lease if ID holds the lock")},
        {ForceExpire, "force-expire", "KEY --expect-owner ID",
         QT_TR_NOOP("expire the lock now if owner and hold count still match")},
        {RemoveWaiter, "remove-waiter", "KEY --waiter ID",
         QT_TR_NOOP("remove a dead waiter from a fair queue")},
        {Wake, "wake", "KEY", QT_TR_NOOP("wake the first waiter in a queue whose lock is gone")},
        {Watch, "watch", "",
         QT_TR_NOOP("print changes live, one event per line. Between two readings, what one owner releases\n"
                    "      and acquires again leaves no event")},
        {Alert, "alert", "",
         QT_TR_NOOP("watch, and tell what needs attention: problems, long holds, many waiters, deadlocks,\n"
                    "      stalled holders, lost connections")},
        {Check, "check", "",
         QT_TR_NOOP("scan once and print what breaks a rule (exit status 1); 3: not all was read. A release "
                    "and\n      acquisition by the same owner between two checks is not seen")},
        {Export, "export", "--listen ADDR:PORT",
         QT_TR_NOOP("serve metrics for Prometheus over HTTP, without login")},
        {Record, "record", "FILE", QT_TR_NOOP("record every change to a file until Ctrl-C")},
        {Replay, "replay", "FILE", QT_TR_NOOP("print the events of a recording, or its locks at one moment")},
        {Search, "search", "", QT_TR_NOOP("find locks by content, whatever their names; reads every key")},
        {Who, "who", "KEY",
         QT_TR_NOOP("find the clients of a lock by reading every command (MONITOR); costly")},
        {AuditVerify, "audit verify", "[FILE]", QT_TR_NOOP("check the hash chain of the audit log")},
        {AclLine, "acl", "monitor|operator|sentinels",
         QT_TR_NOOP("print the command that creates an ACL user with the permissions needed and no others")},
        {AclCheck, "acl check", "[monitor|operator]",
         QT_TR_NOOP("list the permissions that this login lacks")},
        {Simulate, "simulate", "(--scenario NAME | --strategy NAME ...)",
         QT_TR_NOOP("simulate lock contention and faults, and print a report; on a private server unless one "
                    "is given")},
        {FamilyList, "family list", "",
         QT_TR_NOOP("list the families: which libraries and applications are known")},
        {FamilyShow, "family show", "NAME", QT_TR_NOOP("show what is known of a family")},
        {FamilyCheck, "family check", "FILE...", QT_TR_NOOP("check files of families of your own")},
        {FamilyTry, "family try", "FILE",
         QT_TR_NOOP("show what such a file finds on a server, and what it rejects")},
        {FamilyNew, "family new", "KEY", QT_TR_NOOP("draft such a file from what a key holds")},
    });
    return rows;
}

bool OptionRow::isTypedAs(QByteArrayView text) const
{
    return text.startsWith("--") ? !name.isEmpty() && text.sliced(2) == name
                                 : letter != 0 && text.size() == 2 && text[0] == '-' && text[1] == letter;
}

QString written(const OptionRow &row)
{
    return QString::fromLatin1(row.written());
}

const OptionRow *rowOf(QByteArrayView typed)
{
    const auto rows = optionRows();
    const auto row = std::ranges::find_if(rows, [&](const OptionRow &each) { return each.isTypedAs(typed); });
    return row == rows.end() ? nullptr : &*row;
}

bool isCommon(const OptionRow &row)
{
    // With fewer verbs it is told of with each of them.
    const auto verbsWithIt = std::ranges::count_if(
        verbRows(), [&row](const VerbRow &verb) { return (row.scope & scopeOf(verb.verb)) != 0; });
    return verbsWithIt > std::ssize(verbRows()) / 2;
}

std::span<const OptionRow> optionRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> joined;
        for (const auto group : {&OptionGroups::server, &OptionGroups::general, &OptionGroups::rules,
                                 &OptionGroups::recording, &OptionGroups::simulation})
            std::ranges::move(group(), std::back_inserter(joined));
        return joined;
    }();
    return all;
}

std::span<const VerbRow> verbRows()
{
    return OptionGroups::verbs();
}

} // namespace lockscope
