// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/filterfields.h"

#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr const char *someTime =
    QT_TRANSLATE_NOOP("phrases", "Expected: a time, such as 10s, 500ms, 5m or 2h");
constexpr const char *someNumber = QT_TRANSLATE_NOOP("phrases", "Expected: a number");
constexpr std::array fields{
    FilterField{"state:", QT_TRANSLATE_NOOP("phrases", "State, such as held or stalled")},
    FilterField{"owner:", QT_TRANSLATE_NOOP("phrases", "part of an owner ID or process name; * matches any")},
    FilterField{"key:", QT_TRANSLATE_NOOP("phrases", "Part of the key, or a pattern with *")},
    FilterField{"family:", QT_TRANSLATE_NOOP("phrases", "Family, such as reentrant or token")},
    FilterField{"problem:", QT_TRANSLATE_NOOP("phrases", "Problem, such as no-expiry, or any")},
    FilterField{"no-expiry:", QT_TRANSLATE_NOOP("phrases", "No expiry: any, problem, open or usual")},
    FilterField{"ttl<", QT_TRANSLATE_NOOP("phrases", "Time left"), someTime},
    FilterField{"ttl>", QT_TRANSLATE_NOOP("phrases", "Time left"), someTime},
    FilterField{"held>", QT_TRANSLATE_NOOP("phrases", "Held for"), someTime},
    FilterField{"held<", QT_TRANSLATE_NOOP("phrases", "Held for"), someTime},
    FilterField{"waiters>", QT_TRANSLATE_NOOP("phrases", "Known waiters"), someNumber},
    FilterField{"waiters<", QT_TRANSLATE_NOOP("phrases", "Known waiters"), someNumber},
    FilterField{"waiters=", QT_TRANSLATE_NOOP("phrases", "Known waiters"), someNumber},
    FilterField{"node:", QT_TRANSLATE_NOOP("phrases", "Part of the node's address")},
    FilterField{"owner=", QT_TRANSLATE_NOOP("phrases", "Whole owner ID")},
    FilterField{"key=", QT_TRANSLATE_NOOP("phrases", "Whole key")},
    FilterField{"node=", QT_TRANSLATE_NOOP("phrases", "Whole address of the node")},
};

} // namespace

std::span<const FilterField> filterFields()
{
    return fields;
}

const FilterField *fieldOf(const FilterWord &word)
{
    if (word.quoted)
        return nullptr;
    const QByteArray text = word.positive().toLower();
    const auto field = std::ranges::find_if(
        fields, [&text](const FilterField &each) { return text.startsWith(each.token); });
    return field == fields.end() ? nullptr : &*field;
}

QByteArray valueOf(const FilterWord &word, const FilterField &field)
{
    return word.positive().toLower().mid(QByteArrayView(field.token).size());
}

QByteArrayList fixedValues(QByteArrayView token)
{
    QByteArrayList values;
    if (token == "state:") {
        for (int state = 0; state < lockStates; ++state)
            values.append(stateName(static_cast<LockState>(state)));
    } else if (token == "family:") {
        for (const Family family : allFamilies())
            values.append(familyName(family));
    } else if (token == "no-expiry:") {
        values = {"any"};
        for (const auto &[level, name] : noExpiryName.names)
            values.append(name);
    } else if (token == "problem:") {
        values = {"any", "stalled", "unusual"};
        for (const Problem problem : problemList(Problems::fromInt(0xffff)))
            values.append(problemName(problem));
    }
    return values;
}

std::optional<Phrase> expectedAfter(const FilterWord &word)
{
    if (!word.isClosed)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Expected: a closing quotation mark"));
    const FilterField *field = fieldOf(word);
    if (!field)
        return std::nullopt;
    const QByteArray value = valueOf(word, *field);
    const QByteArrayList values = fixedValues(field->token);
    const bool isBegun =
        std::ranges::any_of(values, [&value](const QByteArray &each) { return each.startsWith(value); });
    const bool isComparison = value == "=" || value == "." || value == "=.";
    if (!value.isEmpty() && !isBegun && !isComparison)
        return std::nullopt;
    return Phrase(field->expected ? field->expected : field->meaning);
}

bool startsField(const FilterWord &word)
{
    const QByteArray text = word.positive().toLower();
    return !word.quoted && !text.isEmpty() && std::ranges::any_of(fields, [&text](const FilterField &each) {
        return QByteArrayView(each.token).startsWith(text);
    });
}

} // namespace lockscope
