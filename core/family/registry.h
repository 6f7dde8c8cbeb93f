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

/// By index: the built-in families, sorted by name, then the user's.
extern const FamilySpec *const *familySpecs;
/// Adds families; they replace those of the same name. Called before any family is looked up; the specs must
/// live as long as the program.
void addFamilies(std::span<const FamilySpec *const> specs);

/// The spec of a family. Inline: recognition calls it many times per key.
inline const FamilySpec &specOf(Family family)
{
    return *familySpecs[family.index()];
}
Family familyOf(const FamilySpec &spec);
bool isOf(const Lock &lock, const FamilySpec &spec);
/// The effect of a forced expiry on the owner.
OwnerImpact impactOf(const Lock &lock);
/// All families, the unknown one first.
const QList<Family> &allFamilies();

/// The name for JSON, the command line and settings. Never translated.
QByteArray familyName(Family family);
std::optional<Family> familyFromName(QByteArrayView name);

/// A built-in family by its name; does not load the user's.
std::optional<Family> builtInFamily(QByteArrayView name);

/// The family of strings that several libraries may have written.
Family plainToken();
Family countedHash();

/// True for a number whose family only companions and subscribers can show.
bool isBareNumber(const Lock &lock);

/// True if a lock of this family without expiry is a problem, and not the library's default.
inline bool needsExpiry(Family family)
{
    return !specOf(family).canLackExpiry;
}

/// File-defined families with keys of this type, by the usual names of their locks.
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

// True if a key of such a type can be of the family at all.
bool keepsStrings(const FamilySpec &spec);
bool keepsHashes(const FamilySpec &spec);
bool keepsSortedSets(const FamilySpec &spec);
bool keepsSets(const FamilySpec &spec);

// The match of a family with a content of a type that it keeps.
std::optional<StringMatch> matchOf(const FamilySpec &spec, const StringValue &string, IsUsual isUsual = {});
std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual = {});
std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const SortedSetValue &set, IsUsual isUsual = {});
std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const SetValue &set, IsUsual isUsual = {});

/// Families with a match for a content under any name, in the order of their names.
std::span<const Family> familiesOfString(TokenFormat format);
/// Families that such a string may be of, whatever its name and without a family rule.
std::span<const Family> provableOfString(TokenFormat format);
std::span<const Family> familiesOfHash(FieldFormat format);
/// Families that declare this member, or for which this predicate is true:
/// familiesWith<&FamilySpec::unlockChannel>().
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
inline const QList<Family> &familiesWithCompanions()
{
    return familiesWith<keepsCompanions>();
}

} // namespace lockscope
