// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"

class QComboBox;
class QLineEdit;

namespace lockscope {

class AcquireDialog : public ActionDialog
{
    Q_OBJECT

public:
    using FamilyOf = std::function<std::optional<Family>(const LockKey &)>;

    AcquireDialog(FamilyOf familyOf, Run run, QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    void considerKey();
    void proposeOwner();
    Family chosenFamily() const;
    QString refusal() const;

    FamilyOf m_familyOf;
    QLineEdit *m_key;
    const QString m_ownId;
    QString m_proposedOwner;
    QLineEdit *m_owner;
    QComboBox *m_family;
    QLineEdit *m_lease;
    QLabel *m_keyMessage;
    QLabel *m_familyMessage;
    QLabel *m_ownerMessage;
    QLabel *m_leaseMessage;
};

} // namespace lockscope
