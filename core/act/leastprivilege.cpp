// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/leastprivilege.h"

#include "core/act/scriptcall.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/companionkeys.h"
#include "core/family/filecompanions.h"
#include "core/family/registry.h"
#include "core/redis/command.h"
#include "core/redis/resp.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

// A pattern is handed to the families' functions as if it were a name. These bytes stand in it for what it leaves open.
constexpr char anyBytes = '\1';
constexpr char anyByte = '\2';
constexpr char anyOwner = '\3';

QByteArray sampleOf(QByteArrayView pattern)
{
    QByteArray sample;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '*') {
            sample += anyBytes;
        } else if (c == '?') {
            sample += anyByte;
        } else if (c == '[') {
            const qsizetype end = pattern.indexOf(']', i);
            i = end < 0 ? pattern.size() : end;
            sample += anyByte;
        } else {
            i += c == '\\' && i + 1 < pattern.size() ? 1 : 0;
            sample += pattern[i] > anyOwner || pattern[i] < 0 ? pattern[i] : anyByte;
        }
    }
    return sample;
}

QByteArray globOf(const QByteArray &sample)
{
    QByteArray glob;
    for (const char c : sample) {
        const bool isAny = c == anyBytes || c == anyOwner;
        if (isAny && !glob.endsWith('*'))
            glob += '*';
        else if (!isAny)
            glob += c == anyByte ? QByteArray("?") : escapedGlob(QByteArray(1, c));
    }
    return glob;
}

/// True only if `wide` matches every name that `narrow` matches.
bool covers(const QByteArray &wide, const QByteArray &narrow)
{
    const QByteArray longer = sampleOf(narrow);
    QByteArray shorter = longer;
    shorter.replace(QByteArray(1, anyBytes), QByteArray());
    return globMatches(wide, longer) && globMatches(wide, shorter);
}

/// True if a name may match both.
bool mayMeet(const QByteArray &a, const QByteArray &b)
{
    const QByteArray one = sampleOf(a);
    const QByteArray other = sampleOf(b);
    // meets[j]: the first i bytes of one and the first j of the other may stand for the same name.
    std::vector<char> meets(static_cast<size_t>(other.size()) + 1, 0);
    meets[0] = 1;
    for (qsizetype i = 0; i <= one.size(); ++i) {
        std::vector<char> next(meets.size(), 0);
        for (qsizetype j = 0; j <= other.size(); ++j) {
            const auto at = static_cast<size_t>(j);
            const bool starOfOther = j > 0 && other[j - 1] == anyBytes;
            if (i == 0) {
                next[at] = j == 0 || (starOfOther && next[at - 1]);
                continue;
            }
            const bool starOfOne = one[i - 1] == anyBytes;
            bool is = (starOfOne || starOfOther) && (meets[at] || (j > 0 && next[at - 1]));
            if (j > 0 && !is) {
                const char x = one[i - 1];
                const char y = other[j - 1];
                is = meets[at - 1] && (x == y || x == anyByte || y == anyByte || starOfOne || starOfOther);
            }
            next[at] = is;
        }
        meets = next;
    }
    return meets.back();
}

/// Sample names of the family's locks under a pattern, for one glob of usual names; empty: none.
QList<QByteArray> samplesOf(const QByteArray &usual, const QByteArray &pattern)
{
    QByteArray own = sampleOf(pattern);
    const QByteArray end = usual.sliced(usual.lastIndexOf('*') + 1);
    if (covers(usual, pattern))
        return {own};
    if (!mayMeet(usual, pattern)) {
        if (end.isEmpty() || !pattern.endsWith(end))
            return {};
        // The names are as usual but for their beginning, which users choose.
        const qsizetype last = own.lastIndexOf(anyBytes);
        if (last >= 0 && usual.contains("*:*"))
            own.replace(last, 1, QByteArray(1, anyBytes) + ':' + anyBytes);
        return {own};
    }
    if (usual.startsWith('*') && pattern.endsWith('*'))
        return {own + sampleOf(usual.sliced(1))};
    return {sampleOf(usual)};
}

/// Sample names of locks of a family with any names.
QList<QByteArray> samplesFor(const FamilySpec &spec, const QByteArray &pattern)
{
    QList<QByteArray> samples;
    for (const char *usual : spec.usualNames)
        samples += samplesOf(usual, pattern);
    if (!spec.usualNames.isEmpty())
        return samples;
    // Some libraries name what stands beside a lock in another way where its name has braces.
    const QByteArray own = sampleOf(pattern);
    QByteArray braced = own;
    if (const qsizetype at = own.indexOf(anyBytes); at >= 0 && !own.contains('{'))
        braced.replace(at, 1, QByteArray(1, anyBytes) + '{' + anyBytes + '}' + anyBytes);
    return {own, braced};
}

/// The glob for a name made from a sample. After the library's own prefix the lock's name is left out.
QByteArray globFrom(const QByteArray &made, const QByteArray &sample)
{
    constexpr qsizetype leastPrefix = 4;
    qsizetype at = made.indexOf(sample);
    if (at > 0 && made[at - 1] == '{')
        --at;
    return globOf(at >= leastPrefix ? made.first(at) + anyBytes : made);
}

/// Patterns without those that another one covers.
class GlobSet
{
public:
    void add(const QByteArray &glob)
    {
        if (glob.isEmpty() || m_globs.contains(glob))
            return;
        if (std::ranges::any_of(m_globs, [&](const QByteArray &wide) { return covers(wide, glob); }))
            return;
        m_globs.removeIf([&](const QByteArray &narrow) { return covers(glob, narrow); });
        m_globs.append(glob);
    }
    const QList<QByteArray> &globs() const { return m_globs; }

private:
    QList<QByteArray> m_globs;
};

/// The keys in read commands: all of EXISTS, the first argument of others, none of PUBSUB.
QByteArrayList keysIn(const CommandBatch &batch)
{
    QByteArrayList keys;
    RespReader commands; // on the wire they look like replies
    commands.feed(batch.wire());
    for (int i = 0; i < batch.size(); ++i) {
        const std::vector<Reply> words = (*commands.next())->elements;
        const size_t end = words[0].text == "EXISTS" ? words.size() : std::min<size_t>(words.size(), 2);
        for (size_t at = 1; at < end && words[0].text != "PUBSUB"; ++at)
            keys.append(words[at].text);
    }
    return keys;
}

/// The companion keys that the family's queries read.
QByteArrayList companionKeys(Family family, const QByteArray &name)
{
    const Companions &companions = specOf(family).companions;
    Lock lock;
    lock.address.key = LockKey(name);
    lock.family = family;
    lock.owners = {LockOwner{OwnerId(QByteArray(1, anyOwner)), {}, {}}};
    QByteArrayList keys = fileCompanionKeys(lock, QByteArray(1, anyOwner));
    if (companions.signs)
        keys += companions.signs(lock.key());
    if (companions.queue)
        keys.append(companions.queue(lock.key()));
    CommandBatch batch;
    for (const auto &queries : {companions.queries, companions.later}) {
        for (const CompanionQuery *query : queries)
            query->append(batch, lock, {});
    }
    return keys + keysIn(batch);
}

constexpr std::array everyAction{Action::Acquire,     Action::Release,      Action::Extend,
                                 Action::ForceExpire, Action::RemoveWaiter, Action::Wake};

/// The keys besides the lock's own that the family's scripts may write.
QByteArrayList writtenKeys(Family family, const QByteArray &name)
{
    const Scripts &scripts = *specOf(family).scripts;
    QByteArrayList keys;
    if (!scripts.keys)
        return keys;
    const OwnerId owner(QByteArray(1, anyOwner));
    for (const Action action : everyAction) {
        if (!scriptFile(scripts, action).path)
            continue;
        ActionRequest request;
        request.action = action;
        request.family = family;
        request.key = LockKey(name);
        request.owner = owner;
        request.expected = {LockOwner{owner, "1", 1}};
        const QByteArrayList once = scripts.keys(request, request.expected, false);
        request.expected = {LockOwner{owner, "2", 2}};
        keys += once;
        // One for each hold, which are counted at the end of its name.
        for (const QByteArray &more : scripts.keys(request, request.expected, false)) {
            if (!once.contains(more))
                keys.append(more.first(more.lastIndexOf(':') + 1) + anyBytes);
        }
    }
    return keys;
}

/// The globs of the sets from which an end of such locks takes them: as the family's file writes them, where it does.
QByteArrayList indexGlobs(Family family, const QByteArray &name)
{
    const QByteArray unknown(1, anyOwner);
    QByteArrayList globs;
    for (const QByteArray &made :
         indexKeys(family, LockKey(name), {LockOwner{OwnerId(unknown), {}, 1}}, unknown)) {
        const qsizetype before = globs.size();
        for (const char *glob : specOf(family).forms->companionGlobs) {
            if (covers(globOf(made), glob))
                globs.append(glob);
        }
        if (globs.size() == before)
            globs.append(globFrom(made, name));
    }
    return globs;
}

/// Whether locks under the pattern may be this family's by its usual names, not by a name that happens to match both.
bool isAskedFor(const FamilySpec &spec, const QByteArray &pattern)
{
    return spec.usualNames.isEmpty() || std::ranges::any_of(spec.usualNames, [&pattern](const char *usual) {
               return covers(pattern, usual) || covers(usual, pattern);
           });
}

void addChannels(GlobSet &channels, const FamilySpec &spec, const QByteArray &sample)
{
    const LockKey lock(sample);
    const OwnerId waiter(QByteArray(1, anyOwner));
    const Family family = familyOf(spec);
    for (const QByteArray &channel : {unlockChannel(family, lock), waiterChannel(family, lock, waiter)}) {
        if (!channel.isEmpty())
            channels.add(globFrom(channel, sample));
    }
}

void addOnce(QList<QByteArray> &list, const QByteArray &one)
{
    if (!list.contains(one))
        list.append(one);
}

bool isKnownTo(const QByteArray &command, AclServer server)
{
    static constexpr std::array sinceSeven{"pubsub|shardnumsub", "cluster|shards", "spublish"};
    if (command == "digest") // a server before Redis 8.4 would refuse the whole line
        return false;
    if (command == "hpttl")
        return server == AclServer::Redis8;
    const auto isIt = [&](const char *name) { return command == name; };
    return server != AclServer::Redis6 || std::ranges::none_of(sinceSeven, isIt);
}

QList<QByteArray> readingCommands(const AclRequest &request)
{
    const auto isUsed = [&](ReadUse use) {
        switch (use) {
        case ReadUse::Notifications: // CONFIG GET would show passwords
        case ReadUse::WithoutInfo:
            return false;
        case ReadUse::Cluster:
            return request.isCluster;
        case ReadUse::Clients:
            return request.findsClients;
        case ReadUse::Sentinel:
            return request.role == AclRole::Sentinels;
        default:
            return request.role != AclRole::Sentinels;
        }
    };
    QList<QByteArray> commands;
    for (const ReadCommand &read : readCommands()) {
        const QByteArray name = read.name.toByteArray();
        if (isUsed(read.use) && name != "auth" && name != "hello") // which need no permission
            addOnce(commands, name);
    }
    return commands;
}

QList<QByteArray> actingCommands()
{
    QList<QByteArray> called;
    for (const Family family : allFamilies()) {
        for (const Action action : everyAction) {
            const char *path = scriptFile(*specOf(family).scripts, action).path;
            for (const QByteArray &name :
                 path ? commandsOfScript(Script(path + QByteArray(".lua")).textFor({})) : QList<QByteArray>())
                addOnce(called, name);
        }
    }
    std::ranges::sort(called);
    return QList<QByteArray>{"eval", "evalsha"} + called;
}

/// True if a subcommand of this container command is granted already.
bool isGranted(const QList<QByteArray> &commands, const QByteArray &name)
{
    return std::ranges::any_of(
        commands, [&](const QByteArray &known) { return known == name || known.startsWith(name + '|'); });
}

void addKeys(AclRights &rights, const GlobSet &read, const GlobSet &written)
{
    for (const QByteArray &glob : written.globs())
        rights.keys.append({glob, true});
    for (const QByteArray &glob : read.globs()) {
        if (std::ranges::none_of(written.globs(), [&](const QByteArray &wide) { return covers(wide, glob); }))
            rights.keys.append({glob, false});
    }
}

} // namespace

AclRights aclRights(const AclRequest &request)
{
    AclRights rights;
    for (const QByteArray &name : readingCommands(request)) {
        if (isKnownTo(name, request.server))
            rights.commands.append(name);
    }
    if (request.role == AclRole::Sentinels) {
        rights.heard = {"+switch-master"};
        return rights;
    }
    rights.heard = {"__redis__:invalidate"};
    const bool acts = request.role == AclRole::Operator;
    GlobSet read;
    GlobSet written;
    GlobSet channels;
    for (const QByteArray &pattern : request.patterns)
        (acts ? written : read).add(pattern);
    for (const QByteArray &pattern : request.patterns) {
        for (const Family family : allFamilies()) {
            const FamilySpec &spec = specOf(family);
            for (const QByteArray &sample : samplesFor(spec, pattern)) {
                for (const QByteArray &key : companionKeys(family, sample))
                    read.add(globFrom(key, sample));
                if (!acts)
                    continue;
                for (const QByteArray &key : writtenKeys(family, sample))
                    written.add(globFrom(key, sample));
                for (const QByteArray &glob :
                     isAskedFor(spec, pattern) ? indexGlobs(family, sample) : QByteArrayList())
                    written.add(glob);
                addChannels(channels, spec, sample);
                if (const char *more = spec.scripts->channels)
                    channels.add(more);
            }
        }
    }
    addKeys(rights, read, written);
    if (acts) {
        rights.told = channels.globs();
        for (const QByteArray &name : actingCommands()) {
            if (isKnownTo(name, request.server) && !isGranted(rights.commands, name))
                rights.commands.append(name);
        }
    }
    return rights;
}

QByteArray keyRule(const AclRights::Key &key, AclServer server)
{
    return (key.isWritten || server == AclServer::Redis6 ? "~" : "%R~") + aclPattern(key.pattern);
}

QByteArray channelRule(const QByteArray &channel, AclServer server)
{
    return server == AclServer::Redis6 ? QByteArray() : '&' + aclPattern(channel);
}

QList<QByteArray> aclRules(const AclRights &rights, const AclRequest &request)
{
    QList<QByteArray> rules{"resetkeys"};
    if (request.server != AclServer::Redis6) {
        rules.append("resetchannels");
        for (const QByteArray &channel : rights.heard + rights.told)
            rules.append(channelRule(channel, request.server));
    }
    rules.append("-@all");
    for (const AclRights::Key &key : rights.keys)
        rules.append(keyRule(key, request.server));
    for (const QByteArray &command : rights.commands)
        rules.append('+' + command);
    return rules;
}

QByteArray aclPattern(QByteArray glob)
{
    std::ranges::replace_if(
        glob, [](char c) { return c <= ' ' || c > '~' || c == '"' || c == '\''; }, '?');
    return glob;
}

QByteArray aclUserName(const QByteArray &user)
{
    const bool isWord = std::ranges::none_of(
        user, [](char c) { return c == '"' || c == '\'' || c == '\\' || (c >= 0 && c <= ' '); });
    if (isWord && printable(user, user.size() + 1) == QString::fromUtf8(user))
        return user;
    QByteArray quoted;
    for (const char c : user) {
        const bool isPlain = c > ' ' && c <= '~' && c != '"' && c != '\\';
        quoted += isPlain ? QByteArray(1, c) : "\\x" + QByteArray(1, c).toHex();
    }
    return '"' + quoted + '"';
}

QList<QByteArray> commandsOfScript(const QByteArray &text)
{
    // What is called stands before the first comma; one of two may be chosen there.
    static const QRegularExpression comment(QStringLiteral("--[^\n]*"));
    static const QRegularExpression call(QStringLiteral("(?:call|try)\\(([^,)]*)"));
    static const QRegularExpression word(QStringLiteral("'([A-Z]{2,})'"));
    QList<QByteArray> commands;
    auto calls = call.globalMatch(QString::fromLatin1(text).remove(comment));
    while (calls.hasNext()) {
        auto words = word.globalMatch(calls.next().captured(1));
        while (words.hasNext())
            addOnce(commands, words.next().captured(1).toLatin1().toLower());
    }
    return commands;
}

AclServer aclServerOf(const QByteArray &name, int major, int minor)
{
    if (name == "valkey")
        return AclServer::Valkey;
    if (major >= 8 || (major == 7 && minor >= 4))
        return AclServer::Redis8;
    return major == 6 ? AclServer::Redis6 : AclServer::Redis7;
}

} // namespace lockscope
