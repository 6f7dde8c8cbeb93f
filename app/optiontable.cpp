// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"

#include "app/words.h"
#include "core/act/acquirerefusal.h"
#include "core/act/proberequest.h"
#include "core/base/ascii.h"
#include "core/base/printable.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/state/lockfilter.h"
#include "core/state/orphans.h"
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
            Words::tr("%1 takes UTF-8, other bytes as \\xNN after key= or owner=.").arg(option));
    options.filter = QString::fromUtf8(value);
    const auto filter = LockFilter::parse(options.filter);
    return filter ? Result<void>() : usageError(inWords(filter.error()));
}

Result<void> takeFamily(Options &options, const QByteArray &value, const QString &option)
{
    options.family = familyFromName(value);
    if (!options.family || options.family->isUnknown())
        return usageError(exampleRefusal("reentrant, token")(option, value));
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

QByteArrayList orphanRuleNames()
{
    QByteArrayList names;
    for (const Family family : orphanRules())
        names.append(familyName(family));
    return names;
}

std::optional<Family> orphanRuleFrom(const QByteArray &name)
{
    return orphanRuleNames().contains(name) ? familyFromName(name) : std::nullopt;
}

std::optional<LockOwner> expectedOwner(const QByteArray &value)
{
    return LockOwner{OwnerId(value), {}, {}}; // empty, as what may be a lock is stored: see validationError()
}

Result<void> takeExpectedHolds(Options &options, const QByteArray &value, const QString &option)
{
    if (options.expected.isEmpty() || options.expected.back().holdCount)
        return usageError(Words::tr("--expect-holds must follow its --expect-owner."));
    LockOwner &owner = options.expected.back();
    owner.holdCount = parseCount(value);
    owner.rawHoldCount = value;
    return owner.holdCount ? Result<void>() : usageError(rangeRefusal(1, 999'999'999'999'999)(option, value));
}

Result<QString> probeFrom(const QByteArray &value)
{
    const QString command = QFile::decodeName(value);
    const Result<void> checked = checkProbe(command);
    return checked ? Result<QString>(command) : tl::unexpected(checked.error());
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
         QT_TR_NOOP("key pattern; repeatable (lock:*, lock_*, *:lock, families' usual names)"),
         into(&Options::patterns, nonEmpty<QByteArray>, emptyRefusal)},
        {0, "filter", "EXPR", scopeOf(List, Top), QT_TR_NOOP("filter, as in 'state:held owner:web-*'"),
         OptionTarget{takeFilter}},
        {0, "limit", "N", scopeOf(List), QT_TR_NOOP("first N locks by key"),
         number(&Options::limit, 1, 1'000'000'000)},
        {0, "families", "DIR", everywhere, QT_TR_NOOP("more families (*.toml files)"),
         text(&Options::familyFolder)},
        {0, "read-only", "", everywhere, QT_TR_NOOP("refuse every action"), flag(&Options::readOnly)},
        {0, "demo", "", everywhere, QT_TR_NOOP("use a temporary server with a simulation"),
         flag(&Options::demo)},
        {0, "environment", "NAME", everywhere, QT_TR_NOOP("safety of actions"),
         oneOf<environmentName>(&Options::environment)},
        {0, "select", "KEY", window, QT_TR_NOOP("lock to select"), text(&Options::selectedLock)},
        {0, "confirm", "KEY", actions | scopeOf(Orphans),
         QT_TR_NOOP("repeat the key, for actions in production"), text(&Options::confirmedName)},
        {0, "version", "", everywhere, QT_TR_NOOP("print the version"), flag(&Options::version)},
        {0, "help", "", everywhere, QT_TR_NOOP("print help; for a verb: lockscope-cli VERB --help"),
         flag(&Options::help)},
        {0, "json", "", anyVerb & ~scopeOf(Top), QT_TR_NOOP("print JSON"), flag(&Options::json)},
        {0, "base64", "", oneKey, QT_TR_NOOP("KEY and owners are base64"), flag(&Options::base64)},
        {0, "owner", "ID", byOwner, QT_TR_NOOP("owner ID"), text(&Options::owner), byOwner},
        {0, "lease", "SECONDS", byOwner | scopeOf(Simulate), QT_TR_NOOP("lease time"),
         into(&Options::lease, Lease::fromSeconds, QT_TR_NOOP("%1 takes seconds, at least 0.001.")),
         scopeOf(Acquire, Extend)},
        {0, "family", "F", scopeOf(Acquire, RemoveWaiter, Wake), QT_TR_NOOP("family"),
         OptionTarget{takeFamily, false, acquiredFamilies}, 0, "lockscope::app",
         QT_TRANSLATE_NOOP("phrases", "as found, or reentrant")},
        {0, "wait", "SECONDS", scopeOf(Acquire), QT_TR_NOOP("maximum wait for the lock (0)"),
         seconds(&Options::wait)},
        {0, "all", "", scopeOf(Release, List, Replay), QT_TR_NOOP("include hidden keys"),
         flag(&Options::all)},
        {0, "expect-owner", "ID", scopeOf(ForceExpire), QT_TR_NOOP("expected owner; repeatable"),
         into(&Options::expected, expectedOwner, emptyRefusal), scopeOf(ForceExpire)},
        {0, "expect-holds", "N", scopeOf(ForceExpire),
         QT_TR_NOOP("expected hold count of the owner before it"), OptionTarget{takeExpectedHolds, true}},
        {0, "only", "", scopeOf(ForceExpire), QT_TR_NOOP("expire only these owners, such as one reader"),
         flag(&Options::onlyExpected)},
        {0, "waiter", "ID", scopeOf(RemoveWaiter), QT_TR_NOOP("dead waiter"), text(&Options::owner),
         scopeOf(RemoveWaiter)},
        {0, "grace", "SECONDS", scopeOf(ForceExpire), QT_TR_NOOP("grace period (0)"),
         seconds(&Options::grace)},
        {0, "explain", "", scopeOf(Get, Verify), QT_TR_NOOP("explain state and effects of force-expire"),
         flag(&Options::explain)},
        {0, "probe", "COMMAND", scopeOf(Get),
         QT_TR_NOOP("ask COMMAND whether the holder is alive, as in 'ssh {host} kill -0 {process}'"),
         into(&Options::probe, probeFrom)},
        {0, "model", "M", scopeOf(Verify), QT_TR_NOOP("model to check against"),
         oneOf<lockModelName>(&Options::lockModel), 0, "lockscope::app",
         QT_TRANSLATE_NOOP("phrases", "the file's, or mutex")},
        {0, "duration", "SECONDS", scopeOf(Watch, Alert, Record, Simulate, Who), QT_TR_NOOP("duration"),
         seconds(&Options::duration), 0, "lockscope::app", QT_TRANSLATE_NOOP("phrases", "until Ctrl-C")},
        {0, "share", "PERCENT", scopeOf(List, Search, Watch, Top, Check, Orphans, Alert, Export, Record),
         QT_TR_NOOP("load budget, of one server core"),
         into(&Options::share, shareFrom, exampleRefusal("0.1, 25, 100")), 0, "lockscope::app",
         QT_TRANSLATE_NOOP("phrases", "5; first scan: 25")},
        {0, "end", "", scopeOf(Orphans), QT_TR_NOOP("force-expire the proven orphans one by one"),
         flag(&Options::ends)},
        {0, "rule", "RULE", scopeOf(Orphans), QT_TR_NOOP("only this family's heartbeats"),
         oneOf(&Options::orphanRule, orphanRuleNames, orphanRuleFrom)},
        {0, "per-minute", "N", scopeOf(Orphans), QT_TR_NOOP("with --end: locks per minute"),
         number(&Options::perMinute, 1, 60'000), 0, "lockscope::app", "60"},
        {0, "listen", "ADDR:PORT", scopeOf(Export),
         QT_TR_NOOP("address of /metrics; :PORT for all addresses"),
         into(&Options::listen, listenAddress, exampleRefusal("127.0.0.1:10121, [::1]:10121, :10121")),
         scopeOf(Export)},
        {0, "pollers", "", scopeOf(Export),
         QT_TR_NOOP("estimate polling clients for a named user, too (CLIENT LIST)"), flag(&Options::pollers)},
        {0, "server", "VERSION", scopeOf(AclLine), QT_TR_NOOP("server version; for Redis 7.4: 8"),
         oneOf<aclServerName>(&Options::aclServer), 0, "lockscope::app", "7"},
        {0, "clients", "", scopeOf(AclLine, AclCheck),
         QT_TR_NOOP("include permissions for who (CLIENT LIST, MONITOR)"), flag(&Options::findsClients)},
    };
}

std::span<const OptionGroups::VerbMeaning> OptionGroups::verbMeanings()
{
    using enum Verb;
    static constexpr auto meanings = std::to_array<VerbMeaning>({
        {"base64", scopeOf(Get, Who, Wake, FamilyNew), "", QT_TR_NOOP("KEY is base64")},
        {"lease", scopeOf(Simulate), "2"},
        {"family", scopeOf(RemoveWaiter, Wake), QT_TRANSLATE_NOOP("phrases", "as found")},
        {"all", scopeOf(Release), "", QT_TR_NOOP("release all levels")},
        {"duration", scopeOf(Simulate), "5"},
        {"duration", scopeOf(Who), QT_TRANSLATE_NOOP("phrases", "3, maximum 30")},
        {"share", scopeOf(List, Check, Orphans), "25"},
        {"confirm", scopeOf(Orphans), "", QT_TR_NOOP("repeat the server's name, for --end in production"),
         "NAME"},
        {"share", scopeOf(Search), "5"},
        {"max-held", scopeOf(Check), "", QT_TR_NOOP("longest hold of one owner, across checks")},
        {"max-waiters", scopeOf(Alert), "20"},
        {"explain", scopeOf(Verify), "", QT_TR_NOOP("print the events that show a violation")},
        {"at", scopeOf(Top), "", QT_TR_NOOP("with --replay: begin at this time")},
    });
    return meanings;
}

std::span<const VerbRow> OptionGroups::verbs()
{
    using enum Verb;
    static constexpr auto rows = std::to_array<VerbRow>({
        {List, "list", "", QT_TR_NOOP("list all locks"),
         "list\n"
         "list --filter 'state:stalled' --json | jq -r '.locks[].key'"},
        {Get, "get", "KEY", QT_TR_NOOP("show one lock"),
         "get lock:invoice:2041\n"
         "get lock:invoice:2041 --explain\n"
         "get lock:invoice:2041 --probe 'kubectl get pod {host}'"},
        {Acquire, "acquire", "KEY --owner ID --lease SECONDS", QT_TR_NOOP("acquire a lock"),
         "acquire lock:deploy --owner $USER --lease 30\n"
         "acquire lock:deploy --owner $USER --lease 30 --wait 10"},
        {Release, "release", "KEY --owner ID", QT_TR_NOOP("release one level, or all levels"),
         "release lock:deploy --owner $USER\n"
         "release lock:deploy --owner $USER --all"},
        {Extend, "extend", "KEY --owner ID --lease SECONDS", QT_TR_NOOP("set a new lease"),
         "extend lock:deploy --owner $USER --lease 60"},
        {ForceExpire, "force-expire", "KEY --expect-owner ID",
         QT_TR_NOOP("expire a lock if owner and hold count match"),
         "force-expire lock:invoice:2041 --expect-owner 61f268a3-42a7-4f71-9d4d-bd1a67baaaad:23\n"
         "force-expire lock:deploy --expect-owner jenkins-7 --expect-holds 1 --grace 5"},
        {RemoveWaiter, "remove-waiter", "KEY --waiter ID",
         QT_TR_NOOP("remove a dead waiter from a fair queue"),
         "remove-waiter lock:transfer:nightly --waiter 1c5e8f2a-90b7-4d36-a1e4-f2c3b4a59687:31"},
        {Wake, "wake", "KEY", QT_TR_NOOP("wake the head of an orphaned queue"), "wake lock:checkout"},
        {Watch, "watch", "", QT_TR_NOOP("print events live; quick changes may be missed"),
         "watch\n"
         "watch --pattern 'lock:order:*' --duration 60 --json"},
        {Top, "top", "",
         QT_TR_NOOP("show locks live in the terminal, the worst first; inspect and force-expire"),
         "top\n"
         "top --filter 'state:held owner:web-*'\n"
         "top --replay incident.lockrec --at 03:12"},
        {Alert, "alert", "", QT_TR_NOOP("report broken rules until stopped"),
         "alert --max-held 300\n"
         "alert --webhook https://alerts.example/hook --max-waiters 50"},
        {Check, "check", "", QT_TR_NOOP("scan once for broken rules (exit status 1; 3: incomplete)"),
         "check\n"
         "check --max-held 600 --max-waiters 20 --json\n"
         "check --server"},
        {Orphans, "orphans", "", QT_TR_NOOP("list locks of gone holders (exit status 1; 3: not all known)"),
         "orphans\n"
         "orphans --end --per-minute 10"},
        {Export, "export", "--listen ADDR:PORT", QT_TR_NOOP("serve metrics for Prometheus, without login"),
         "export --listen 127.0.0.1:10121"},
        {Record, "record", "FILE", QT_TR_NOOP("record changes to a file"),
         "record incident.lockrec\n"
         "record incident.lockrec --duration 3600 --max-size 200 --anonymous"},
        {Replay, "replay", "FILE", QT_TR_NOOP("print a recording's events, or locks at one moment"),
         "replay incident.lockrec --at 03:12\n"
         "replay incident.lockrec --blame --from 03:00 --to 03:30"},
        {Verify, "verify", "FILE",
         QT_TR_NOOP("check a history of operations, or a recording (exit status 1: violated, 3: undecided)"),
         "verify history.jsonl\n"
         "verify incident.lockrec --model reentrant --explain"},
        {Search, "search", "", QT_TR_NOOP("find locks by content; reads every key"),
         "search\n"
         "search --share 25 --json"},
        {Who, "who", "KEY", QT_TR_NOOP("find clients of a lock (MONITOR, costly)"),
         "who lock:invoice:2041\n"
         "who lock:invoice:2041 --duration 10"},
        {AuditVerify, "audit verify", "[FILE]", QT_TR_NOOP("check the audit log's hash chain"),
         "audit verify"},
        {AclLine, "acl", "monitor|operator|sentinels",
         QT_TR_NOOP("print ACL SETUSER with the permissions needed"),
         "acl monitor\n"
         "acl operator --server 6 --pattern 'lock:*'"},
        {AclCheck, "acl check", "[monitor|operator]", QT_TR_NOOP("list missing permissions"),
         "acl check operator"},
        {Simulate, "simulate", "(--scenario NAME | --strategy NAME ...)",
         QT_TR_NOOP("simulate contention and faults on a private server"),
         "simulate --scenario herd\n"
         "simulate --strategy token-lua --workers 20 --hold uniform:5..50 --duration 10"},
        {FamilyList, "family list", "", QT_TR_NOOP("list known families"), "family list"},
        {FamilyShow, "family show", "NAME", QT_TR_NOOP("show a family"), "family show token"},
        {FamilyCheck, "family check", "FILE...", QT_TR_NOOP("check your family files"),
         "family check myapp.toml"},
        {FamilyTry, "family try", "FILE", QT_TR_NOOP("try a family file on a server"),
         "family try myapp.toml --pattern 'myapp:*'"},
        {FamilyNew, "family new", "KEY", QT_TR_NOOP("draft a family file from a key"),
         "family new myapp:lock:42 > myapp.toml"},
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

const OptionRow *rowFor(QByteArrayView typed, QByteArrayView verbName)
{
    const auto verb = std::ranges::find(verbRows(), verbName, &VerbRow::name);
    const auto row = std::ranges::find_if(optionRows(), [&](const OptionRow &each) {
        return verb != verbRows().end() && (each.scope & scopeOf(verb->verb)) != 0 && each.isTypedAs(typed);
    });
    return row == optionRows().end() ? rowOf(typed) : &*row;
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

std::span<const OptionRow> explainedOptions()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> rows;
        for (OptionRow row : optionRows()) {
            for (const OptionGroups::VerbMeaning &meaning : OptionGroups::verbMeanings()) {
                if (meaning.option != row.name)
                    continue;
                OptionRow &own = rows.emplace_back(row);
                own.scope = meaning.scope;
                own.usual = meaning.usual;
                if (!meaning.argument.isEmpty())
                    own.argument = meaning.argument;
                if (meaning.help) {
                    own.help = meaning.help;
                    own.context = "lockscope::app";
                }
                row.scope &= ~meaning.scope;
            }
            rows.push_back(row);
        }
        return rows;
    }();
    return all;
}

std::span<const VerbRow> verbRows()
{
    return OptionGroups::verbs();
}

} // namespace lockscope
