// SPDX-License-Identifier: GPL-3.0-or-later
// A string that several libraries may have written, or a home-made lock.
#include "core/family/contentkind.h"
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QVariant>

namespace lockscope {

namespace {

/// Facts in the JSON object of a home-made lock.
OwnerFacts recordFacts(const QByteArray &owner)
{
    OwnerFacts facts;
    facts.isRecord = true;
    const QJsonObject object = QJsonDocument::fromJson(owner).object();
    for (auto field = object.begin(); field != object.end(); ++field) {
        const QByteArray value = field->toVariant().toString().toUtf8();
        switch (recordField(field.key().toUtf8())) {
        case RecordField::Owner:
            facts.client = value;
            break;
        case RecordField::Host:
            facts.host = value;
            break;
        case RecordField::Process:
            facts.process = value;
            break;
        case RecordField::Thread:
            facts.thread = value;
            break;
        case RecordField::Time:
        case RecordField::Nothing:
            break;
        }
    }
    return facts;
}

OwnerFacts ownerFacts(const LockKey &key, const OwnerId &owner)
{
    // Else it may be a redis-py lock that is older than recognition trusts.
    return owner.bytes.startsWith('{') ? recordFacts(owner.bytes) : uuid1Owner(key, owner);
}

} // namespace

constinit const FamilySpec families::token{
    .name = "token",
    .noun = QT_TRANSLATE_NOOP("phrases", "token lock"),
    .stored = "string; several libraries write it alike, so candidates are listed",
    .ownerImpact = OwnerImpact::Unknown,
    .hasGenericContent = true,
    .clientMayCount = true,
    .ownerFacts = ownerFacts,
    .offer = QT_TRANSLATE_NOOP("phrases", "token: a string; not re-entrant"),
    .wakeEffect = QT_TRANSLATE_NOOP(
        "phrases", "No wake-up is sent: the library is unknown. Polling clients find the lock free."),
};

} // namespace lockscope
