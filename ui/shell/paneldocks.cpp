// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/paneldocks.h"

#include "ui/shell/docktitle.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/spokenrole.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Incremented when panels change so much that old layouts do not fit.
constexpr int docksVersion = 1;
constexpr int widestShare = 420; ///< in pixels: the table needs the rest more

/// A dock whose size hint is its panel's, even while that is hidden behind a tab.
class PanelDock : public QDockWidget
{
public:
    PanelDock(double share, Qt::Orientation along, QWidget *parent)
        : QDockWidget(parent), m_share(share), m_along(along)
    {
    }

    QSize sizeHint() const override
    {
        QSize wanted = widget()->sizeHint() + QSize(0, titleBarWidget()->sizeHint().height());
        if (m_share > 0 && m_along == Qt::Horizontal)
            wanted.setWidth(
                static_cast<int>(std::min(m_share * parentWidget()->width(), double(widestShare))));
        else if (m_share > 0)
            wanted.setHeight(static_cast<int>(m_share * parentWidget()->height()));
        return wanted;
    }

private:
    double m_share;
    Qt::Orientation m_along;
};

Qt::Orientation across(Qt::DockWidgetArea area)
{
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea ? Qt::Horizontal : Qt::Vertical;
}

/// Open, but behind another panel or page.
bool isBehind(const QDockWidget &dock)
{
    return !dock.isHidden() && !dock.widget()->isVisible();
}

} // namespace

PanelDocks::PanelDocks(QWidget *center, QWidget *parent) : QMainWindow(parent)
{
    setWindowFlags(Qt::Widget); // of the page: by itself it would be a window
    setCentralWidget(center);
    setDockOptions(AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    setSpokenRole(this, QAccessible::Pane); // it would be said to be a window, and one without a name
    // The inspector is as high as the window: it shows what is chosen in the table and in the panels below.
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void PanelDocks::add(const QString &name, QWidget *panel, QAction *show, const std::function<void()> &focus,
                     const Place &place)
{
    auto *dock = new PanelDock(place.share, across(place.area), this);
    dock->setObjectName(name);
    dock->setWindowTitle(panel->accessibleName());
    // Behind another it is hidden, and its dock would have no height then, nor let the others have one.
    QSizePolicy policy = panel->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    panel->setSizePolicy(policy);
    dock->setWidget(panel);
    auto *title = new DockTitle(dock);
    dock->setTitleBarWidget(title);
    m_panels.append({dock, title, show, place});
    put(m_panels.last());
    dock->setVisible(show->isChecked());

    const Panel added = m_panels.last();
    connect(title, &DockTitle::moveRequested, this,
            [this, added](Qt::DockWidgetArea to) { moveTo(added, to); });
    connect(show, &QAction::toggled, dock, [this, added](bool on) { showOrHide(added, on); });
    connect(show, &QAction::triggered, dock, [focus](bool on) {
        if (on)
            focus();
    });
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock, panel, show](bool isInFront) {
        panel->setVisible(isInFront || !dock->isVisible());
        show->setChecked(!dock->isHidden() || m_away.contains(dock));
        emit sightChanged(panel);
    });
}

/// Puts a panel in its initial place, behind panels that are there.
void PanelDocks::put(const Panel &panel)
{
    const auto before = std::ranges::find_if(m_panels, [&](const Panel &each) {
        return each.dock != panel.dock && each.place.area == panel.place.area &&
               dockWidgetArea(each.dock) == panel.place.area;
    });
    addDockWidget(panel.place.area, panel.dock);
    if (before != m_panels.end())
        tabifyDockWidget(before->dock, panel.dock);
}

/// Moves a panel in front of those in an area; alone, it gets its size hint.
void PanelDocks::moveTo(const Panel &panel, Qt::DockWidgetArea to)
{
    const auto before = std::ranges::find_if(m_panels, [&](const Panel &each) {
        return each.dock != panel.dock && !each.dock->isHidden() && !each.dock->isFloating() &&
               dockWidgetArea(each.dock) == to;
    });
    keepFocusIn(*panel.dock, [&] {
        panel.dock->setFloating(false);
        addDockWidget(to, panel.dock);
        if (before != m_panels.end())
            tabifyDockWidget(before->dock, panel.dock);
        panel.dock->show();
        panel.dock->raise();
    });
    if (before == m_panels.end()) {
        const bool isBeside = across(to) == Qt::Horizontal;
        const QSize wanted = panel.dock->widget()->sizeHint().boundedTo(size() / 3);
        resizeDocks({panel.dock}, {isBeside ? wanted.width() : wanted.height()}, across(to));
    }
}

bool PanelDocks::event(QEvent *event)
{
    const bool isDone = QMainWindow::event(event);
    if (event->type() == QEvent::LayoutRequest)
        nameTitles();
    return isDone;
}

void PanelDocks::nameTitles()
{
    for (const Panel &panel : std::as_const(m_panels)) {
        const QList<QDockWidget *> companions =
            panel.dock->isFloating() ? QList<QDockWidget *>() : tabifiedDockWidgets(panel.dock);
        const bool isTabbed =
            std::ranges::any_of(companions, [](const QDockWidget *dock) { return !dock->isHidden(); });
        panel.title->setTabbed(isTabbed);
    }
    // Qt keeps bars that it no longer needs, somewhere out of sight.
    for (QTabBar *bar : findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setFocusPolicy(rect().contains(bar->geometry()) ? Qt::TabFocus : Qt::NoFocus);
        bar->setAccessibleName(tr("Panels"));
    }
}

void PanelDocks::showOrHide(const Panel &panel, bool on)
{
    if (on == !panel.dock->isHidden() && !(on && isBehind(*panel.dock)))
        return;
    if (on)
        return open(panel);
    if (!isBehind(*panel.dock))
        return panel.dock->hide();
    // Who asks for a panel that is not in sight wants to see it.
    panel.dock->raise();
    panel.show->setChecked(true);
}

void PanelDocks::open(const Panel &panel)
{
    const bool isNew = panel.dock->isHidden() && !m_sized.contains(panel.dock);
    panel.dock->show();
    panel.dock->raise();
    activateWindowOf(*panel.dock);
    m_sized.insert(panel.dock);
    // An area that was made for a few lines is too low for a panel that needs a share of the window.
    const int wanted = panel.dock->sizeHint().height();
    if (isNew && panel.place.share > 0 && !panel.dock->isFloating() && panel.dock->height() < wanted * 4 / 5)
        resizeDocks({panel.dock}, {wanted}, Qt::Vertical);
}

/// Floating panels go with the page.
void PanelDocks::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    if (event->spontaneous() || !m_away.isEmpty())
        return;
    m_layoutBefore = saveState(docksVersion);
    for (const Panel &panel : std::as_const(m_panels)) {
        if (panel.dock->isFloating() && !panel.dock->isHidden())
            m_away.append(panel.dock);
    }
    for (QDockWidget *dock : std::as_const(m_away))
        dock->hide();
}

void PanelDocks::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    for (QDockWidget *dock : std::exchange(m_away, {}))
        dock->show();
    if (!m_isArranged) // before this the window had no size
        giveRoom();
}

void PanelDocks::reveal(const QWidget *panel)
{
    const auto found =
        std::ranges::find(m_panels, panel, [](const Panel &each) { return each.dock->widget(); });
    if (found != m_panels.end())
        open(*found);
}

QByteArray PanelDocks::savedLayout() const
{
    return m_away.isEmpty() ? saveState(docksVersion) : m_layoutBefore;
}

bool PanelDocks::restoreLayout(const QByteArray &layout)
{
    const QByteArray before = savedLayout();
    if (!restoreState(layout, docksVersion)) {
        restoreState(before, docksVersion); // a part may have been carried out
        return false;
    }
    m_isArranged = true;
    noteOpen();
    return true;
}

void PanelDocks::noteOpen()
{
    m_sized.clear();
    for (const Panel &panel : std::as_const(m_panels)) {
        if (!panel.dock->isHidden())
            m_sized.insert(panel.dock);
    }
}

void PanelDocks::restoreDefault()
{
    for (const Panel &panel : std::as_const(m_panels)) {
        panel.dock->setFloating(false);
        removeDockWidget(panel.dock);
    }
    for (const Panel &panel : std::as_const(m_panels)) {
        put(panel);
        panel.dock->setVisible(panel.place.isOpen);
    }
    giveRoom();
}

void PanelDocks::giveRoom()
{
    m_isArranged = true;
    noteOpen();
    for (const Panel &panel : std::as_const(m_panels)) {
        if (!panel.dock->isHidden())
            resizeDocks({panel.dock},
                        {across(panel.place.area) == Qt::Horizontal ? panel.dock->sizeHint().width()
                                                                    : panel.dock->sizeHint().height()},
                        across(panel.place.area));
    }
}

} // namespace lockscope
