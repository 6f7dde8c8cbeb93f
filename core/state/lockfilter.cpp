// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/lockfilter.h"

#include "core/base/foldedsearch.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/filterfields.h"
#include "core/state/severity.h"

#include <algorithm>

namespace lockscope {

namespace {

/// "held, renewed, …"
QString valuesOf(const char *token)
{
    return QString::fromLatin1(fixedValues(token).join(", "));
}

tl::unexpected<Phrase> needsValue(const QByteArray &token)
{
    return tl::unexpected(
        Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” needs a value."), QString::fromLatin1(token)));
}

/// "10s", "1.5m", "250ms", "3" (seconds).
std::optional<milliseconds> parseDuration(QByteArrayView text)
{
    struct Unit
    {
        const char *name;
        double ms;
    };
    constexpr Unit units[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}, {"", 1e3}};
    for (const Unit &unit : units) {
        if (!text.endsWith(unit.name))
            continue;
        bool ok = false;
        const double value = text.chopped(QByteArrayView(unit.name).size()).toDouble(&ok);
        if (!ok || !(value >= 0) || value * unit.ms > static_cast<double>(Lease::longest.count()))
            return std::nullopt;
        return milliseconds(static_cast<qint64>(value * unit.ms));
    }
    return std::nullopt;
}

/// Null without a cluster: then no lock matches.
std::shared_ptr<const SlotSet> slotsOfNodes(const ClusterStatus &cluster,
                                            const std::function<bool(const QString &name)> &isSought)
{
    auto slotSet = std::make_shared<SlotSet>();
    for (size_t slot = 0; cluster.isCluster() && slot < slotCount; ++slot) {
        const int node = (*cluster.keepers)[slot];
        if (node >= 0 && node < cluster.nodes.size() && isSought(cluster.nodes[node].name))
            slotSet->set(slot);
    }
    return slotSet;
}

} // namespace

bool LockFilter::Term::operator==(const Term &other) const
{
    const bool areSameSlots =
        slotSet == other.slotSet || (slotSet && other.slotSet && *slotSet == *other.slotSet);
    return areSameSlots && keys == other.keys && field == other.field && negated == other.negated &&
           match == other.match && needle == other.needle && clients == other.clients &&
           value == other.value && takesLess == other.takesLess && takesEqual == other.takesEqual &&
           takesMore == other.takesMore && bound == other.bound;
}

tl::expected<LockFilter, Phrase> LockFilter::parse(const QString &text, const ClientsCalled &called,
                                                   const ClusterStatus &cluster)
{
    LockFilter filter;
    for (const FilterWord &word : filterWords(text)) {
        const auto one = parse(word, called, cluster);
        if (!one)
            return one;
        filter &= *one;
    }
    return filter;
}

tl::expected<LockFilter, Phrase> LockFilter::parse(const FilterWord &word, const ClientsCalled &called,
                                                   const ClusterStatus &cluster)
{
    if (!word.isClosed)
        return tl::unexpected(Phrase(QT_TRANSLATE_NOOP("phrases", "A quotation mark is not closed.")));
    LockFilter filter;
    if (word.positive().isEmpty())
        return filter;
    auto term = parseTerm(word);
    if (!term)
        return tl::unexpected(term.error());
    const auto isCalled = [&term](const QString &name) { return term->isCalled(name); };
    if (called && term->match != Match::Exact && (term->field == Field::Any || term->field == Field::Owner))
        term->clients = called(isCalled);
    if (term->field == Field::Node)
        term->slotSet = slotsOfNodes(cluster, isCalled);
    filter.m_terms.append(std::move(*term));
    return filter;
}

LockFilter LockFilter::ofKeys(const QSet<LockKey> &keys)
{
    LockFilter filter;
    Term term;
    term.field = Field::Keys;
    term.keys = std::make_shared<const QSet<LockKey>>(keys);
    filter.m_terms.append(term);
    return filter;
}

bool LockFilter::isOfKeysAlone() const
{
    return std::ranges::all_of(m_terms, [](const Term &term) { return term.field == Field::Keys; });
}

bool LockFilter::admits(const LockKey &key) const
{
    return std::ranges::all_of(m_terms, [&key](const Term &term) { return term.keys->contains(key); });
}

LockFilter &LockFilter::operator&=(const LockFilter &other)
{
    m_terms += other.m_terms;
    return *this;
}

tl::expected<LockFilter::Term, Phrase> LockFilter::parseTerm(const FilterWord &typed)
{
    Term term;
    term.negated = typed.isNegated();
    const QByteArray exact = typed.positive();
    QByteArray word = exact;
    std::transform(word.begin(), word.end(), word.begin(), lowerAscii);
    term.needle = word;
    if (typed.quoted)
        return term;

    for (const auto &[prefix, field] : {std::pair("ttl", Field::Ttl), std::pair("held", Field::Held),
                                        std::pair("waiters", Field::Waiters)}) {
        if (!word.startsWith(prefix))
            continue;
        const QByteArrayView rest = QByteArrayView(word).sliced(QByteArrayView(prefix).size());
        const bool isEqual = field == Field::Waiters && rest.startsWith('=');
        if (!rest.startsWith('<') && !rest.startsWith('>') && !isEqual)
            continue;
        term.field = field;
        return parseComparison(term, word, rest);
    }

    for (const auto &[name, field] :
         {std::pair("key", Field::Key), std::pair("owner", Field::Owner), std::pair("node", Field::Node)}) {
        const qsizetype size = QByteArrayView(name).size();
        if (!word.startsWith(name) || (word.mid(size, 1) != ":" && word.mid(size, 1) != "="))
            continue;
        term.field = field;
        const bool isExact = word[size] == '=';
        return parseText(term, word.left(size + 1), (isExact ? exact : word).mid(size + 1));
    }
    const qsizetype colon = word.indexOf(':');
    const QByteArray name = word.left(std::max<qsizetype>(colon, 0));
    const bool known = name == "family" || name == "state" || name == "problem" || name == "no-expiry";
    return known ? parseNamed(term, name, word.mid(colon + 1)) : term;
}

/// `head`: "owner:" or "owner=".
tl::expected<LockFilter::Term, Phrase> LockFilter::parseText(Term term, const QByteArray &head,
                                                             const QByteArray &value)
{
    if (value.isEmpty())
        return needsValue(head);
    term.needle = value;
    if (head.endsWith('=')) {
        const auto bytes = unescaped(value);
        if (!bytes)
            return tl::unexpected(Phrase(
                QT_TRANSLATE_NOOP(
                    "phrases", "“%1”: a backslash escapes nothing. Write \\\\ for it, and \\xNN for a byte."),
                printable(value, 40)));
        term.match = Match::Exact;
        term.needle = *bytes;
    } else if (value.contains('*')) {
        term.match = Match::Glob;
        term.needle = escapedGlob(value).replace("\\*", "*");
    }
    return term;
}

/// `comparison`: the text after the field's name: ">=5m".
tl::expected<LockFilter::Term, Phrase> LockFilter::parseComparison(Term term, const QByteArray &word,
                                                                   QByteArrayView comparison)
{
    const bool orEqual = comparison.sliced(1).startsWith('=');
    term.takesLess = comparison.front() == '<';
    term.takesMore = comparison.front() == '>';
    term.takesEqual = orEqual || comparison.front() == '=';
    const QByteArrayView value = comparison.sliced(orEqual ? 2 : 1);
    term.needle.clear();
    if (term.field == Field::Waiters) {
        bool ok = false;
        term.bound = milliseconds(value.toUInt(&ok));
        if (!ok)
            return tl::unexpected(
                Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” needs a number, such as waiters>=2."),
                       printable(word, 40)));
        return term;
    }
    const auto bound = parseDuration(value);
    if (!bound)
        return tl::unexpected(
            Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” needs a time, such as 10s, 500ms, 5m or 2h."),
                   printable(word, 40)));
    term.bound = *bound;
    return term;
}

tl::expected<LockFilter::Term, Phrase> LockFilter::parseNamed(Term term, const QByteArray &name,
                                                              const QByteArray &value)
{
    if (value.isEmpty())
        return needsValue(name + ':');
    term.needle.clear();
    if (name == "family") {
        const auto family = familyFromName(value);
        if (!family)
            return tl::unexpected(
                Phrase(QT_TRANSLATE_NOOP("phrases", "No family is called “%1”. See the Family column."),
                       printable(value, 40)));
        term.field = Field::Family;
        term.value = family->index();
    } else if (name == "state") {
        const auto state = stateName.valueOf(value);
        if (!state)
            return tl::unexpected(Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” is unknown. Try %2."),
                                         printable(value, 40), valuesOf("state:")));
        term.field = Field::State;
        term.value = static_cast<int>(*state);
    } else if (name == "no-expiry") {
        const auto level = value == "any" ? NoExpiry::None : noExpiryName.valueOf(value);
        if (!level)
            return tl::unexpected(Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” is unknown. Try %2."),
                                         printable(value, 40), valuesOf("no-expiry:")));
        term.field = Field::NoExpiry;
        term.value = static_cast<int>(*level);
    } else if (value == "any") {
        term.field = Field::AnyProblem;
    } else if (value == "stalled") {
        term.field = Field::State;
        term.value = static_cast<int>(LockState::Stalled);
    } else if (value == "unusual") {
        term.field = Field::Unusual;
    } else {
        const auto problem = problemName.valueOf(value);
        if (!problem)
            return tl::unexpected(Phrase(QT_TRANSLATE_NOOP("phrases", "“%1” is unknown. Try %2."),
                                         printable(value, 40), valuesOf("problem:")));
        term.field = Field::Problem;
        term.value = static_cast<int>(*problem);
    }
    return term;
}

bool LockFilter::Term::isAllOf(const QByteArray &bytes) const
{
    return match == Match::Glob ? globMatches(needle, bytes.toLower()) : bytes == needle;
}

bool LockFilter::Term::isCalled(const QString &name) const
{
    const QString sought = QString::fromUtf8(needle);
    if (match == Match::Glob)
        return globMatches(sought.toLower().toUtf8(), name.toLower().toUtf8());
    return match == Match::Exact ? name == sought : name.contains(sought, Qt::CaseInsensitive);
}

bool LockFilter::Term::matchesKey(const Lock &lock) const
{
    return match == Match::Part ? containsFolded(lock.key().bytes, needle) : isAllOf(lock.key().bytes);
}

bool LockFilter::Term::matchesOwner(const Lock &lock) const
{
    const auto isIn = [&lock](const QByteArray &part) {
        return ownersContain(lock.family, lock.owners, part);
    };
    const bool hasPermits = specOf(lock.family).ownersAreBytes;
    const auto isOne = [&](const LockOwner &owner) {
        return isAllOf(owner.owner.bytes) || (hasPermits && isAllOf(owner.owner.bytes.toHex()));
    };
    return (match == Match::Part ? isIn(needle) : std::ranges::any_of(lock.owners, isOne)) ||
           std::ranges::any_of(clients, isIn);
}

bool LockFilter::Term::matches(const WatchedLock &watched, TimePoint now) const
{
    const Lock &lock = watched.lock;
    const auto compare = [this](milliseconds time) {
        return time < bound ? takesLess : time > bound ? takesMore : takesEqual;
    };
    switch (field) {
    case Field::Any:
        return containsFolded(lock.key().bytes, needle) || matchesOwner(lock);
    case Field::Key:
        return matchesKey(lock);
    case Field::Owner:
        return matchesOwner(lock);
    case Field::Family:
        return lock.family.index() == value;
    case Field::State:
        return static_cast<int>(stateOf(watched, now)) == value;
    case Field::Problem:
        return watched.problems().testFlag(static_cast<Problem>(value));
    case Field::AnyProblem:
        return watched.problems() != Problems() || stateOf(watched, now) == LockState::Stalled ||
               isUnusuallyLong(watched, now);
    case Field::Unusual:
        return isUnusuallyLong(watched, now);
    case Field::NoExpiry: { // None stands for any of the others
        const NoExpiry level = noExpiryOf(lock);
        return level != NoExpiry::None && (value == 0 || static_cast<int>(level) == value);
    }
    case Field::Ttl:
        return compare(lock.deadline ? lock.deadline->remaining(now) : milliseconds::max());
    case Field::Held:
        return watched.heldSince != TimePoint::max() &&
               compare(std::chrono::duration_cast<milliseconds>(now - watched.heldSince));
    case Field::Keys:
        return keys->contains(lock.key());
    case Field::Node:
        return slotSet && slotSet->test(static_cast<size_t>(slotOf(lock.key().bytes)));
    case Field::Waiters:
        return lock.companions->waiters.certainty != WaiterCertainty::Unknown &&
               compare(milliseconds(lock.companions->waiters.count));
    }
    return false;
}

bool LockFilter::Term::implies(const Term &other) const
{
    const bool text = field == Field::Any || field == Field::Key || field == Field::Owner;
    if (*this == other)
        return true;
    // A name may have been given or taken back since the other was made.
    const bool sameNames =
        std::includes(other.clients.begin(), other.clients.end(), clients.begin(), clients.end());
    return text && field == other.field && !negated && !other.negated && match == Match::Part &&
           other.match == Match::Part && needle.contains(other.needle) && sameNames;
}

bool LockFilter::matches(const WatchedLock &lock, TimePoint now) const
{
    return std::all_of(m_terms.begin(), m_terms.end(),
                       [&](const Term &term) { return term.matches(lock, now) != term.negated; });
}

bool LockFilter::dependsOnTime() const
{
    return std::any_of(m_terms.begin(), m_terms.end(), [](const Term &term) {
        return term.field == Field::State || term.field == Field::AnyProblem ||
               term.field == Field::Unusual || term.field == Field::Ttl || term.field == Field::Held;
    });
}

bool LockFilter::narrows(const LockFilter &wider) const
{
    return !wider.dependsOnTime() &&
           std::all_of(wider.m_terms.begin(), wider.m_terms.end(), [this](const Term &old) {
               return std::any_of(m_terms.begin(), m_terms.end(),
                                  [&old](const Term &term) { return term.implies(old); });
           });
}

} // namespace lockscope
