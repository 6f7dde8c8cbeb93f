// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/family/family.h"
#include "core/lock/family/ownerfacts.h"

#include <QString>
#include <QStringList>

namespace lockscope {

// What people read of families. Translated, but for the names of products.
/// "Redisson fair lock", "token lock".
QString describe(Family family);
/// How far the family is proved: "certain: …".
QString describe(Certainty certainty);
/// What an owner tells, a line each, ready to show as plain text; times are local.
QStringList describe(const OwnerFacts &facts);
/// "RedLock.net distributed lock or pottery Redlock"; empty where there are none.
QString candidatesInWords(const QList<Family> &candidates);
/// The same for those of a lock, with libraries that are no families yet.
QString candidatesOfLockInWords(const Lock &lock);
/// "content, lease, renewals seen": what a family's name rests on; empty where on nothing.
QString evidenceInWords(EvidenceSet evidence);

} // namespace lockscope
