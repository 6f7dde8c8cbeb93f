// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plaintext.h"

#include <QWidget>

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

void setPlainToolTip(QWidget &widget, const QString &text)
{
    widget.setToolTip(plainToolTip(text));
    widget.setAccessibleDescription(text);
}

QString plainMenuText(const QString &text)
{
    return QString(text).replace(u'&', QStringLiteral("&&"));
}

} // namespace lockscope
