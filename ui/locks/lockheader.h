// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QHeaderView>

class QMenu;

namespace lockscope {

struct LockColumnSpec;

/// A quiet header: muted words over a hairline, aligned with their cells.
class LockHeader : public QHeaderView
{
    Q_OBJECT

public:
    explicit LockHeader(QWidget *parent = nullptr);

    /// Fits the columns into a width in pixels unless the user has set them: the most important first, figures as
    /// wide as they need. Keys, families and owners share the rest by what is cut of their visible texts.
    void fit(int width);
    /// Widens columns whose visible texts are cut. Widths only grow until fit(), and not below the pointer.
    void follow();
    /// Sets the width of the node column, which only clusters and groups have; 0 hides it.
    void setNodeCharacters(int characters);

    void fillMenu(QMenu &menu);

    QSize sizeHint() const override;

signals:
    void setByUser();
    void resetByUser(); ///< fit() is due

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    bool measure();
    void arrange();
    int leastWidth(const LockColumnSpec &column) const;
    void takeOver();
    /// Returns the width of each column (0 if hidden), left to right, and the sort column, by name since
    /// other versions have other columns: "state=120 key=300 family=0 key=descending".
    QByteArray layout() const;
    void restoreLayout(const QByteArray &saved);
    void show(int section, bool on);
    void reset();

    QHash<int, int> m_needs; ///< widest visible text since fit(), by section
    int m_width = 0;         ///< of all columns together
    bool m_fitting = false;
    bool m_setByUser = false;
    int m_nodeCharacters = 0;
    bool m_isNodeUnwanted = false;
};

} // namespace lockscope
