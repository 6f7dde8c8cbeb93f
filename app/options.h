// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/leastprivilege.h"
#include "core/alerts/alertrules.h"
#include "core/model/lock.h"
#include "core/recording/recordingwriter.h"
#include "core/redis/error.h"
#include "core/redis/serveraddress.h"
#include "core/redis/storedservers.h"
#include "core/simulation/scenario/scenario.h"
#include "core/state/checkrules.h"

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
    FamilyNew
};

/// Where `export` waits for scrapes.
struct ListenAddress
{
    QString host;     ///< an address; empty: all of this machine's
    quint16 port = 0; ///< 0: any that is free
};

/// A moment of a recording as people write it.
struct GivenTime
{
    std::optional<qint64> wallMs; ///< epoch ms; else
    QTime timeOfDay;              ///< by the local clock: the last one that was recorded
};

/// What `record` and `replay` are to do with a file.
struct RecordingRequest
{
    QByteArray file;
    qint64 limit = RecordingOptions::usualLimit;
    bool isAnonymous = false;
    bool showsInfo = false;
    std::optional<GivenTime> at, from, to;
};

/// What a command line asks for.
struct Options
{
    ServerAddress server;
    QList<StoredServer> stored; ///< given by their names: the first is `server`, others are for other windows
    bool serverGiven = false;   ///< any connection option was there: the window need not ask
    bool askPassword = false;   ///< --askpass: asked for by the program, not echoed
    bool passwordGiven = false; ///< -a: an empty one is meant, too
    bool askSentinelPassword = false;
    bool askKeyPassphrase = false;
    QList<QByteArray> patterns; ///< empty: the default ones
    bool readOnly = false;
    Environment environment = Environment::Unset;
    LockKey selectedLock;  ///< the window shows it first; empty: none
    QByteArray recordPath; ///< of the window: what is told is recorded there; empty: it is not
    QByteArray replayPath; ///< of the window: a recording to be shown; empty: none
    bool demo = false;
    bool help = false;
    bool version = false;
    QStringList warnings; ///< to be printed

    // The terminal program's.
    Verb verb = Verb::None;
    bool json = false;
    bool base64 = false; ///< key and owners were; here they are decoded already
    LockKey key;
    OwnerId owner; ///< remove-waiter: the waiter
    std::optional<Lease> lease;
    std::optional<Family> family;
    std::optional<milliseconds> wait;
    bool all = false; ///< release: every level; list: also what looks like no lock
    bool explain = false;
    bool onlyExpected = false;
    QByteArray confirmedName; ///< --confirm: the key once more
    QList<LockOwner> expected;
    std::optional<milliseconds> grace;
    std::optional<milliseconds> duration;
    QString filter;                 ///< of list, in LockFilter's language; empty: all
    std::optional<qint64> limit;    ///< of list: so many at most
    std::optional<double> share;    ///< of one of the server's cores, from 0 to 1: absent, as usual
    QByteArray auditFile;           ///< empty: the default one
    QByteArray familyFolder;        ///< of further families; empty: none
    QByteArrayList familyArguments; ///< of `family`: the name of one, or files
    CheckRules rules;
    AlertRules alertRules;
    QString alertCommand;        ///< of alert, for the shell; empty: none
    QUrl webhook;                ///< of alert; empty: none
    QByteArray stateFile;        ///< of check; empty: the default one
    ListenAddress listen;        ///< of export
    std::optional<AclRole> role; ///< acl check: absent, all of them
    std::optional<AclServer> aclServer;
    bool findsClients = false;
    bool followsCluster = false; ///< -c, which every other verb does by itself
    SimulationSetup simulation;
    RecordingRequest recording;
};

/// Reads a command line, without the program's name, and REDISCLI_AUTH. Arguments are taken as the bytes that
/// they are; those that hold a password are overwritten, so that others see it only for a moment. An Error is
/// ErrorKind::InvalidArgument with a sentence that repeats no secret: exit status 2.
Result<Options> parseOptions(Program program, std::span<char *const> arguments);

QByteArray helpText(Program program);
QByteArray versionText(Program program);

} // namespace lockscope
