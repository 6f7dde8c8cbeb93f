// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"

#include <QList>

#include <optional>

namespace lockscope {

struct Recognition
{
    Family family;
    QList<LockOwner> owners;
    Problems problems;
    LockKey attachedTo{}; ///< not empty: the key belongs to this lock and is not listed
    EvidenceSet evidence{};
    bool wasLeftBehind = false; ///< the stored time is longer ago than any usual hold
};

/// Recognizes the family and the owners of a stored key. Pure. `ttl`: absent without expiry. `nowMs`, epoch
/// ms, is for tokens that carry a time and need not be exact to the day.
Recognition recognize(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                      qint64 nowMs);

/// Sets the family, owners and problems of a lock whose deadline is set.
void takeRecognition(Lock &lock, const Recognition &found);
/// Sets the family of a lock, and whether having no expiry is a problem.
void setFamily(Lock &lock, Family family);

/// Sets the family of a lock by all its evidence (companions, subscribers, what was observed) if its content
/// leaves it open. Pure; idempotent.
void nameByEvidence(Lock &lock, qint64 nowMs);

/// The possible families of an ambiguous lock, the most usual first; empty if the family is known. Pure.
QList<Family> candidatesOf(const Lock &lock);
/// The candidates that are built on such a client library ("redis-py", "go-redis(,go1.22)"). Pure.
QList<Family> candidatesOf(const Lock &lock, QByteArrayView clientLibrary);
/// Names of the candidates for JSON, including libraries that are no families yet.
QByteArrayList candidateNames(const Lock &lock);

/// The hash field of this holder: the owner with what the family adds to it.
QByteArray storedField(const LockOwner &holder, Family family);

} // namespace lockscope
