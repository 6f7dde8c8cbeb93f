// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plaintext.h"

#include <QWidget>

namespace lockscope {

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
