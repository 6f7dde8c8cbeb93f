// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/formdefaults.h"

#include "core/family/familykeys.h"

namespace lockscope {

namespace {

/// True for sixteen random bytes with an addition by the application.
bool hasMetadata(Template value)
{
    return value.size() == 2 && value.front().type == PartType::DrawnBase64Url && value.front().most == 16 &&
           value.back().type == PartType::Rest;
}

/// The bytes of values of a format, as far as they are common to all; the rest may match any template.
struct FormatBytes
{
    TokenFormat format;
    PartType bytes;
    qsizetype length;
};
constexpr FormatBytes fixedFormats[]{
    {TokenFormat::Uuid, PartType::Uuid, uuidLength}, {TokenFormat::Hex32, PartType::Hex, 32},
    {TokenFormat::Hex40, PartType::Hex, 40},         {TokenFormat::Letters16, PartType::Alnum, 16},
    {TokenFormat::Letters20, PartType::Alnum, 20},   {TokenFormat::Base64Of16, PartType::DrawnBase64, 24},
    {TokenFormat::Base64Of18, PartType::Base64, 24}, {TokenFormat::Base64Of32, PartType::DrawnBase64, 44},
    {TokenFormat::Url16, PartType::Base64Url, 22}};
/// True if all matches of the part have a fixed format.
bool isAllOfAFormat(const TemplatePart &part)
{
    switch (part.type) {
    case PartType::Uuid:
    case PartType::Uuid1:
    case PartType::Uuid4:
    case PartType::HexUuid1:
    case PartType::HexUuid4:
    case PartType::DrawnBase64:
        return true;
    case PartType::Hex:
    case PartType::Random:
    case PartType::Letters: // those that look drawn
        return part.least == part.most;
    default:
        return false;
    }
}

/// Formats that no field of a record has.
constexpr FormatSet<FieldFormat> recordFields{FieldFormat::Mode, FieldFormat::JobId, FieldFormat::ValueHash,
                                              FieldFormat::Other};

/// An open format: the first bytes of a value, if known, and its least length.
struct OpenFormat
{
    TokenFormat format;
    QByteArrayView begins;
    qsizetype least;
};
constexpr QByteArrayView hexDigits("0123456789abcdef");
constexpr OpenFormat openFormats[]{{TokenFormat::Other, {}, 1},
                                   {TokenFormat::CountedUuid, hexDigits, uuidLength + 2},
                                   {TokenFormat::SuffixedUuid, hexDigits, uuidLength + 2},
                                   {TokenFormat::Url16AndMore, {}, 23},
                                   {TokenFormat::Url16MaybeMore, {}, 23},
                                   {TokenFormat::AddedAt, "A", 20},
                                   {TokenFormat::Process, {}, 36},
                                   {TokenFormat::NodeAndTime, {}, 1},
                                   {TokenFormat::TimeAndProcess, {}, 1}};

FormatSet<TokenFormat> formatsOf(const Form &form)
{
    FormatSet<TokenFormat> formats;
    if (form.type != KeyType::String || form.isEmpty)
        return formats;
    if (hasMetadata(form.value))
        return {TokenFormat::Url16, TokenFormat::Url16AndMore, TokenFormat::Url16MaybeMore};
    bool isFixed = false;
    for (const FormatBytes &fixed : fixedFormats) {
        if (!form.fields.empty() || !mayMatch(form.value, fixed.bytes, fixed.length))
            continue;
        formats.insert(fixed.format);
        isFixed = form.value.size() == 1 && isAllOfAFormat(form.value.front());
    }
    for (const OpenFormat &open : openFormats) {
        if (form.mayBeWrapped || !form.fields.empty() ||
            (!isFixed && mayMatch(form.value, open.begins, open.least)))
            formats.insert(open.format);
    }
    return formats;
}

} // namespace

bool tellsEnd(const Form &form)
{
    const auto tells = [](Template shape) {
        return std::ranges::find(shape, PartRole::Ends, &TemplatePart::role) != shape.end();
    };
    return form.score == ScoreMeaning::EndsMs || form.score == ScoreMeaning::EndsS || tells(form.value) ||
           std::ranges::any_of(form.fields, [&](const FieldShape &field) { return tells(field.value); });
}

Phrase lackingIn(const Form &form)
{
    if (std::ranges::any_of(form.free, isPastEnd) && !tellsEnd(form))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a part {ends:…}"));
    if (form.isNamed && form.key.empty())
        return Phrase("“key”");
    if (!form.lock.empty() && form.type != KeyType::SortedSet)
        return Phrase("“type = \"sorted-set\"”");
    switch (form.type) {
    case KeyType::Hash:
        return form.member.empty() && form.fields.empty()
                   ? Phrase(QT_TRANSLATE_NOOP("phrases", "“field” or “fields”"))
                   : Phrase();
    case KeyType::Set:
    case KeyType::SortedSet:
        return form.member.empty() ? Phrase("“member”") : Phrase();
    default:
        return form.value.empty() && form.fields.empty() && !form.isEmpty
                   ? Phrase(QT_TRANSLATE_NOOP("phrases", "“value”, “json” or “empty”"))
                   : Phrase();
    }
}

namespace {

/// A part of a companion's key that neither a lock's name nor its owner has, so that no key can be made; empty: none.
QByteArray unknownPartIn(Template key, std::span<const Form> forms)
{
    QByteArrayList known{"owner"};
    const auto add = [&known](Template shape) {
        for (const TemplatePart &part : shape)
            known.append(part.literal().toByteArray());
    };
    for (const Form &form : forms) {
        for (const Template shape : {form.key, form.value, form.member})
            add(shape);
        for (const FieldShape &field : form.fields)
            add(field.value);
    }
    for (const TemplatePart &part : key) {
        if (part.type != PartType::Literal && !known.contains(part.literal()))
            return part.literal().toByteArray();
    }
    return {};
}

} // namespace

Phrase lackingIn(const CompanionForm &form, const Scripts &scripts, std::span<const Form> forms)
{
    if (const QByteArray part = unknownPartIn(form.key, forms); !part.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a part of the lock's name or owner, not {%1}"), part);
    const auto has = [&form](PartRole role) {
        return std::ranges::any_of(form.fields, [role](const FieldShape &field) {
            return std::ranges::find(field.value, role, &TemplatePart::role) != field.value.end();
        });
    };
    const bool isKeyAlone = !form.key.empty() && form.member.empty() && form.fields.empty() &&
                            form.score == ScoreMeaning::None && form.maxMs == 0;
    if (form.use == CompanionUse::Index)
        return isKeyAlone && &scripts == &fieldScripts
                   ? Phrase()
                   : Phrase(QT_TRANSLATE_NOOP("phrases", "only key, and locks that are hashes of owners"));
    const bool isSet = !form.member.empty() && form.fields.empty();
    const bool tellsAge = isSet ? isBegin(form.score) : has(PartRole::Since);
    const bool tellsMoment = tellsAge || (isSet ? form.score != ScoreMeaning::None : has(PartRole::Ends));
    if (form.key.empty() ||
        (form.use != CompanionUse::Heartbeat && form.fields.empty() != (form.use == CompanionUse::Queue)))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "key, and fields of a record"));
    if (form.use == CompanionUse::Holders && !(form.member.has(PartRole::Owner) && has(PartRole::Holds)))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "field with {owner}, and value with {holds:…}"));
    if (form.use != CompanionUse::Heartbeat || (form.member.empty() && form.fields.empty()))
        return {};
    if (!tellsMoment)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "the heartbeat's time: “score”, or {since:…} or {ends:…} in a field"));
    return tellsAge && form.maxMs == 0 ? Phrase("dead_after") : Phrase();
}

Phrase lackingFor(const Scripts &scripts, const Forms &forms)
{
    return scripts.setsFreeField && freeField(forms).isEmpty()
               ? Phrase(QT_TRANSLATE_NOOP("phrases", "“free” in a form with “fields”, for set-field"))
               : Phrase();
}

void noteFormats(FamilySpec &spec, Forms &forms)
{
    for (const Form &form : forms.forms) {
        const FormatSet<TokenFormat> formats = formatsOf(form);
        const bool isElsewhere = form.elsewhere != UnusualNameMatch::Never || form.isNamed;
        forms.types.insert(form.type);
        forms.strings.insert(formats);
        if (isElsewhere)
            spec.strings.insert(formats);
        if (forms.anyLockName || form.isNamed || form.elsewhere == UnusualNameMatch::Content)
            forms.anywhere.insert(formats);
        if (isElsewhere && form.type == KeyType::Hash)
            spec.fields.insert(isRecord(form) ? recordFields : FormatSet<FieldFormat>::all());
    }
}

QByteArray storedAs(const Form &form, const NameGlobs &names)
{
    const QByteArray type = form.type == KeyType::SortedSet ? "sorted set" : formTypeName(form.type);
    QByteArrayList fields;
    for (const FieldShape &field : form.fields)
        fields.append(field.name.toByteArray());
    QByteArray text = type + ": ";
    if (form.isEmpty)
        text += "empty";
    else if (!fields.isEmpty())
        text += fields.join(", ");
    else
        text += '`' + writtenTemplate(form.type == KeyType::String ? form.value : form.member) + '`';
    if (!names.isEmpty())
        text += QByteArray(", under `") + *names.begin() + '`';
    return text;
}

const Scripts *scriptsFor(const Form &form)
{
    if (form.type == KeyType::String)
        return &tokenScripts;
    if (form.type != KeyType::Hash)
        return &memberScripts;
    return form.member.empty() ? &recordScripts : &fieldScripts;
}

} // namespace lockscope
