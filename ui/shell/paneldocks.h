// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QSet>

#include <functional>

class QAction;
class QDockWidget;

namespace lockscope {

class DockTitle;

/// The panels around the lock table. The user can close, move, tab and float them. A closed or covered panel
/// is hidden and does no work.
class PanelDocks : public QMainWindow
{
    Q_OBJECT

public:
    struct Place
    {
        Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
        double share = 0; ///< share of the available size; 0: size hint
        bool isOpen = false;
    };

    explicit PanelDocks(QWidget *center, QWidget *parent = nullptr);

    /// Adds a panel titled by its accessible name. `show` opens and closes it; `focus` runs when the user
    /// opened it. `name` is part of saved layouts: never translated or changed.
    void add(const QString &name, QWidget *panel, QAction *show, const std::function<void()> &focus,
             const Place &place);
    void reveal(const QWidget *panel);

    QByteArray savedLayout() const;
    /// Restores a layout. Returns false, and changes nothing, if it is invalid or of another version.
    bool restoreLayout(const QByteArray &layout);
    void restoreDefault();

signals:
    void sightChanged(const QWidget *panel);

protected:
    bool event(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void showEvent(QShowEvent *event) override;

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

    QList<Panel> m_panels;
    QSet<const QDockWidget *> m_sized; ///< opened in this layout: their size was set by the user
    QList<QDockWidget *> m_away;       ///< floating panels that are hidden with the page
    QByteArray m_layoutBefore;         ///< while some are away
    bool m_isArranged = false;         ///< true once a layout was restored or the default one was sized
};

} // namespace lockscope
