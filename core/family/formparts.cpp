// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/formparts.h"

#include "core/family/unwrap.h"

#include <algorithm>

namespace lockscope {

bool take(Parts &parts, Template shape, QByteArrayView text)
{
    parts.emplace_back(shape);
    return shape.empty() || matches(shape, text, parts.back().captures);
}

bool takeRecord(Parts &parts, std::span<const FieldShape> wanted, const StoredFields &stored)
{
    return std::ranges::all_of(wanted, [&](const FieldShape &each) {
        const auto field = find(each, stored);
        return field == stored.end() ? each.mayLack : take(parts, each.value, field->second);
    });
}

bool takeString(Parts &parts, const Form &form, QByteArrayView text, StoredFields &fields)
{
    if (form.fields.empty())
        return !form.value.empty() && take(parts, form.value, text);
    fields = jsonFields(text);
    return takeRecord(parts, form.fields, fields);
}

QByteArrayView textOf(const Form &form, QByteArrayView stored)
{
    return form.mayBeWrapped ? unwrapped(stored).value_or(stored) : stored;
}

const FieldShape &ownersField(const Form &form)
{
    const auto named = std::ranges::find_if(form.fields, [](const FieldShape &field) {
        return std::ranges::find(field.value, PartRole::Owner, &TemplatePart::role) != field.value.end();
    });
    return named == form.fields.end() ? form.fields.front() : *named;
}

CompactOptional<qint64> momentIn(const Parts &found, PartRole role)
{
    for (const Captured &parts : found) {
        if (const CompactOptional<qint64> moment = parts.moment(role))
            return moment;
    }
    return {};
}

QByteArrayView partIn(const Parts &found, PartRole role)
{
    for (const Captured &parts : found) {
        if (const QByteArrayView part = parts.part(role); !part.isEmpty())
            return part;
    }
    return {};
}

void takeFacts(OwnerFacts &facts, const Captured &found)
{
    using Fact = std::pair<PartRole, QByteArray OwnerFacts::*>;
    static constexpr std::array texts{
        Fact(PartRole::Host, &OwnerFacts::host),         Fact(PartRole::Process, &OwnerFacts::process),
        Fact(PartRole::Thread, &OwnerFacts::thread),     Fact(PartRole::Job, &OwnerFacts::job),
        Fact(PartRole::JobClass, &OwnerFacts::jobClass), Fact(PartRole::Queue, &OwnerFacts::queue),
        Fact(PartRole::Worker, &OwnerFacts::worker),     Fact(PartRole::Client, &OwnerFacts::client),
        Fact(PartRole::Node, &OwnerFacts::node),         Fact(PartRole::Metadata, &OwnerFacts::metadata)};
    for (const auto &[role, fact] : texts) {
        if (const QByteArrayView part = found.part(role); !part.isEmpty())
            facts.*fact = part.toByteArray();
    }
    constexpr qsizetype nodeLength = 12;
    for (const PartRole role : {PartRole::Since, PartRole::Tried}) {
        const CompactOptional<qint64> moment = found.moment(role);
        if (!moment)
            continue;
        facts.sinceMs = moment;
        facts.sinceIsTry = role == PartRole::Tried;
        const auto at = std::ranges::find(found.shape, role, &TemplatePart::role);
        if (at->type == PartType::HexUuid1 || at->type == PartType::Uuid1)
            facts.node = found.part(role).last(nodeLength).toByteArray();
    }
}

} // namespace lockscope
