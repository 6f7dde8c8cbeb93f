// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/locktablemodel.h"

#include <QWidget>

namespace lockscope {

class FilterChip;

/// The most used filters as chips, each with the number of locks that match. Chips of rare states appear with
/// the first such lock; chips that do not fit are in the menu of the last one.
class FilterChips : public QWidget
{
    Q_OBJECT

public:
    explicit FilterChips(QWidget *parent = nullptr);

    void setCounts(const LockTableModel::Counts &counts);
    /// Checks the chips whose filters are among the words of the filter text.
    void showWords(const QStringList &words);
    /// Fits the chips into a width in pixels: the last ones go into the menu.
    void fit(int width);
    /// Returns the text with `filter` as the only chip filter, or with none. Empty for an empty filter.
    static QString toggled(QStringList words, const QString &filter, bool on);

signals:
    void chosen(const QString &filter, bool on);

protected:
    void leaveEvent(QEvent *event) override;

private:
    void showMenu();

    QList<FilterChip *> m_chips; ///< in the order of chipRows; the first stands for all locks
    QList<bool> m_wanted;        ///< by chip; stays true once the chip was shown
    FilterChip *m_more = nullptr;
    int m_width = 0;
};

} // namespace lockscope
