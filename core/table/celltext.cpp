// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/celltext.h"

#include <QAbstractItemModel>
#include <QVariant>

namespace lockscope {

QString shortened(const QString &text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    const qsizetype tail = (most - 1) / 3;
    return text.left(most - 1 - tail) + u'…' + text.right(tail);
}

QString plainToolTip(const QString &text)
{
    return text.isEmpty() ? QString()
                          : QStringLiteral("<span>%1</span>")
                                .arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

QVariant spokenFigure(const QModelIndex &cell)
{
    const QString text = cell.data().toString();
    const QString title = cell.model()->headerData(cell.column(), Qt::Horizontal).toString();
    return text.isEmpty() ? QVariant() : title + u' ' + text;
}

} // namespace lockscope
