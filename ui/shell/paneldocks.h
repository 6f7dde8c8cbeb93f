// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QSet>

#include <functional>

class QAction;
class QDockWidget;

namespace lockscope {

class DockTitle;

/// The panels around the table of locks: each may be closed, moved, put behind another as a tab, or float. The table stays.
/// A panel that is closed or behind another is hidden, so that it does nothing.
class PanelDocks : public QMainWindow
{
    Q_OBJECT

public:
    /// Where a panel stands at first.
    struct Place
    {
        Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
        double share = 0;    ///< of the room there is; 0: as much as the panel asks for
        bool isWide = false; ///< needs the whole width while it is at the bottom
        bool isOpen = false;
    };

    explicit PanelDocks(QWidget *center, QWidget *parent = nullptr);

    /// `show` closes it and opens it again; `focus` gives it the keyboard where the user chose to see it. Its title is the
    /// panel's accessible name. `name` stands in kept layouts: never translated, never changed.
    void add(const QString &name, QWidget *panel, QAction *show, const std::function<void()> &focus,
             const Place &place);
    /// Opens it, in front of others, in the window that has the keyboard then.
    void reveal(const QWidget *panel);

    /// Where the panels are, how large, and which are closed.
    QByteArray savedLayout() const;
    /// False where `layout` is of another version or is none: then nothing has changed.
    bool restoreLayout(const QByteArray &layout);
    void restoreDefault();

signals:
    /// It has come into sight, or is no longer.
    void sightChanged(const QWidget *panel);
    /// All of it has come to stand further down, as below a notice, and has its new size.
    void pushedDown(int pixels);

protected:
    bool event(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Panel
    {
        QDockWidget *dock;
        DockTitle *title;
        QAction *show;
        Place place;
    };

    void put(const Panel &panel);
    void moveTo(const Panel &panel, Qt::DockWidgetArea to);
    void nameTitles();
    void open(const Panel &panel);
    void showOrHide(const Panel &panel, bool on);
    void giveRoom();
    void noteOpen();
    void fitCorner(const Panel &panel, bool isInFront);

    QList<Panel> m_panels;
    QSet<const QDockWidget *> m_sized; ///< have been open in this layout: their size is the user's
    int m_top = 0;
    bool m_isArranged = false; ///< a layout is in force; before that the panels are as they were added
};

} // namespace lockscope
