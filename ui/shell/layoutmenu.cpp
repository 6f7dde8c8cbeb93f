// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/layoutmenu.h"

#include "ui/actions/mainactions.h"
#include "ui/shell/keptlayouts.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/plaintext.h"

#include <QDialogButtonBox>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace lockscope {

LayoutMenu::LayoutMenu(QMenu &menu, MainActions &commands, QWidget *window)
    : QObject(window), m_menu(menu), m_commands(commands), m_window(window)
{
    menu.setToolTipsVisible(true);
    connect(&menu, &QMenu::aboutToShow, this, &LayoutMenu::fill);
    fill();
}

void LayoutMenu::fill()
{
    m_menu.clear();
    qDeleteAll(m_menu.findChildren<QMenu *>(Qt::FindDirectChildrenOnly));
    const QList<KeptLayout> layouts = keptlayouts::all();
    for (const KeptLayout &each : layouts) {
        QAction *choose = m_menu.addAction(plainMenuText(each.name));
        // The palette and the keyboard reach it without the menu's opening.
        const auto follow = [choose, save = m_commands.saveLayout] { choose->setEnabled(save->isEnabled()); };
        connect(m_commands.saveLayout, &QAction::changed, choose, follow);
        follow();
        connect(choose, &QAction::triggered, this, [this, each] { emit chosen(each.layout); });
    }
    if (!layouts.isEmpty())
        m_menu.addSeparator();
    m_menu.addAction(m_commands.saveLayout);
    if (!layouts.isEmpty()) {
        QMenu *remove = m_menu.addMenu(tr("&Delete"));
        for (const KeptLayout &each : layouts)
            connect(remove->addAction(plainMenuText(each.name)), &QAction::triggered, this, [this, each] {
                keptlayouts::remove(each.name);
                // Not at once: the action belongs to the menu that is made anew.
                QMetaObject::invokeMethod(this, &LayoutMenu::fill, Qt::QueuedConnection);
            });
    }
    m_menu.addSeparator();
    m_menu.addAction(m_commands.restoreLayout);
}

void LayoutMenu::save(const QByteArray &layout)
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setWindowTitle(tr("Save the layout"));
    dialog->setLabelText(tr("Name (replaces a layout of the same name)"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, layout](const QString &name) {
        if (name.simplified().isEmpty())
            return;
        if (keptlayouts::save({name, layout}))
            return fill();
        auto *box = new QMessageBox(
            QMessageBox::Warning, tr("Save the layout"),
            tr("The layout was not saved: there are %1 already. Delete one first.").arg(keptlayouts::most),
            QMessageBox::Ok, m_window);
        openDialog(box);
    });
    openDialog(dialog);
    // The dialog has its button only now.
    QPushButton *save = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    const auto allow = [save](const QString &name) { save->setEnabled(!name.simplified().isEmpty()); };
    connect(dialog, &QInputDialog::textValueChanged, save, allow);
    allow({});
}

} // namespace lockscope
