// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/layoutmenu.h"

#include "ui/actions/mainactions.h"
#include "ui/shell/keptlayouts.h"
#include "ui/widgets/plaintext.h"

#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

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
        choose->setEnabled(m_commands.saveLayout->isEnabled());
        connect(choose, &QAction::triggered, this, [this, each] { emit chosen(each.layout); });
    }
    if (!layouts.isEmpty())
        m_menu.addSeparator();
    m_menu.addAction(m_commands.saveLayout);
    if (!layouts.isEmpty()) {
        QMenu *remove = m_menu.addMenu(tr("&Delete"));
        for (const KeptLayout &each : layouts)
            connect(remove->addAction(plainMenuText(each.name)), &QAction::triggered, this,
                    [each] { keptlayouts::remove(each.name); });
    }
    m_menu.addSeparator();
    m_menu.addAction(m_commands.restoreLayout);
}

void LayoutMenu::save(const QByteArray &layout)
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save the layout"));
    dialog->setLabelText(tr("Name (replaces a layout of the same name)"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, layout](const QString &name) {
        if (keptlayouts::save({name, layout}) || name.simplified().isEmpty())
            return;
        auto *box = new QMessageBox(
            QMessageBox::Warning, tr("Save the layout"),
            tr("The layout was not saved: there are %1 already. Delete one first.").arg(keptlayouts::most),
            QMessageBox::Ok, m_window);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    dialog->open();
}

} // namespace lockscope
