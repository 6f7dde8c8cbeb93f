// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/rules.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope {

/// The family rules of a server, one per row: which library wrote locks of a pattern, where the content is
/// ambiguous. The first match applies.
class FamilyRulesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `proposed`: pattern for a new rule, such as the chosen key; may be empty.
    FamilyRulesDialog(const QList<FamilyRule> &rules, const QByteArray &proposed, QWidget *parent);

    QList<FamilyRule> rules() const; ///< without rows that lack a pattern

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

/// Returns the families for a rule, those of token locks, most common first.
QList<Family> pinnableFamilies();

} // namespace lockscope
