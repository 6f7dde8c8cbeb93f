// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/registry.h"

#include "core/family/familytable.h"
#include "core/family/forms.h"
#include "core/model/lock.h"

#include <QHash>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr int formats = 32;

/// For each format the families that pass `test`.
template <typename Format, typename Test>
std::array<QList<Family>, formats> byFormat(FormatSet<Format> FamilySpec::*claims, Test test)
{
    std::array<QList<Family>, formats> table;
    for (const Family family : allFamilies()) {
        for (int i = 0; i < formats; ++i) {
            const auto format = static_cast<Format>(i);
            const FamilySpec &spec = specOf(family);
            if ((spec.*claims).contains(format) && test(spec, format))
                table.at(static_cast<size_t>(i)).append(family);
        }
    }
    return table;
}

/// True if content and name may prove the family; others need a rule, companions or watching.
bool isProvable(const FamilySpec &spec)
{
    constexpr EvidenceSet most{Evidence::Content, Evidence::Name, Evidence::Lease, Evidence::Renewals};
    return spec.proof.certain.areMetBy(most) || spec.proof.likely.areMetBy(most);
}

} // namespace

constinit const FamilySpec *const *familySpecs = familyTable.data();

namespace {

constinit size_t familyCount = familyTable.size();
static_assert(familyTable.size() < Family::most);

std::span<const FamilySpec *const> allSpecs()
{
    return {familySpecs, familyCount};
}

} // namespace

void addFamilies(std::span<const FamilySpec *const> specs)
{
    static std::vector<const FamilySpec *> table;
    table.assign(allSpecs().begin(), allSpecs().end());
    for (const FamilySpec *spec : specs) {
        const auto same = std::ranges::find_if(
            table, [spec](const FamilySpec *other) { return qstrcmp(other->name, spec->name) == 0; });
        if (same != table.end())
            *same = spec;
        else if (table.size() < Family::most)
            table.push_back(spec);
    }
    familySpecs = table.data();
    familyCount = table.size();
}

bool isOf(const Lock &lock, const FamilySpec &spec)
{
    return &specOf(lock.family) == &spec;
}

OwnerImpact impactOf(const Lock &lock)
{
    const FamilySpec &spec = specOf(lock.family);
    const bool isUnchecked = spec.isReleasedUnchecked && spec.isReleasedUnchecked(lock.key().bytes);
    return isUnchecked ? OwnerImpact::DeletesNextLock : spec.ownerImpact;
}

Family familyOf(const FamilySpec &spec)
{
    const std::span<const FamilySpec *const> all = allSpecs();
    return Family(static_cast<int>(std::ranges::find(all, &spec) - all.begin()));
}

const QList<Family> &allFamilies()
{
    static const QList<Family> all = [] {
        QList<Family> list;
        for (int i = 0; i < static_cast<int>(familyCount); ++i)
            list.append(Family(i));
        return list;
    }();
    return all;
}

QByteArray familyName(Family family)
{
    return specOf(family).name;
}

std::optional<Family> familyFromName(QByteArrayView name)
{
    // A recording of a hundred thousand locks asks as often.
    static const QHash<QByteArrayView, Family> known = [] {
        QHash<QByteArrayView, Family> byName;
        for (const Family family : allFamilies())
            byName.insert(specOf(family).name, family);
        return byName;
    }();
    const auto found = known.constFind(name);
    return found == known.cend() ? std::nullopt : std::optional(*found);
}

std::optional<Family> builtInFamily(QByteArrayView name)
{
    const auto found =
        std::ranges::find_if(familyTable, [name](const FamilySpec *spec) { return name == spec->name; });
    return found == familyTable.end() ? std::nullopt
                                      : std::optional(Family(static_cast<int>(found - familyTable.begin())));
}

Family plainToken()
{
    static const Family family = familyOf(families::token);
    return family;
}

Family countedHash()
{
    static const Family family = familyOf(families::reentrant);
    return family;
}

bool isBareNumber(const Lock &lock)
{
    return specOf(lock.family).hasGenericContent && lock.type != KeyType::Hash && lock.owners.size() == 1 &&
           isCount(lock.owners.front().owner.bytes);
}

bool keepsStrings(const FamilySpec &spec)
{
    return spec.matchString || hasForm(spec, KeyType::String);
}

bool keepsHashes(const FamilySpec &spec)
{
    return spec.matchHash || hasForm(spec, KeyType::Hash);
}

bool keepsSortedSets(const FamilySpec &spec)
{
    return spec.matchSortedSet || hasForm(spec, KeyType::SortedSet);
}

bool keepsSets(const FamilySpec &spec)
{
    return spec.matchSet || hasForm(spec, KeyType::Set);
}

std::optional<StringMatch> matchOf(const FamilySpec &spec, const StringValue &string, IsUsual isUsual)
{
    return spec.forms ? matchForms(spec, string, isUsual) : spec.matchString(string);
}

std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const HashValue &hash, IsUsual isUsual)
{
    return spec.forms ? matchForms(spec, hash, isUsual) : spec.matchHash(hash);
}

std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const SortedSetValue &set, IsUsual isUsual)
{
    return spec.forms ? matchForms(spec, set, isUsual) : spec.matchSortedSet(set);
}

std::optional<OwnersMatch> matchOf(const FamilySpec &spec, const SetValue &set, IsUsual isUsual)
{
    return spec.forms ? matchForms(spec, set, isUsual) : spec.matchSet(set);
}

std::span<const Family> familiesOfString(TokenFormat format)
{
    static const auto table = byFormat(
        &FamilySpec::strings, [](const FamilySpec &spec, TokenFormat) { return keepsStrings(spec); });
    return table.at(static_cast<size_t>(format));
}

std::span<const Family> provableOfString(TokenFormat format)
{
    static const auto table = byFormat(&FamilySpec::strings, [](const FamilySpec &spec, TokenFormat as) {
        return keepsStrings(spec) && isProvable(spec) && (!spec.forms || spec.forms->anywhere.contains(as));
    });
    return table.at(static_cast<size_t>(format));
}

std::span<const Family> familiesOfHash(FieldFormat format)
{
    static const auto table =
        byFormat(&FamilySpec::fields, [](const FamilySpec &spec, FieldFormat) { return keepsHashes(spec); });
    return table.at(static_cast<size_t>(format));
}

} // namespace lockscope
