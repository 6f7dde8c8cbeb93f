// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filtercompletion.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/filterfields.h"
#include "core/state/severity.h"
#include "core/table/locktablemodel.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QHash>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr qsizetype maxSuggestions = 40;

struct Counted
{
    QString text;
    int count = 0;
};

QList<FilterSuggestion> sortedByCount(QList<Counted> values)
{
    std::ranges::stable_sort(values, std::greater(), &Counted::count);
    QList<FilterSuggestion> suggestions;
    for (const Counted &value : values.first(std::min(values.size(), maxSuggestions)))
        suggestions.append({value.text, QLocale().toString(value.count)});
    return suggestions;
}

QHash<QByteArray, int> countsOf(QByteArrayView token, const LockTableModel &model, const DisplayClock &clock)
{
    std::array<int, Family::most> families{};
    std::array<int, lockStates> states{};
    std::array<int, 16> problems{};
    int any = 0, unusual = 0;
    const TimePoint now = clock.now();
    const bool needsStates = token != "family:";
    model.visit([&](const WatchedLock &lock) {
        ++families[static_cast<size_t>(lock.lock.family.index())];
        const TimePoint at = clock.hasStoppedNodes() ? clock.of(lock.key()).now() : now;
        const LockState state = needsStates ? stateOf(lock, at) : LockState::Held;
        ++states[static_cast<size_t>(state)];
        const Problems found = lock.problems();
        for (size_t bit = 0; found && bit < problems.size(); ++bit)
            problems[bit] += found.testFlag(static_cast<Problem>(1U << bit)) ? 1 : 0;
        const bool isUnusual = needsStates && isUnusuallyLong(lock, at);
        unusual += isUnusual ? 1 : 0;
        any += found || state == LockState::Stalled || isUnusual ? 1 : 0;
        return true;
    });
    QHash<QByteArray, int> counts;
    if (token == "family:") {
        for (const Family family : allFamilies())
            counts.insert(familyName(family), families[static_cast<size_t>(family.index())]);
    } else if (token == "state:") {
        for (size_t state = 0; state < states.size(); ++state)
            counts.insert(stateName(static_cast<LockState>(state)), states[state]);
    } else {
        counts = {
            {"any", any}, {"stalled", states[static_cast<size_t>(LockState::Stalled)]}, {"unusual", unusual}};
        for (size_t bit = 0; bit < problems.size(); ++bit)
            counts.insert(problemName(static_cast<Problem>(1U << bit)), problems[bit]);
    }
    return counts;
}

/// Returns the values of locks in the table; if none matches, all possible values.
QList<FilterSuggestion> fixedSuggestions(const FilterField &field, const QByteArray &typed,
                                         const LockTableModel &model, const DisplayClock &clock)
{
    const QHash<QByteArray, int> counts = countsOf(field.token, model, clock);
    QList<Counted> present, absent;
    for (const QByteArray &value : fixedValues(field.token)) {
        if (!value.startsWith(typed))
            continue;
        const int count = counts.value(value);
        (count > 0 ? present : absent).append({QString::fromLatin1(field.token + value), count});
    }
    return sortedByCount(present.isEmpty() ? absent : present);
}

/// Returns process names, then owner IDs as exact terms.
QList<FilterSuggestion> ownerSuggestions(const QByteArray &typed, const LockTableModel &model)
{
    QList<FilterSuggestion> suggestions;
    const QString part = QString::fromUtf8(typed);
    for (const QString &name : model.names().all()) {
        if (name.contains(part, Qt::CaseInsensitive) && !name.contains(u'"'))
            suggestions.append({QStringLiteral("owner:") + quotedWord(name), Texts::tr("Named process")});
    }
    QHash<QByteArrayView, int> counts; // of bytes that the model keeps
    model.visit([&counts](const WatchedLock &lock) {
        for (const LockOwner &owner : lock.lock.owners)
            ++counts[owner.owner.bytes];
        return true;
    });
    std::vector<std::pair<QByteArrayView, int>> owners;
    for (const auto &[id, count] : counts.asKeyValueRange()) {
        if (!id.isEmpty() && (typed.isEmpty() || id.toByteArray().toLower().contains(typed)))
            owners.emplace_back(id, count);
    }
    const auto end = owners.begin() + std::min(std::ssize(owners), std::ptrdiff_t(maxSuggestions));
    std::partial_sort(owners.begin(), end, owners.end(), [](const auto &a, const auto &b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (auto owner = owners.begin(); owner != end; ++owner) {
        if (const auto word = exactWord("owner", owner->first))
            suggestions.append({*word, QLocale().toString(owner->second)});
    }
    return suggestions;
}

QList<FilterSuggestion> nodeSuggestions(const QByteArray &typed, const ClusterStatus &cluster)
{
    QList<FilterSuggestion> suggestions;
    for (const NodeStatus &node : cluster.nodes) {
        if (cluster.isCluster() && node.name.contains(QString::fromUtf8(typed), Qt::CaseInsensitive))
            suggestions.append({QStringLiteral("node=") + quotedWord(node.name), {}});
    }
    return suggestions;
}

QList<FilterSuggestion> exampleSuggestions(const FilterField &field, const QByteArray &typed)
{
    const bool isCount = QByteArrayView(field.token).startsWith("waiters");
    const QByteArrayList values =
        isCount ? QByteArrayList{"1", "5", "20"} : QByteArrayList{"10s", "1m", "10m", "1h"};
    QList<FilterSuggestion> suggestions;
    for (const QByteArray &value : values) {
        if (typed.isEmpty())
            suggestions.append({QString::fromLatin1(field.token + value), inWords(Phrase(field.meaning))});
    }
    return suggestions;
}

QList<FilterSuggestion> tokensFor(const QByteArray &typed, const ClusterStatus &cluster)
{
    QList<FilterSuggestion> suggestions;
    for (const FilterField &field : filterFields()) {
        const QByteArrayView token(field.token);
        if (token.startsWith(typed) && (cluster.isCluster() || !token.startsWith("node")))
            suggestions.append({QString::fromLatin1(token), inWords(Phrase(field.meaning))});
    }
    return suggestions;
}

QList<FilterSuggestion> positiveSuggestions(const FilterWord &word, const LockTableModel &model,
                                            const DisplayClock &clock)
{
    const FilterField *field = fieldOf(word);
    if (!field)
        return startsField(word) ? tokensFor(word.positive().toLower(), clock.cluster())
                                 : QList<FilterSuggestion>();
    const QByteArray typed = valueOf(word, *field);
    const QByteArrayView token(field->token);
    if (!fixedValues(field->token).isEmpty())
        return fixedSuggestions(*field, typed, model, clock);
    if (token.startsWith("owner"))
        return ownerSuggestions(typed, model);
    if (token.startsWith("node"))
        return nodeSuggestions(typed, clock.cluster());
    if (token.startsWith("key"))
        return {};
    return exampleSuggestions(*field, typed);
}

} // namespace

QList<FilterSuggestion> suggestionsFor(const FilterWord &word, const LockTableModel &model,
                                       const DisplayClock &clock)
{
    QList<FilterSuggestion> suggestions = positiveSuggestions(word, model, clock);
    const QString typed = QString::fromUtf8(word.positive());
    if (std::ranges::any_of(suggestions, [&typed](const auto &each) { return each.text == typed; }))
        return {};
    for (FilterSuggestion &each : suggestions) {
        if (word.isNegated())
            each.text.prepend(u'-');
    }
    return suggestions;
}

QList<FilterSuggestion> allTokens(const DisplayClock &clock)
{
    return tokensFor({}, clock.cluster());
}

} // namespace lockscope
