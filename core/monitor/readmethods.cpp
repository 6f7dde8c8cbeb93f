// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readmethods.h"

namespace lockscope {

namespace {

/// Unknown for a string without a token: it may be empty, which GETRANGE also returns for a missing key.
KeyType typeToAsk(const Lock &lock)
{
    return lock.type == KeyType::String && lock.family.isUnknown() ? KeyType::Unknown : lock.type;
}

} // namespace

void ReadMethods::connectionBegan()
{
    m_types.clear();
    m_fields.clear();
    m_absent.clear();
    m_fieldLeases = FieldLeases::NotThere;
}

inspector::Target ReadMethods::targetOf(const LockKey &key, bool isAnnounced, const WatchedLock *known) const
{
    inspector::Target target{key, KeyType::Unknown, isAnnounced, m_fieldLeases};
    if (const auto type = m_types.constFind(key);
        type != m_types.cend()) { // what is kept of it may be of another type
        target.type = *type;
    } else if (known) {
        target.type = typeToAsk(known->lock);
        if (m_fieldLeases == FieldLeases::Told)
            target.fields = fieldlease::fieldsOf(known->lock);
    }
    if (const auto fields = m_fields.constFind(key); fields != m_fields.cend()) {
        target.type = KeyType::Hash;
        target.fields = *fields;
    }
    return target;
}

bool ReadMethods::addFields(const LockKey &key, const QByteArrayList &fields)
{
    if (m_fields.contains(key))
        return false;
    m_fields.insert(key, fields);
    return true;
}

void ReadMethods::setType(const LockKey &key, KeyType type)
{
    m_types.insert(key, type);
    m_fields.remove(key); // of the hash that it was
}

void ReadMethods::readingDone(const LockKey &key, bool isAbsent)
{
    m_tooBig.remove(key);
    m_types.remove(key);
    m_fields.remove(key);
    if (isAbsent && canAnnounce(false))
        m_absent.insert(key);
}

} // namespace lockscope
