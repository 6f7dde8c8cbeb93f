// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filtermenu.h"

#include "core/words/texts.h"
#include "ui/locks/keptfilters.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/plaintext.h"

#include <QInputDialog>
#include <QMenu>

namespace lockscope {

namespace {

constexpr qsizetype shownCharacters = 60;

QString menuText(const QString &text)
{
    return plainMenuText(shortened(text, shownCharacters));
}

} // namespace

FilterMenu::FilterMenu(QWidget *parent) : QObject(parent), m_parent(parent) {}

void FilterMenu::open(QWidget *below, const QString &text, bool isWhole)
{
    auto *menu = new QMenu(m_parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *save = menu->addAction(tr("&Save this filter…"));
    save->setEnabled(isWhole && !text.trimmed().isEmpty());
    connect(save, &QAction::triggered, this, [this, text] {
        askName(tr("Save the filter"), {}, [text](const QString &name) { KeptFilters::save({name, text}); });
    });
    addSaved(*menu);
    const QStringList recent = KeptFilters::recent();
    menu->addSection(tr("Recent filters"));
    for (const QString &each : recent)
        connect(menu->addAction(menuText(each)), &QAction::triggered, this,
                [this, each] { emit chosen(each); });
    if (recent.isEmpty())
        menu->addAction(tr("No filter has been applied yet"))->setEnabled(false);
    menu->addSeparator();
    QAction *forget = menu->addAction(tr("&Forget recent filters"));
    forget->setEnabled(!recent.isEmpty());
    connect(forget, &QAction::triggered, this, [] { KeptFilters::forgetRecent(); });
    menu->popup(below->mapToGlobal(QPoint(0, below->height())));
}

void FilterMenu::addSaved(QMenu &menu)
{
    const QList<SavedFilter> saved = KeptFilters::saved();
    if (saved.isEmpty())
        return;
    menu.addSection(tr("Saved filters"));
    for (const SavedFilter &each : saved) {
        QAction *apply = menu.addAction(menuText(each.name));
        apply->setToolTip(plainToolTip(each.text));
        connect(apply, &QAction::triggered, this, [this, each] { emit chosen(each.text); });
    }
    menu.setToolTipsVisible(true);
    QMenu *rename = menu.addMenu(tr("&Rename"));
    QMenu *remove = menu.addMenu(tr("&Delete"));
    for (const SavedFilter &each : saved) {
        connect(rename->addAction(menuText(each.name)), &QAction::triggered, this, [this, each] {
            askName(tr("Rename the filter"), each.name,
                    [each](const QString &name) { KeptFilters::rename(each.name, name); });
        });
        connect(remove->addAction(menuText(each.name)), &QAction::triggered, this,
                [each] { KeptFilters::remove(each.name); });
    }
}

void FilterMenu::askName(const QString &title, const QString &name,
                         const std::function<void(const QString &)> &then)
{
    auto *dialog = new QInputDialog(m_parent);
    dialog->setWindowTitle(title);
    dialog->setLabelText(Texts::tr("Name"));
    dialog->setTextValue(name);
    connect(dialog, &QInputDialog::textValueSelected, this, then);
    openDialog(dialog);
}

} // namespace lockscope
