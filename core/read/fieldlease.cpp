// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/fieldlease.h"

#include "core/family/recognize.h"
#include "core/family/registry.h"

#include <algorithm>
#include <utility>

namespace lockscope::fieldlease {

void appendQuestion(CommandBatch &batch)
{
    batch.add({"COMMAND", "INFO", "HPTTL"});
}

FieldLeases answerIn(const Reply &reply)
{
    // One that may not ask for the command may well be allowed to use it: that shows when it is used.
    if (!reply.isArray() || reply.elements.empty())
        return FieldLeases::Told;
    return reply.elements.front().isArray() ? FieldLeases::Told : FieldLeases::NotThere;
}

FieldLeases answerExpectedOf(const ServerInfo &server)
{
    const bool isTooOld =
        server.name == "redis" && server.major > 0 && std::pair(server.major, server.minor) < std::pair(7, 4);
    return isTooOld ? FieldLeases::NotThere : FieldLeases::Unknown;
}

QByteArrayList fieldsOf(const Lock &lock)
{
    QByteArrayList fields;
    if (lock.type != KeyType::Hash || lock.family.isUnknown() || !specOf(lock.family).ownersAreFields)
        return fields;
    for (const LockOwner &holder : lock.owners)
        fields.append(storedField(holder, lock.family));
    return fields;
}

void append(CommandBatch &batch, const LockKey &key, const QByteArrayList &fields)
{
    const QByteArray count = QByteArray::number(fields.size());
    std::vector<QByteArrayView> command{"HPTTL", key.bytes, "FIELDS", count};
    command.insert(command.end(), fields.begin(), fields.end());
    batch.add(command);
}

bool take(Lock &lock, const QByteArrayList &fields, const Reply &reply, TimePoint asked, TimePoint heard)
{
    if (reply.isError()) {
        if (reply.text.startsWith("NOPERM"))
            setNotKnown(lock);
        return true;
    }
    if (!reply.isArray() || reply.elements.size() != static_cast<size_t>(fields.size()))
        return true;
    qint64 last = 0;
    for (const QByteArray &field : fieldsOf(lock)) {
        const qsizetype at = fields.indexOf(field);
        if (at < 0)
            return false;
        const qint64 left = reply.elements[static_cast<size_t>(at)].integer;
        if (left == -1) // this one stays
            return true;
        last = std::max(last, left);
    }
    if (last <= 0 || (lock.ttl && lock.ttl->count() <= last))
        return true;
    lock.leaseOf = LeaseOf::Fields;
    lock.ttl = milliseconds(last);
    lock.deadline = Deadline::fromPttl(*lock.ttl, asked, heard);
    return true;
}

void setNotKnown(Lock &lock)
{
    if (lock.ttl) // it ends then at the latest
        return;
    lock.leaseOf = LeaseOf::Unknown;
    lock.problems.setFlag(Problem::NoExpiry, false);
}

} // namespace lockscope::fieldlease
