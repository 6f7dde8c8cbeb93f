// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/actiondialog.h"

class QComboBox;
class QLineEdit;

namespace lockscope {

/// Takes a lock as an owner of one's choice.
class AcquireDialog : public ActionDialog
{
    Q_OBJECT

public:
    AcquireDialog(Run run, QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    QLineEdit *m_key;
    QLineEdit *m_owner;
    QComboBox *m_family;
    QLineEdit *m_lease;
    QLabel *m_keyMessage;
    QLabel *m_ownerMessage;
    QLabel *m_leaseMessage;
};

} // namespace lockscope
