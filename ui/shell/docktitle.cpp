// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/docktitle.h"

#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/plaintext.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QPointer>
#include <QToolButton>

namespace lockscope {

DockTitle::DockTitle(QDockWidget *dock) : QWidget(dock), m_dock(dock), m_name(new ElidedLabel(this))
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_name->setFont(strong);
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(12, 2, 4, 2);
    line->setSpacing(2);
    line->addWidget(m_name, 1);
    m_float = addButton(glyphIcon(Glyph::Detach));
    m_close = addButton(glyphIcon(Glyph::Cross));
    connect(m_float, &QToolButton::clicked, dock, [dock] {
        QPointer<QWidget> focused = QApplication::focusWidget();
        if (focused && !dock->isAncestorOf(focused))
            focused.clear();
        dock->setFloating(!dock->isFloating()); // hides it for a moment
        if (focused)
            giveFocus(*focused);
    });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(dock, &QDockWidget::windowTitleChanged, this, &DockTitle::showName);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::showName);
    showName();
}

QToolButton *DockTitle::addButton(const QIcon &icon)
{
    auto *button = new QToolButton(this);
    button->setIcon(icon);
    const int side = fontMetrics().height() * 3 / 4;
    button->setIconSize(QSize(side, side));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    return button;
}

void DockTitle::showName()
{
    const QString name = m_dock->windowTitle();
    m_name->setFullText(name);
    for (const auto &[button, purpose] :
         {std::pair(m_float, m_dock->isFloating() ? tr("Put %1 back into the window").arg(name)
                                                  : tr("Show %1 in a window of its own").arg(name)),
          std::pair(m_close, tr("Close %1").arg(name))}) {
        button->setAccessibleName(purpose);
        button->setToolTip(plainToolTip(purpose));
    }
}

} // namespace lockscope
