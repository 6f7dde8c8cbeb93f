// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockscope {

/// Replaces texts that say who or what by others of the same form: the same text by the same other one, as long as this
/// object lives. Its salt is random and stored nowhere, so nobody can try names until one fits, and two recordings can't be
/// compared.
///
/// What remains of a text: its punctuation, which of its words are equal (so "UUID:1" and "UUID:2" stay threads of one
/// client, and keys keep their common beginnings), and whether a word was a UUID or a number. How long words were does not
/// remain. Bytes that are no printable ASCII become one word as a whole.
class Anonymizer
{
public:
    Anonymizer();

    QByteArray replacementOf(const QByteArray &text) const;

private:
    QByteArray wordFor(QByteArrayView word) const;
    QByteArray digestOf(QByteArrayView word) const;

    QByteArray m_salt;
};

} // namespace lockscope
