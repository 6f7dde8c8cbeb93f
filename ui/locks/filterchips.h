// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/locktablemodel.h"

#include <QWidget>

namespace lockscope {

class FilterChip;

/// The most wanted filters, a click each, with how many locks each would leave. Rare states have their chip from the first
/// such lock on; what has no room is in the menu of the last chip.
class FilterChips : public QWidget
{
    Q_OBJECT

public:
    explicit FilterChips(QWidget *parent = nullptr);

    void setCounts(const LockTableModel::Counts &counts);
    /// Checks those whose filters are among the words of a filter's text.
    void showWords(const QStringList &words);
    /// Into so many pixels: without words where they do not fit, then without the last chips.
    void fit(int width);
    /// The words' text with that chip's filter alone among those of the chips, or without it. An empty filter: without any text.
    static QString toggled(QStringList words, const QString &filter, bool on);

signals:
    /// By the user.
    void chosen(const QString &filter, bool on);

protected:
    void leaveEvent(QEvent *event) override;

private:
    void showMenu();

    QList<FilterChip *> m_chips; ///< as in the table of the source file; the first stands for all locks
    QList<bool> m_wanted;        ///< by chip; stays where it was wanted once
    FilterChip *m_more = nullptr;
    int m_width = 0;
};

} // namespace lockscope
