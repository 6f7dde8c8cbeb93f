// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope {

/// What the user knows and content can't tell: locks with such a name were written by that library. One rule a row; the
/// first that fits counts.
class FamilyRulesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `proposed`: a pattern for a new rule, for example the name of the chosen lock; empty: none.
    FamilyRulesDialog(const QList<FamilyRule> &rules, const QByteArray &proposed, QWidget *parent);

    QList<FamilyRule> rules() const; ///< without rows that have no pattern

signals:
    void chosen(const QList<lockscope::FamilyRule> &rules);

private:
    class Row;

    void addRow(const FamilyRule &rule);
    void submit();

    QVBoxLayout *m_list;
    QLabel *m_none;
    QPushButton *m_add;
    QList<Row *> m_rows;
};

/// The families that can be pinned: those that a token lock may be of. The most usual first.
QList<Family> pinnableFamilies();

} // namespace lockscope
