// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/model/lock.h"
#include "core/watch/clientsighting.h"

#include <QString>
#include <QStringList>

namespace lockscope {

// What people read of families. Translated, but for the names of products.
/// As people call it.
QString describe(Family family);
/// How far the family is proved: "certain: …".
QString describe(Certainty certainty);
/// What an owner tells, a line each, ready to show as plain text; times are local.
QStringList describe(const OwnerFacts &facts);
/// What a client was seen to do: "held", "tried", or with which commands it used the key.
QString clientUseInWords(const ClientSighting &sighting);
/// "worker-1 (redis-py 5.0.1)"; without what is not known.
QString clientNameInWords(const ClientSighting &sighting);
/// Which the library of the holder's client speaks for; empty where there are none.
QString candidatesByClientsInWords(const QList<Family> &families);
/// "2"; "at least 1 (…)" where the client may count itself; what is stored where that is no count.
QString holdsInWords(const Lock &lock, const LockOwner &holder);
/// Nothing stored says which library or algorithm wrote such a lock, so what its owner and waiters do is not known.
bool isUnattributed(Family family);
/// Why a token tells little of its holder, as a sentence; empty where it does not.
QString describe(WeakToken weak);
/// The kinds of lock that it may be, with "or" before the last; empty where there are none.
QString candidatesInWords(const QList<Family> &candidates);
/// The same for those of a lock, with libraries that are no families yet.
QString candidatesOfLockInWords(const Lock &lock);
/// "content, lease, renewals seen": what a family's name rests on; empty where on nothing.
QString evidenceInWords(EvidenceSet evidence);

/// The globs of the names that a family's locks usually have.
QStringList usualNames(const FamilySpec &spec);
/// "built in", or the file of a user's own.
QString originOf(const FamilySpec &spec);
/// "Runbook: …", "Contact: …", as a family's file says for those on call; empty where it says nothing. Ready to show as plain text.
QStringList helpOf(Family family);
/// All that is known of a family, a line each, ready to show as plain text.
QStringList detailsOf(Family family);

} // namespace lockscope
