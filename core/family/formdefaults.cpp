// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/formdefaults.h"

#include "core/family/familykeys.h"

namespace lockscope {

namespace {

/// Sixteen random bytes with what an application adds.
bool hasMetadata(Template value)
{
    return value.size() == 2 && value.front().type == PartType::DrawnBase64Url && value.front().most == 16 &&
           value.back().type == PartType::Rest;
}

std::optional<TokenFormat> formatOf(const TemplatePart &part)
{
    const auto isOf = [&part](PartType type, int length) {
        return part.type == type && part.most == length && (part.least == length || part.least == 1);
    };
    if (part.type == PartType::Uuid || part.type == PartType::Uuid1 || part.type == PartType::Uuid4)
        return TokenFormat::Uuid;
    if (part.type == PartType::HexUuid1 || part.type == PartType::HexUuid4 || isOf(PartType::Hex, 32))
        return TokenFormat::Hex32;
    if (isOf(PartType::Hex, 40))
        return TokenFormat::Hex40;
    if (isOf(PartType::Random, 16) || isOf(PartType::Letters, 16))
        return TokenFormat::Letters16;
    if (part.type == PartType::RandomBytes)
        return TokenFormat::Other;
    if (isOf(PartType::Random, 20))
        return TokenFormat::Letters20;
    if (isOf(PartType::DrawnBase64, 16))
        return TokenFormat::Base64Of16;
    if (isOf(PartType::DrawnBase64, 32))
        return TokenFormat::Base64Of32;
    return std::nullopt;
}

} // namespace

Phrase lackingIn(const Form &form)
{
    switch (form.type) {
    case KeyType::Hash:
        return form.member.empty() && form.fields.empty()
                   ? Phrase(QT_TRANSLATE_NOOP("phrases", "“field” or “fields”: what is in the hash"))
                   : Phrase();
    case KeyType::Set:
    case KeyType::SortedSet:
        return form.member.empty() ? Phrase(QT_TRANSLATE_NOOP("phrases", "“member”: what is in the set"))
                                   : Phrase();
    default:
        return form.value.empty() && form.fields.empty() && !form.isEmpty
                   ? Phrase(QT_TRANSLATE_NOOP("phrases", "“value”, “json” or “empty”: what is in the string"))
                   : Phrase();
    }
}

FormatSet<TokenFormat> formatsOf(std::span<const Form> forms)
{
    FormatSet<TokenFormat> formats;
    for (const Form &form : forms) {
        if (form.type != KeyType::String || form.elsewhere == Elsewhere::Never)
            continue;
        if (hasMetadata(form.value)) {
            formats.insert(TokenFormat::Url16);
            formats.insert(TokenFormat::Url16AndMore);
            formats.insert(TokenFormat::Url16MaybeMore);
            continue;
        }
        const bool isOnePart = form.value.size() == 1 && !form.mayBeWrapped && form.fields.empty();
        const std::optional<TokenFormat> one = isOnePart ? formatOf(form.value.front()) : std::nullopt;
        if (!one)
            return FormatSet<TokenFormat>::all();
        formats.insert(*one);
    }
    return formats;
}

QByteArray storedAs(const Form &form, const NameGlobs &names)
{
    const QByteArray type = form.type == KeyType::SortedSet ? "sorted set" : formTypeName(form.type);
    QByteArrayList fields;
    for (const FieldForm &field : form.fields)
        fields.append(field.name);
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
