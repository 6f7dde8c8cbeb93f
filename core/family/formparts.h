// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/forms.h"

#include <QVarLengthArray>

// The parts that a form's templates find in what is stored.
namespace lockscope {

/// The fields of a hash, or of a JSON object.
using StoredFields = QList<std::pair<QByteArray, QByteArray>>;

struct Captured
{
    Captured() = default;
    explicit Captured(Template of) : shape(of) {}

    Template shape;
    Captures captures;

    QByteArrayView part(PartRole role) const { return partOf(shape, captures, role); }
    CompactOptional<qint64> moment(PartRole role) const
    {
        if (!shape.has(role))
            return {};
        const auto at = std::ranges::find(shape, role, &TemplatePart::role);
        return momentOf(at->type, part(role));
    }
};

/// Mostly one element. Filled in place, since its captures are large.
using Parts = QVarLengthArray<Captured, 1>;

/// Adds the parts of a text; false: it does not match. The views are of `text`.
bool take(Parts &parts, Template shape, QByteArrayView text);
/// Adds the parts of a record's fields; false: another record. The views are of `stored`.
bool takeRecord(Parts &parts, std::span<const FieldShape> wanted, const StoredFields &stored);
/// Adds the parts of a string; false: another form. JSON fields live in `fields`.
bool takeString(Parts &parts, const Form &form, QByteArrayView text, StoredFields &fields);
/// The string inside its codec's wrapping, if any.
QByteArrayView textOf(const Form &form, QByteArrayView stored);

/// The field with this name, or the end.
inline auto find(const FieldShape &wanted, const StoredFields &fields)
{
    return std::ranges::find(fields, wanted.name, &std::pair<QByteArray, QByteArray>::first);
}
/// The field with a record's owner, otherwise the first.
const FieldShape &ownersField(const Form &form);

/// The first part with this role; empty: none.
QByteArrayView partIn(const Parts &found, PartRole role);
CompactOptional<qint64> momentIn(const Parts &found, PartRole role);
void takeFacts(OwnerFacts &facts, const Captured &found);

} // namespace lockscope
