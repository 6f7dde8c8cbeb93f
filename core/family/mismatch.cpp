// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/mismatch.h"

#include "core/base/glob.h"
#include "core/family/forms.h"
#include "core/family/spec.h"
#include "core/family/unwrap.h"

#include <algorithm>

namespace lockscope {

namespace {

KeyType typeOf(const KeyContent &content)
{
    constexpr std::array types{KeyType::Hash, KeyType::String, KeyType::SortedSet, KeyType::Set,
                               KeyType::Other};
    return types.at(content.index());
}

Phrase typeInWords(KeyType type)
{
    switch (type) {
    case KeyType::String:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a string"));
    case KeyType::Hash:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a hash"));
    case KeyType::Set:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a set"));
    case KeyType::SortedSet:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a sorted set"));
    default:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "another type"));
    }
}

bool matchesAny(std::span<const char *const> globs, QByteArrayView name)
{
    return std::ranges::any_of(globs, [name](const char *glob) { return globMatches(glob, name); });
}

Phrase mismatch(const char *what, Template shape, QByteArrayView text)
{
    Captures captures;
    TemplateMismatch why{};
    if (shape.empty() || matches(shape, text, captures, &why))
        return {};
    if (why.part == shape.size())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "%1: nothing is expected at byte %2"), QByteArray(what),
                      why.at);
    return Phrase(QT_TRANSLATE_NOOP("phrases", "%1: expected %2 at byte %3"), QByteArray(what),
                  writtenTemplate(shape.subspan(why.part, 1)), why.at);
}

template <typename Elements, typename Text>
Phrase firstMismatch(const char *what, Template shape, const Elements &elements, Text text)
{
    for (const auto &element : elements) {
        if (Phrase why = mismatch(what, shape, text(element)); !why.isEmpty())
            return why;
    }
    return {};
}

bool isOf(const FieldShape &form, const QByteArray &name)
{
    return name == form.name;
}

Phrase ofRecord(const Form &form, const QList<std::pair<QByteArray, QByteArray>> &fields)
{
    for (const FieldShape &wanted : form.fields) {
        const auto field = std::ranges::find_if(fields, [&](const auto &f) { return isOf(wanted, f.first); });
        if (field == fields.end() && !wanted.mayLack)
            return Phrase(QT_TRANSLATE_NOOP("phrases", "the field %1 is missing"), wanted.name.toByteArray());
        if (field == fields.end() || wanted.value.empty())
            continue;
        if (Phrase why = mismatch(wanted.name.toByteArray(), wanted.value, field->second); !why.isEmpty())
            return why;
    }
    return {};
}

Phrase ofString(const Form &form, const StringContent &content)
{
    const QByteArrayView text = form.mayBeWrapped
                                    ? unwrapped(content.value).value_or(QByteArrayView(content.value))
                                    : QByteArrayView(content.value);
    if (form.isEmpty)
        return text.isEmpty() ? Phrase() : Phrase(QT_TRANSLATE_NOOP("phrases", "the string is not empty"));
    if (form.fields.empty())
        return mismatch("value", form.value, text);
    const auto fields = jsonFields(text);
    return fields.isEmpty() ? Phrase(QT_TRANSLATE_NOOP("phrases", "the string is no JSON object"))
                            : ofRecord(form, fields);
}

Phrase ofHash(const Form &form, const HashContent &content)
{
    if (Phrase why = ofRecord(form, content.fields); !why.isEmpty() || form.member.empty())
        return why;
    QList<std::pair<QByteArray, QByteArray>> owners = content.fields;
    owners.removeIf([&](const auto &field) {
        return std::ranges::any_of(form.fields, [&](const FieldShape &f) { return isOf(f, field.first); });
    });
    const Phrase why =
        firstMismatch("field", form.member, owners, [](const auto &field) { return field.first; });
    return why.isEmpty()
               ? firstMismatch("value", form.value, owners, [](const auto &field) { return field.second; })
               : why;
}

Phrase ofContent(const Form &form, const KeyContent &content)
{
    if (const auto *string = std::get_if<StringContent>(&content))
        return ofString(form, *string);
    if (const auto *hash = std::get_if<HashContent>(&content))
        return ofHash(form, *hash);
    if (const auto *set = std::get_if<SortedSetContent>(&content))
        return firstMismatch("member", form.member, set->members,
                             [](const auto &member) { return member.first; });
    if (const auto *set = std::get_if<SetContent>(&content))
        return firstMismatch("member", form.member, set->members,
                             [](const QByteArray &member) { return member; });
    return {};
}

} // namespace

QList<Phrase> mismatchesOf(const FamilySpec &spec, QByteArrayView key, const KeyContent &content)
{
    const bool isNever = matchesAny(spec.forms->notNames, key);
    const bool isNamed = matchesAny({spec.usualNames.begin(), spec.usualNames.end()}, key) ||
                         (spec.forms->anyLockName && namesALock(key));
    QList<Phrase> found;
    for (const Form &form : spec.forms->forms) {
        if (isNever)
            found.append(Phrase(QT_TRANSLATE_NOOP("phrases", "the name is one of names.not")));
        else if (!isNamed && !form.isNamed && form.elsewhere == UnusualNameMatch::Never)
            found.append(Phrase(QT_TRANSLATE_NOOP("phrases", "the name is none of names.usual")));
        else if (form.type != typeOf(content))
            found.append(Phrase(QT_TRANSLATE_NOOP("phrases", "the key holds %1, not %2"),
                                typeInWords(typeOf(content)), typeInWords(form.type)));
        else if (Phrase why = mismatch("key", form.key, key); !why.isEmpty())
            found.append(why);
        else
            found.append(ofContent(form, content));
    }
    return found;
}

} // namespace lockscope
