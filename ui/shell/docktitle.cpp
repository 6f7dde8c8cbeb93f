// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/docktitle.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/plaintext.h"

#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QToolButton>

namespace lockscope {

DockTitle::DockTitle(QDockWidget *dock)
    : QWidget(dock), m_dock(dock), m_name(new ElidedLabel(this)), m_places(new QMenu(this))
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_name->setFont(strong);
    setLayout(lineOf({{m_name, 1}, Stretch{}}, 2, {12, 2, 4, 2})); // stretched where there is no name
    m_move = addButton(glyphIcon(Glyph::Panel));
    // Not as the button's own menu, which would get an arrow beside the glyph.
    connect(m_move, &QToolButton::clicked, this,
            [this] { m_places->popup(m_move->mapToGlobal(QPoint(0, m_move->height()))); });
    buildPlaces();
    m_float = addButton(glyphIcon(Glyph::Detach));
    m_close = addButton(glyphIcon(Glyph::Cross));
    connect(m_float, &QToolButton::clicked, dock,
            [dock] { keepFocusIn(*dock, [dock] { dock->setFloating(!dock->isFloating()); }); });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(dock, &QDockWidget::windowTitleChanged, this, &DockTitle::showName);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::showName);
    showName();
}

void DockTitle::buildPlaces()
{
    for (const auto &[area, text] : {std::pair(Qt::LeftDockWidgetArea, tr("To the &left")),
                                     std::pair(Qt::RightDockWidgetArea, tr("To the &right")),
                                     std::pair(Qt::TopDockWidgetArea, tr("To the &top")),
                                     std::pair(Qt::BottomDockWidgetArea, tr("To the &bottom"))}) {
        QAction *place = m_places->addAction(text);
        connect(place, &QAction::triggered, this, [this, area = area] { emit moveRequested(area); });
        connect(m_places, &QMenu::aboutToShow, place, [this, place, area = area] {
            const auto *window = qobject_cast<QMainWindow *>(m_dock->parentWidget());
            place->setEnabled(m_dock->isFloating() || window->dockWidgetArea(m_dock) != area);
        });
    }
}

void DockTitle::contextMenuEvent(QContextMenuEvent *event)
{
    m_places->popup(event->globalPos());
}

void DockTitle::setTabbed(bool isTabbed)
{
    m_name->setHidden(isTabbed);
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
         {std::pair(m_move, tr("Move %1").arg(name)),
          std::pair(m_float, m_dock->isFloating() ? tr("Put %1 back into the window").arg(name)
                                                  : tr("Show %1 in a window of its own").arg(name)),
          std::pair(m_close, tr("Close %1").arg(name))}) {
        button->setAccessibleName(purpose);
        setPlainToolTip(*button, purpose);
    }
}

} // namespace lockscope
