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

// Texts about families. Translated, except for product names.
QString describe(Family family);
/// The certainty of a family: "certain: …".
QString certaintyInWords(const Lock &lock);
/// The facts of an owner, one line each, as plain text; times are local.
QStringList describe(const OwnerFacts &facts);
/// The observed use by a client: "held", "tried", or its commands.
QString clientUseInWords(const ClientSighting &sighting);
/// "worker-1 (redis-py 5.0.1)"; without unknown parts.
QString clientNameInWords(const ClientSighting &sighting);
/// The candidates by the library of the holder's client; empty: none.
QString candidatesByClientsInWords(const QList<Family> &families);
/// "2"; "at least 1 (…)" if the client may count itself; the stored text if it is no number.
QString holdsInWords(const Lock &lock, const LockOwner &holder);
/// True if the content does not show the library: the behavior of owner and waiters is unknown.
bool isUnattributed(Family family);
/// Why a token says little about its holder, as a sentence; empty: it does not apply.
QString describe(WeakToken weak);
/// Possible families, with "or" before the last; empty: none.
QString candidatesInWords(const QList<Family> &candidates);
/// Possible families of a lock, with libraries that are no families yet.
QString candidatesOfLockInWords(const Lock &lock);
/// The evidence for a family: "content, lease, renewals seen"; empty: none.
QString evidenceInWords(EvidenceSet evidence);

QStringList usualNames(const FamilySpec &spec);
/// "built in", or the path of a user's file.
QString originOf(const FamilySpec &spec);
/// "Runbook: …", "Contact: …" from a family's file; may be empty. Plain text.
QStringList helpOf(Family family);
/// All properties of a family, one line each, as plain text.
QStringList detailsOf(Family family);

} // namespace lockscope
