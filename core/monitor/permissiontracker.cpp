// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/permissiontracker.h"

#include "core/monitor/missingpermissions.h"
#include "core/monitor/probechoice.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using inspector::Read;
using inspector::Reads;

namespace {

bool isSame(const Refusal &a, const Refusal &b)
{
    return a.about == b.about && a.command == b.command;
}

/// The refusal with the sent command, if the text names none, or one with a subcommand.
Refusal refusalOf(const QByteArray &command, const Error &why)
{
    return {refusalFrom(why.detail).about, command};
}

Reads sentFor(KeyType type)
{
    Reads needed;
    for (const Read read : inspector::readsOf({{}, type}))
        needed |= read;
    return needed;
}

/// The reads needed for a key of this type: TYPE, if the first two may not be sent.
Reads neededFor(KeyType type)
{
    const Reads sent = sentFor(type);
    return type == KeyType::Other ? sent | Read::Hscan | Read::Getrange : sent;
}

} // namespace

PermissionTracker::PermissionTracker(KeyNameFilter names, milliseconds retryInterval)
    : m_names(std::move(names)), m_retryInterval(retryInterval)
{
}

template <typename IsToGo>
bool PermissionTracker::forgetKeys(IsToGo isToGo)
{
    const auto removed = m_keys.removeIf([&](const Keys::iterator &key) {
        if (!isToGo(key.key(), *key))
            return false;
        count(*key, -1);
        return true;
    });
    if (removed > 0)
        noteEnd();
    return removed > 0;
}

template <typename IsToGo>
bool PermissionTracker::forgetMissing(IsToGo isToGo)
{
    const auto removed = m_missing.removeIf([&](const Entry &entry) { return isToGo(entry.missing); });
    if (removed > 0)
        noteEnd();
    return removed > 0;
}

void PermissionTracker::setNames(const KeyNameFilter &names)
{
    m_names = names;
    forgetKeys([&](const LockKey &name, const Key &) { return !names.contains(name.bytes); });
    recomputePatterns();
}

PermissionTracker::Entry *PermissionTracker::find(Use use, const Refusal &refusal)
{
    const auto found = std::ranges::find_if(m_missing, [&](const Entry &entry) {
        return entry.missing.use == use && isSame(entry.missing.refusal, refusal);
    });
    return found == m_missing.end() ? nullptr : &*found;
}

void PermissionTracker::expectRetry(TimePoint now)
{
    m_hasChanged = true;
    if (m_retryAt == TimePoint::max())
        m_retryAt = now + m_retryInterval;
}

void PermissionTracker::noteEnd()
{
    m_hasChanged = true;
    if (m_missing.isEmpty() && m_keys.isEmpty())
        m_retryAt = TimePoint::max();
    if (m_keys.isEmpty())
        m_matched.clear();
}

void PermissionTracker::add(const Missing &missing, TimePoint now)
{
    if (Entry *known = find(missing.use, missing.refusal)) {
        known->isDue = false;
        return;
    }
    m_missing.append({missing});
    expectRetry(now);
}

void PermissionTracker::refuse(Use use, const QByteArray &command, const Error &why, TimePoint now)
{
    add({use, refusalOf(command, why), why.detail, m_workedUses.contains(use)}, now);
}

void PermissionTracker::permit(Use use, const QByteArray &command)
{
    m_workedUses.insert(use);
    forgetMissing([&](const Missing &known) { return known.use == use && known.refusal.command == command; });
}

bool PermissionTracker::isRefused(Use use) const
{
    return std::ranges::any_of(
        m_missing, [use](const Entry &entry) { return entry.missing.use == use && !entry.isDue; });
}

bool PermissionTracker::isMissing(Use use) const
{
    return std::ranges::any_of(m_missing, [use](const Entry &entry) { return entry.missing.use == use; });
}

void PermissionTracker::takeFeed(const FeedStatus &status, TimePoint now)
{
    const auto missing = missingForFeed(status, m_feedWasFree);
    m_feedWasFree = m_feedWasFree || missing.isEmpty();
    replace(Use::Feed, missing, now);
}

void PermissionTracker::replace(Use use, const QList<Missing> &missing, TimePoint now)
{
    forgetMissing([&](const Missing &known) {
        return known.use == use && std::ranges::none_of(missing, [&](const Missing &other) {
                   return isSame(other.refusal, known.refusal);
               });
    });
    for (const Missing &each : missing)
        add(each, now);
}

inspector::Target PermissionTracker::adapted(inspector::Target target) const
{
    target.without = m_refused;
    // TYPE tells whether it is of a type that can be read.
    if (target.type == KeyType::Unknown && m_refused.testFlag(Read::Hscan) &&
        m_refused.testFlag(Read::Getrange))
        target.type = KeyType::Other;
    return target;
}

void PermissionTracker::takeReplies(const inspector::Target &target, std::span<const Reply> replies,
                                    TimePoint now)
{
    size_t at = target.announced ? 1 : 0;
    for (const Read read : inspector::readsOf(target)) {
        const Reply &reply = replies[at++];
        if (!reply.isError() || reply.text.startsWith("WRONGTYPE")) {
            m_worked |= read;
            if (!m_missing.isEmpty())
                permit(read);
            continue;
        }
        const Error why = serverError(reply.text);
        if (why.kind != ErrorKind::NoPermission)
            continue;
        m_areOthersRefused = m_areOthersRefused || !m_names.contains(target.key.bytes);
        if (refusalFrom(why.detail).about != Refusal::About::Command)
            continue;
        m_refused |= read;
        add({Use::Read, refusalOf(inspector::commandName(read), why), why.detail, m_worked.testFlag(read)},
            now);
    }
}

void PermissionTracker::permit(Read read)
{
    const Refusal refusal{Refusal::About::Command, inspector::commandName(read)};
    const bool wasRefused = forgetMissing(
        [&](const Missing &known) { return known.use == Use::Read && isSame(known.refusal, refusal); });
    if (!wasRefused)
        return;
    m_refused.setFlag(read, false);
    for (auto key = m_keys.begin(); key != m_keys.end(); ++key) {
        if (key->by.testFlag(read))
            makeDue(*key, key.key());
    }
}

void PermissionTracker::makeDue(Key &key, const LockKey &name)
{
    if (!std::exchange(key.isDue, true))
        m_due.append(name);
}

void PermissionTracker::count(const Key &key, int sign)
{
    m_byKey += key.by ? 0 : sign;
    m_lost += key.isLock ? sign : 0;
    m_counted += key.isCounted() ? sign : 0;
}

void PermissionTracker::refuseKey(const inspector::Target &target, const Unread &unread, TimePoint now)
{
    const bool isByCommand = !unread.why || refusalFrom(unread.why->detail).about == Refusal::About::Command;
    Key key{isByCommand ? m_refused & neededFor(target.type) : Reads(), target.type, m_pass,
            unread.isThere ? m_pass : 0, unread.isLock};
    if (const auto known = m_keys.constFind(target.key); known != m_keys.cend()) {
        count(*known, -1);
        key.isLock = key.isLock || known->isLock;
        key.metIn = std::max(key.metIn, known->metIn);
    }
    if (!key.by)
        notePattern(target.key);
    count(key, 1);
    m_keys.insert(target.key, key);
    if (unread.why && !key.by) {
        m_keyRefusal = refusalFrom(unread.why->detail);
        m_keyRefusal.command = inspector::commandName(Read::Pttl); // which is asked first of each
        m_keySaid = unread.why->detail;
    }
    expectRetry(now);
}

bool PermissionTracker::permitKey(const LockKey &key)
{
    if (m_keys.isEmpty())
        return false;
    const auto known = m_keys.find(key);
    if (known == m_keys.end())
        return false;
    const bool wasRefusedItself = !known->by;
    remove(known);
    // Only a key of the retry tells that the permission for keys has changed, and once: or others would be tried again each
    // time that one of them is permitted.
    if (wasRefusedItself && m_probes.contains(key) && std::exchange(m_isTrying, false)) {
        for (auto other = m_keys.begin(); other != m_keys.end(); ++other) {
            if (!other->by)
                makeDue(*other, other.key());
        }
    }
    return true;
}

void PermissionTracker::remove(Keys::iterator key)
{
    count(*key, -1);
    m_keys.erase(key);
    noteEnd();
}

bool PermissionTracker::isRefused(const LockKey &key) const
{
    if (m_areOthersRefused && !m_names.contains(key.bytes))
        return true;
    if (m_keys.isEmpty())
        return false;
    const auto known = m_keys.constFind(key);
    return known != m_keys.cend() && !known->isDue;
}

QList<LockKey> PermissionTracker::takeDue()
{
    return std::exchange(m_due, {});
}

void PermissionTracker::meet(const LockKey &key)
{
    if (m_keys.isEmpty())
        return;
    const auto known = m_keys.find(key);
    if (known == m_keys.end())
        return;
    m_hasChanged = m_hasChanged || !known->isCounted();
    count(*known, -1);
    known->metIn = m_pass;
    count(*known, 1);
}

QList<LockKey> PermissionTracker::endPass(const std::function<bool(QByteArrayView name)> &meets)
{
    QList<LockKey> gone;
    const bool isAnyGone = forgetKeys([&](const LockKey &name, const Key &key) {
        if (key.metIn == m_pass || key.refusedIn == m_pass || !meets(name.bytes))
            return false;
        if (key.isLock)
            gone.append(name);
        return true;
    });
    if (isAnyGone)
        recomputePatterns();
    return gone;
}

TimePoint PermissionTracker::nextRetry() const
{
    return m_retryAt;
}

QList<inspector::Target> PermissionTracker::takeRetries(TimePoint now)
{
    m_retryAt = now + m_retryInterval;
    for (Entry &entry : m_missing)
        entry.isDue = true;
    QList<inspector::Target> targets;
    Reads untried = m_refused;
    for (auto key = m_keys.cbegin(); key != m_keys.cend() && untried; ++key) {
        const KeyType type = key->type == KeyType::Other ? KeyType::Unknown : key->type;
        if (key->by & untried & sentFor(type)) {
            targets.append({key.key(), type});
            untried &= ~sentFor(type);
        }
    }
    m_refused &= ~untried; // no key is at hand: the next one that needs them will tell
    chooseProbes();
    for (const LockKey &key : std::as_const(m_probes))
        targets.append({key, m_keys.value(key).type});
    m_isTrying = !m_probes.isEmpty();
    return targets;
}

/// Chooses mostly the same keys each time: the server then counts refusals instead of adding log entries.
/// They represent all kinds of names, since permissions depend on beginnings; one more takes turns.
void PermissionTracker::chooseProbes()
{
    m_steady.removeIf([this](const LockKey &key) {
        const auto known = m_keys.constFind(key);
        return known == m_keys.cend() || bool(known->by);
    });
    ProbeChoice choice;
    for (auto key = m_keys.cbegin(); key != m_keys.cend(); ++key) {
        if (!key->by && !m_steady.contains(key.key()))
            choice.add(key.key());
    }
    const bool areMore = m_byKey > maxProbes;
    const qsizetype most = maxProbes - (areMore ? 1 : 0);
    if (m_steady.size() < most)
        m_steady += choice.spread(most - m_steady.size());
    m_probes = QSet<LockKey>(m_steady.cbegin(), m_steady.cend());
    if (areMore)
        m_probes += choice.roving(m_retries++);
}

void PermissionTracker::expectRetry()
{
    m_areOthersRefused = false;
    if (m_retryAt != TimePoint::max())
        m_retryAt = {};
}

void PermissionTracker::retryAll(TimePoint now)
{
    m_areOthersRefused = false;
    if (m_retryAt == TimePoint::max()) // nothing is refused
        return;
    m_retryAt = now + m_retryInterval;
    m_refused = {};
    m_isTrying = false;
    for (Entry &entry : m_missing)
        entry.isDue = true;
    for (auto key = m_keys.begin(); key != m_keys.end(); ++key)
        makeDue(*key, key.key());
}

void PermissionTracker::notePattern(const LockKey &key)
{
    for (const QByteArray &pattern : m_names.globsOf(key.bytes)) {
        if (!m_matched.contains(pattern))
            m_matched.append(pattern);
    }
}

void PermissionTracker::recomputePatterns()
{
    m_matched.clear();
    const auto mayMatch = [this] {
        return m_names.discovers() || m_matched.size() < m_names.patterns().size();
    };
    for (auto key = m_keys.cbegin(); key != m_keys.cend() && mayMatch(); ++key) {
        if (!key->by)
            notePattern(key.key());
    }
}

PermissionStatus PermissionTracker::status() const
{
    PermissionStatus status;
    if (m_byKey > 0)
        status.missing.append({Use::Read, m_keyRefusal, m_keySaid, m_lost > 0});
    for (const Entry &entry : m_missing)
        status.missing.append(entry.missing);
    status.unreadable = m_counted;
    status.lost = m_lost;
    status.patterns = m_names.patterns();
    status.patterns.removeIf([this](const QByteArray &pattern) { return !m_matched.contains(pattern); });
    for (const QByteArray &usual : m_matched) {
        if (!status.patterns.contains(usual))
            status.patterns.append(usual);
    }
    status.retryInterval = m_retryInterval;
    return status;
}

} // namespace lockscope
