// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dialogs.h"

#include "ui/widgets/taborder.h"

#include <QDialog>
#include <QPushButton>

namespace lockscope {

void openDialog(QDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!dialog->inherits("QMessageBox") && !dialog->inherits("QFileDialog")) // Qt has ordered these
        orderTabs(*dialog);
    dialog->open();
}

QDialogButtonBox *buttonsOf(QDialog *dialog, QDialogButtonBox::StandardButtons buttons)
{
    auto *box = new QDialogButtonBox(buttons, dialog);
    for (QAbstractButton *button : box->buttons())
        button->setIcon({});
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return box;
}

} // namespace lockscope
