// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/leastprivilege.h"
#include "core/alerts/alertrules.h"
#include "core/history/blame.h"
#include "core/model/lock.h"
#include "core/recording/recordingwriter.h"
#include "core/redis/error.h"
#include "core/redis/serveraddress.h"
#include "core/redis/serverlink.h"
#include "core/redis/storedservers.h"
#include "core/simulation/scenario/scenario.h"
#include "core/state/checkrules.h"
#include "core/verify/operations.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <QTime>
#include <QUrl>

#include <optional>
#include <span>

namespace lockscope {

enum class Program : quint8 { Window, Terminal };

enum class Verb : quint8 {
    None,
    List,
    Get,
    Acquire,
    Release,
    Extend,
    ForceExpire,
    RemoveWaiter,
    Wake,
    Watch,
    Alert,
    Check,
    Orphans,
    Export,
    Record,
    Replay,
    Search,
    Who,
    AuditVerify,
    AclLine,
    AclCheck,
    Simulate,
    FamilyList,
    FamilyShow,
    FamilyCheck,
    FamilyTry,
    FamilyNew,
    Verify,
    Top
};

struct ListenAddress
{
    QString host;     ///< empty: all addresses
    quint16 port = 0; ///< 0: any free port
};

struct GivenTime
{
    std::optional<qint64> wallMs; ///< epoch ms
    QTime timeOfDay;              ///< without wallMs: local time, its last occurrence
    qint64 lengthMs = 1;          ///< of what it names: a minute, if no seconds were given
};

struct RecordingRequest
{
    QByteArray file;
    qint64 limit = RecordingOptions::usualLimit;
    bool isAnonymous = false;
    bool showsInfo = false;
    bool showsBlame = false;
    bool showsOrder = false;
    BlameBy blameBy = BlameBy::Lock;
    std::optional<GivenTime> at, from, to;
};

struct Options
{
    ServerAddress server;
    QList<StoredServer> stored; ///< by name: `server` first, others for more windows
    bool serverGiven = false;   ///< by any connection option
    bool askPassword = false;   ///< --askpass
    bool passwordGiven = false; ///< -a, possibly with an empty password
    bool askSentinelPassword = false;
    bool askKeyPassphrase = false;
    QList<QByteArray> patterns; ///< empty: default patterns
    bool readOnly = false;
    Environment environment = Environment::Unset;
    LockKey selectedLock;           ///< window: selected first; may be empty
    std::optional<ServerLink> link; ///< window: what to show
    QString badLink;                ///< window: why a link is not used; empty: it is, or there is none
    QByteArray recordPath;          ///< window: file to record to; empty: none
    QByteArray replayPath;          ///< window, top: recording to show; empty: none
    bool demo = false;
    bool help = false;
    QByteArray helpOn; ///< first word of a verb, maybe; empty: none
    bool version = false;
    QStringList warnings;

    // Options of lockscope-cli only.
    Verb verb = Verb::None;
    bool json = false;
    bool base64 = false; ///< key and owners were Base64; they are decoded here
    LockKey key;
    OwnerId owner; ///< for remove-waiter: the waiter
    std::optional<Lease> lease;
    std::optional<Family> family;
    std::optional<milliseconds> wait;
    bool all = false; ///< release: all levels; list: also hidden keys
    bool explain = false;
    bool onlyExpected = false;
    QString probe;            ///< for get: command that asks whether the holder is alive; empty: none
    QByteArray confirmedName; ///< --confirm: repeats the key
    QList<LockOwner> expected;
    std::optional<milliseconds> grace;
    std::optional<milliseconds> duration;
    QString filter;                 ///< for list and top, in LockFilter's language; empty: all
    std::optional<qint64> limit;    ///< for list: number of locks at most; absent: all
    std::optional<double> share;    ///< share of a server core, 0 to 1; absent: default
    QByteArray auditFile;           ///< empty: default file
    QByteArray familyFolder;        ///< folder with user families; empty: none
    QByteArrayList familyArguments; ///< for `family`: a name or files
    CheckRules rules;
    AlertRules alertRules;
    QString alertCommand; ///< for alert: shell command; empty: none
    QUrl webhook;         ///< empty: none
    QByteArray stateFile; ///< for check; empty: default file
    bool checksServer = false;
    ListenAddress listen;
    bool pollers = false;        ///< for export: estimate polling clients for a named user, too
    std::optional<AclRole> role; ///< for acl check; absent: all roles
    std::optional<AclServer> aclServer;
    bool findsClients = false;
    bool followsCluster = false; ///< -c; other verbs always follow
    SimulationSetup simulation;
    QByteArray operationLog; ///< for simulate: file; empty: none
    std::optional<LockModel> lockModel;
    RecordingRequest recording;
    bool ends = false; ///< for orphans: end them
    std::optional<Family> orphanRule;
    qint64 perMinute = 60; ///< for orphans: actions
};

/// Parses a command line, without the program's name, and REDISCLI_AUTH. Arguments are raw bytes; passwords
/// among them are overwritten, to be visible to others only briefly. An error is ErrorKind::InvalidArgument
/// without secrets: exit status 2.
Result<Options> parseOptions(Program program, std::span<char *const> arguments);

/// `verb`: first word of the verbs whose options are explained; without such verbs, the help of the program.
QByteArray helpText(Program program, const QByteArray &verb = {});
/// True for a verb, or the first word of several.
bool hasHelp(const QByteArray &verb);
QByteArray versionText(Program program);

} // namespace lockscope
