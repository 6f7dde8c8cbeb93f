// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/forms.h"
#include "core/family/nameindex.h"
#include "core/family/spec.h"

#include <QByteArray>
#include <QList>

#include <functional>
#include <span>

namespace lockscope {

/// By index: those that are built in, in the order of their names, then a user's.
extern const FamilySpec *const *familySpecs;
/// Adds families, or puts them in the place of those of the same name. Before any is asked for; the specs live as long as the
/// program.
void addFamilies(std::span<const FamilySpec *const> specs);

/// What is known of a family. Recognition asks it many times a key, so it is inline.
inline const FamilySpec &specOf(Family family)
{
    return *familySpecs[family.index()];
}
/// The family that a file declares.
Family familyOf(const FamilySpec &spec);
bool isOf(const Lock &lock, const FamilySpec &spec);
/// What becomes of its owner if it is ended by force.
OwnerImpact impactOf(const Lock &lock);
/// All of them, the unknown one first.
const QList<Family> &allFamilies();

/// As programs read it. Never translated.
QByteArray familyName(Family family);
std::optional<Family> familyFromName(QByteArrayView name);

/// The same of those that are built in alone; asks nothing that would name the others.
std::optional<Family> builtInFamily(QByteArrayView name);

/// A string, or a counted hash, that several libraries may have written.
Family plainToken();
Family countedHash();

/// A number that may be anybody's: only companions and listeners tell of what.
bool isBareNumber(const Lock &lock);

/// Whether a lock of this family that never ends by itself is a fault, and not what its users get by default.
inline bool needsExpiry(Family family)
{
    return !specOf(family).canLackExpiry;
}

/// Those that are data and keep such a type, by the names that their locks usually have.
template <KeyType Type>
const NameIndex &namedFamilies()
{
    static const NameIndex index = [] {
        NameIndex names;
        for (const Family family : allFamilies()) {
            if (!hasForm(specOf(family), Type))
                continue;
            for (const char *glob : specOf(family).usualNames)
                names.add(glob, family);
        }
        return names;
    }();
    return index;
}

// Whether what such a type holds can be of a family at all.
bool keepsStrings(const FamilySpec &spec);
bool keepsHashes(const FamilySpec &spec);
bool keepsSortedSets(const FamilySpec &spec);
bool keepsSets(const FamilySpec &spec);

// What a family makes of a content: it keeps such a type.
std::optional<StringMatch> matchOf(const FamilySpec &spec, const StringValue &string, IsUsual isUsual = {});
std::optional<Holding> matchOf(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual = {});
std::optional<Holding> matchOf(const FamilySpec &spec, const SortedSetValue &set, IsUsual isUsual = {});
std::optional<Holding> matchOf(const FamilySpec &spec, const SetValue &set, IsUsual isUsual = {});

/// Those that have something to say of a content under any name, in the order of their own names.
std::span<const Family> familiesOfString(TokenFormat format); ///< which it may be
/// Which it may be, whatever its name, without a rule of the user.
std::span<const Family> provableOfString(TokenFormat format);
std::span<const Family> familiesOfHash(FieldFormat format);
/// Those that declare this: familiesWith<&FamilySpec::unlockChannel>(); or of which it is true.
template <auto Declared>
const QList<Family> &familiesWith()
{
    static const QList<Family> found = [] {
        QList<Family> list;
        for (const Family family : allFamilies()) {
            if (std::invoke(Declared, specOf(family)))
                list.append(family);
        }
        return list;
    }();
    return found;
}
inline bool keepsCompanions(const FamilySpec &spec)
{
    return spec.companions.mayHave != nullptr;
}
/// Those that keep something beside their locks.
inline const QList<Family> &familiesWithCompanions()
{
    return familiesWith<keepsCompanions>();
}

} // namespace lockscope
