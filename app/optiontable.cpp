// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/recordingoptions.h"
#include "app/ruleoptions.h"
#include "app/simulateoptions.h"
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

constexpr unsigned byOwner = scopeOf(Verb::Acquire) | scopeOf(Verb::Release) | scopeOf(Verb::Extend);
constexpr unsigned actions = byOwner | scopeOf(Verb::ForceExpire) | scopeOf(Verb::RemoveWaiter);
constexpr unsigned oneKey = scopeOf(Verb::Get) | scopeOf(Verb::Who) | actions;

template <bool Options::*flag>
Result<void> set(Options &options, const QByteArray &)
{
    options.*flag = true;
    return {};
}

template <std::optional<milliseconds> Options::*duration>
Result<void> takeSeconds(Options &options, const QByteArray &value)
{
    return durationFrom(value).map([&](milliseconds given) { options.*duration = given; });
}

Result<void> takeOwner(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--owner must not be empty."));
    options.owner = OwnerId(value);
    return {};
}

Result<void> takeWaiter(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--waiter must not be empty."));
    options.owner = OwnerId(value);
    return {};
}

Result<void> takePattern(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--pattern must not be empty."));
    options.patterns.append(value);
    return {};
}

Result<void> takeFilter(Options &options, const QByteArray &value)
{
    if (!isValidUtf8(value))
        return usageError(
            Words::tr("--filter takes UTF-8. Write other bytes as \\xNN after key= or owner=."));
    options.filter = QString::fromUtf8(value);
    const auto filter = LockFilter::parse(options.filter);
    return filter ? Result<void>() : usageError(inWords(filter.error()));
}

Result<void> takeFamily(Options &options, const QByteArray &value)
{
    options.family = familyFromName(value);
    if (!options.family || options.family->isUnknown())
        return usageError(Words::tr("--family takes a family as list shows it: reentrant, token, …"));
    if (const Phrase reason = acquireRefusal(*options.family); !reason.isEmpty())
        return usageError(inWords(reason));
    return {};
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

Result<void> takeLease(Options &options, const QByteArray &value)
{
    options.lease = Lease::fromSeconds(value);
    if (!options.lease)
        return usageError(Words::tr("--lease takes a number of seconds, at least 0.001, as in 30 or 0.5."));
    return {};
}

Result<void> takeExpectedOwner(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--expect-owner must not be empty."));
    options.expected.append(LockOwner{OwnerId(value), {}, {}});
    return {};
}

Result<void> takeExpectedHolds(Options &options, const QByteArray &value)
{
    if (options.expected.isEmpty() || options.expected.back().holdCount)
        return usageError(
            Words::tr("Each --expect-holds must follow the --expect-owner that it belongs to."));
    options.expected.back().holdCount = parseCount(value);
    if (!options.expected.back().holdCount)
        return usageError(Words::tr("--expect-holds takes a whole number from 1 to 999999999999999."));
    options.expected.back().rawHoldCount = value;
    return {};
}

Result<void> takeShare(Options &options, const QByteArray &value)
{
    bool isNumber = false;
    const double percent = value.toDouble(&isNumber);
    const bool isPlain = std::ranges::all_of(value, [](char c) { return isDigit(c) || c == '.'; });
    if (!isNumber || !isPlain || percent < 0.1 || percent > 100)
        return usageError(Words::tr("--share takes a percentage from 0.1 to 100, as in 25."));
    options.share = percent / 100;
    return {};
}

Result<void> takeEnvironment(Options &options, const QByteArray &value)
{
    const auto environment = environmentName.valueOf(value);
    if (!environment || *environment == Environment::Unset)
        return usageError(Words::tr("--environment takes development, staging or production."));
    options.environment = *environment;
    return {};
}

QByteArrayList environmentNames()
{
    QByteArrayList names;
    for (const Environment environment : environments) {
        if (environment != Environment::Unset)
            names.append(environmentName(environment));
    }
    return names;
}

Result<void> takeSelected(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--select takes a lock's key."));
    options.selectedLock = LockKey(value);
    return {};
}

Result<void> takeConfirmedName(Options &options, const QByteArray &value)
{
    if (value.isEmpty())
        return usageError(Words::tr("--confirm takes the lock's key once more."));
    options.confirmedName = value;
    return {};
}

/// "127.0.0.1:9121", "[::1]:9121", ":9121".
Result<void> takeListen(Options &options, const QByteArray &value)
{
    const qsizetype colon = value.lastIndexOf(':');
    QByteArray host = value.left(std::max<qsizetype>(colon, 0));
    const bool isBracketed = host.startsWith('[') && host.endsWith(']');
    if (isBracketed)
        host = host.sliced(1, host.size() - 2);
    const auto port = wholeNumber(value.mid(colon + 1), std::numeric_limits<quint16>::max());
    const QHostAddress address(host == "localhost" ? QStringLiteral("127.0.0.1") : QString::fromLatin1(host));
    const bool isAddress = address.protocol() == QAbstractSocket::IPv4Protocol
                               ? !isBracketed
                               : address.protocol() == QAbstractSocket::IPv6Protocol && isBracketed;
    if (colon < 0 || value.endsWith(':') || !port || !(host.isEmpty() ? !isBracketed : isAddress))
        return usageError(Words::tr("--listen takes an IP address and a port, as in 127.0.0.1:9121, "
                                    "[::1]:9121, or :9121 for all addresses of this machine."));
    options.listen =
        ListenAddress{host.isEmpty() ? QString() : address.toString(), static_cast<quint16>(*port)};
    return {};
}

Result<void> takeAclServer(Options &options, const QByteArray &value)
{
    options.aclServer = aclServerName.valueOf(value);
    if (!options.aclServer)
        return usageError(Words::tr("--server takes 6, 7, 8 or valkey."));
    return {};
}

const std::array rows{
    OptionRow{
        0, "pattern", "GLOB", everywhere & ~scopeOf(Verb::Simulate),
        QT_TRANSLATE_NOOP("lockscope::app", "key pattern to scan for; repeatable (lock:*, lock_*, *:lock)"),
        takePattern, true},
    OptionRow{
        0, "filter", "EXPR", scopeOf(Verb::List),
        QT_TRANSLATE_NOOP("lockscope::app",
                          "list only what matches, as in the window's filter: 'state:held owner:web-*'"),
        takeFilter},
    OptionRow{0, "read-only", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "refuse every action"),
              set<&Options::readOnly>},
    OptionRow{0, "demo", "", everywhere,
              QT_TRANSLATE_NOOP("lockscope::app",
                                "use a private server with a running simulation; removed at the end"),
              set<&Options::demo>},
    OptionRow{0, "environment", "NAME", everywhere,
              QT_TRANSLATE_NOOP("lockscope::app", "development, staging or production: what actions ask for"),
              takeEnvironment, false, environmentNames},
    OptionRow{0, "select", "KEY", window, QT_TRANSLATE_NOOP("lockscope::app", "show this lock first"),
              takeSelected},
    OptionRow{0, "confirm", "KEY", actions,
              QT_TRANSLATE_NOOP("lockscope::app", "the same key once more, as actions in production need it"),
              takeConfirmedName},
    OptionRow{0, "version", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print the version and end"),
              set<&Options::version>},
    OptionRow{0, "help", "", everywhere, QT_TRANSLATE_NOOP("lockscope::app", "print this and end"),
              set<&Options::help>},
    OptionRow{0, "json", "", anyVerb, QT_TRANSLATE_NOOP("lockscope::app", "print JSON"), set<&Options::json>},
    OptionRow{0, "base64", "", oneKey,
              QT_TRANSLATE_NOOP("lockscope::app", "KEY and the given owners are base64"),
              set<&Options::base64>},
    OptionRow{0, "owner", "ID", byOwner, QT_TRANSLATE_NOOP("lockscope::app", "owner ID"), takeOwner},
    OptionRow{0, "lease", "SECONDS", byOwner | scopeOf(Verb::Simulate),
              QT_TRANSLATE_NOOP("lockscope::app", "lease time in seconds (simulate: 2)"), takeLease},
    OptionRow{0, "family", "F", scopeOf(Verb::Acquire),
              QT_TRANSLATE_NOOP("lockscope::app", "family: reentrant, token, ... (reentrant)"), takeFamily,
              false, acquiredFamilies},
    OptionRow{
        0, "wait", "SECONDS", scopeOf(Verb::Acquire),
        QT_TRANSLATE_NOOP("lockscope::app", "retry time in seconds while another owner holds the lock (0)"),
        takeSeconds<&Options::wait>},
    OptionRow{0, "all", "", scopeOf(Verb::Release) | scopeOf(Verb::List) | scopeOf(Verb::Replay),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "release: all levels; list, replay: also hidden keys that are probably no "
                                "locks"),
              set<&Options::all>},
    OptionRow{0, "expect-owner", "ID", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "expected owner; repeatable"), takeExpectedOwner, true},
    OptionRow{0, "expect-holds", "N", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "expected hold count of the preceding --expect-owner"),
              takeExpectedHolds, true},
    OptionRow{
        0, "only", "", scopeOf(Verb::ForceExpire),
        QT_TRANSLATE_NOOP("lockscope::app", "expire only the given owners, such as one of several readers"),
        set<&Options::onlyExpected>},
    OptionRow{0, "waiter", "ID", scopeOf(Verb::RemoveWaiter),
              QT_TRANSLATE_NOOP("lockscope::app", "dead waiter in the queue"), takeWaiter},
    OptionRow{0, "grace", "SECONDS", scopeOf(Verb::ForceExpire),
              QT_TRANSLATE_NOOP("lockscope::app", "grace period in seconds before the lock expires (0)"),
              takeSeconds<&Options::grace>},
    OptionRow{0, "explain", "", scopeOf(Verb::Get),
              QT_TRANSLATE_NOOP("lockscope::app", "explain the lock's state and the effects of force-expire"),
              set<&Options::explain>},
    OptionRow{
        0, "duration", "SECONDS",
        scopeOf(Verb::Watch) | scopeOf(Verb::Alert) | scopeOf(Verb::Record) | scopeOf(Verb::Simulate) |
            scopeOf(Verb::Who),
        QT_TRANSLATE_NOOP(
            "lockscope::app",
            "duration in seconds (watch, alert, record: until Ctrl-C; simulate: 5; who: 3, at most 30)"),
        takeSeconds<&Options::duration>},
    OptionRow{0, "share", "PERCENT",
              scopeOf(Verb::List) | scopeOf(Verb::Search) | scopeOf(Verb::Watch) | scopeOf(Verb::Check) |
                  scopeOf(Verb::Alert) | scopeOf(Verb::Export) | scopeOf(Verb::Record),
              QT_TRANSLATE_NOOP(
                  "lockscope::app",
                  "load budget in percent of one server core; 100: full speed (5; 25 for the first scan)"),
              takeShare},
    OptionRow{0, "listen", "ADDR:PORT", scopeOf(Verb::Export),
              QT_TRANSLATE_NOOP("lockscope::app",
                                "where to serve /metrics: 127.0.0.1:9121; :9121 for all addresses"),
              takeListen},
    OptionRow{0, "server", "VERSION", scopeOf(Verb::AclLine),
              QT_TRANSLATE_NOOP("lockscope::app", "6, 7, 8 (also Redis 7.4) or valkey (7)"), takeAclServer,
              false, [] { return namesIn(aclServerName.names); }},
    OptionRow{
        0, "clients", "", scopeOf(Verb::AclLine) | scopeOf(Verb::AclCheck),
        QT_TRANSLATE_NOOP("lockscope::app", "include what the verb who needs (CLIENT LIST and MONITOR)"),
        set<&Options::findsClients>},
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
    VerbRow{Verb::Watch, "watch", "",
            QT_TRANSLATE_NOOP("lockscope::app", "print changes live, one event per line")},
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
};

} // namespace

Result<milliseconds> durationFrom(const QByteArray &text)
{
    if (const auto lease = Lease::fromSeconds(text))
        return lease->value();
    const bool isZero =
        text.contains('0') && std::ranges::all_of(text, [](char c) { return c == '0' || c == '.'; });
    if (isZero && text.count('.') <= 1)
        return milliseconds(0);
    return usageError(Words::tr("A duration is a number of seconds, 0 or at least 0.001, as in 30 or 0.5."));
}

tl::unexpected<Error> usageError(const QString &why)
{
    return tl::unexpected(Error{ErrorKind::InvalidArgument, why.toUtf8()});
}

QString written(const OptionRow &row)
{
    return QString::fromLatin1(row.written());
}

std::optional<qint64> wholeNumber(const QByteArray &text, qint64 max)
{
    bool fits = false;
    const qint64 number = text.toLongLong(&fits);
    const bool digits = std::ranges::all_of(text, isDigit);
    return fits && digits && number <= max ? std::optional(number) : std::nullopt;
}

QByteArray OptionRow::written() const
{
    return letter != 0 ? QByteArray("-") + letter : "--" + name.toByteArray();
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
        std::vector<OptionRow> joined(serverOptionRows().begin(), serverOptionRows().end());
        joined.insert(joined.end(), rows.begin(), rows.end());
        joined.insert(joined.end(), ruleRows().begin(), ruleRows().end());
        joined.insert(joined.end(), recordingRows().begin(), recordingRows().end());
        joined.insert(joined.end(), simulateRows().begin(), simulateRows().end());
        return joined;
    }();
    return all;
}

std::span<const VerbRow> verbRows()
{
    return verbs;
}

} // namespace lockscope
