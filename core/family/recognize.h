// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"

#include <QList>

#include <optional>

namespace lockscope {

/// What recognize() concluded.
struct Recognition
{
    Family family;
    QList<LockOwner> owners;
    Problems problems;
    LockKey attachedTo{}; ///< not empty: this is no lock but belongs to that one, and is not to be listed
    EvidenceSet evidence{};
    bool wasLeftBehind = false; ///< its owner wrote a time that is longer ago than any usual hold
};

/// Names the family that stored this content under this name, and who holds it. Pure. `ttl`: absent where there is no
/// expiry. `nowMs`, epoch ms, is for tokens that carry a time; a day more or less changes nothing.
Recognition recognize(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                      qint64 nowMs);

/// Names a lock by what was recognized in it. Its deadline is known.
void takeRecognition(Lock &lock, const Recognition &found);
/// Gives a lock another family, and says whether it is a fault that it has no expiry.
void setFamily(Lock &lock, Family family);

/// What stands beside a lock, who listens on its channels and what was seen of it is evidence too: names its family by all
/// of it, where its content alone leaves it open. Pure; done again, it changes nothing.
void nameByEvidence(Lock &lock, qint64 nowMs);

/// Which families an ambiguous lock may be of, the most usual first; empty where the family is known. Pure.
QList<Family> candidatesOf(const Lock &lock);
/// Of these, those that are built on such a client library ("redis-py", "go-redis(,go1.22)"). Pure.
QList<Family> candidatesOf(const Lock &lock, QByteArrayView clientLibrary);
/// The same with the libraries that are no families yet, as programs read them.
QByteArrayList candidateNames(const Lock &lock);

/// The field under which a hash keeps this holder: with what the family adds to the owner.
QByteArray storedField(const LockOwner &holder, Family family);

} // namespace lockscope
