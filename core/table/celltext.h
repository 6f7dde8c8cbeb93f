// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QModelIndex;
class QVariant;

namespace lockscope {

/// Elides a long ID in the middle, since UUIDs differ at both ends.
QString shortened(const QString &text, qsizetype most);

/// Escapes text for tool tips and menus, which interpret markup and mnemonics.
QString plainToolTip(const QString &text);

/// Returns the text of a cell behind its column's title: "Waiters 3". A row is read without its headers.
QVariant spokenFigure(const QModelIndex &cell);

} // namespace lockscope
