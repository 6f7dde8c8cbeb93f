// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

class QMenu;

namespace lockscope {

/// A quiet header: muted words over a hairline, aligned with the cells below them.
class LockHeader : public QHeaderView
{
    Q_OBJECT

public:
    explicit LockHeader(QWidget *parent = nullptr);

    /// Spreads the columns over a width, unless the user has set them: those that fit, the most important first, as wide as
    /// they need, and what is left to keys, owners and problems.
    void fit(int width);
    /// Of the column of nodes, which only a cluster has; 0: none.
    void setNodeCharacters(int characters);

    /// Which columns are shown, for the user to choose.
    void fillMenu(QMenu &menu);

    QSize sizeHint() const override;

signals:
    void setByUser();
    void resetByUser(); ///< they fit again: fit() is due

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;

private:
    void takeOver();
    /// The size of each column, 0 where it is hidden, from left to right, and by which one locks are sorted. By their names, since
    /// other versions have other columns: "state=120 key=300 family=0 key=descending".
    QByteArray layout() const;
    void restoreLayout(const QByteArray &saved);
    void show(int section, bool on);
    void reset();

    bool m_fitting = false;
    bool m_setByUser = false;
    int m_nodeCharacters = 0;
    bool m_isNodeUnwanted = false; ///< by the user
};

} // namespace lockscope
