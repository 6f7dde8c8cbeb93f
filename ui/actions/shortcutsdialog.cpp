// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/shortcutsdialog.h"

#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QAction>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>

namespace lockscope {

namespace {

enum Column { CommandColumn, KeysColumn };
constexpr int actionRole = Qt::UserRole;

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<CommandGroup> &groups, Shortcuts &shortcuts, QWidget *parent)
    : QDialog(parent),
      m_groups(groups),
      m_shortcuts(shortcuts),
      m_words(new QLineEdit(this)),
      m_tree(new QTreeWidget(this)),
      m_keys(new QKeySequenceEdit(this)),
      m_assign(new QPushButton(tr("&Assign"), this)),
      m_reset(new QPushButton(tr("&Usual keys"), this)),
      m_message(plainLabel(this))
{
    setWindowTitle(tr("Keyboard shortcuts"));
    m_words->setPlaceholderText(tr("Find a command or key"));
    m_words->setAccessibleName(Texts::tr("Find a command"));
    addClearButton(m_words);
    m_tree->setAccessibleName(tr("Commands"));
    m_tree->setHeaderLabels({tr("Command"), tr("Keys")});
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    setSpokenRole(m_keys, QAccessible::HotkeyField); // before it has a name, which is spoken of at once
    m_keys->setAccessibleName(tr("Keys of the selected command"));
    auto *keys = m_keys->findChild<QLineEdit *>();
    keys->setAccessibleName(m_keys->accessibleName());
    addClearButton(keys);
    auto *label = new QLabel(tr("&Keys:"), this);
    label->setBuddy(m_keys);
    auto *change = lineOf({label, {m_keys, 1}, m_assign, m_reset});
    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    auto *resetAll = buttons->addButton(tr("Reset a&ll"), QDialogButtonBox::ResetRole);
    for (QPushButton *button : {m_assign, m_reset, resetAll})
        button->setAutoDefault(false);
    setLayout(columnOf({m_words, {m_tree, 1}, change, m_message, buttons}, usualSpacing, {14, 14, 14, 12}));
    resize(latinWidth(fontMetrics(), 92), 34 * fontMetrics().lineSpacing());
    connect(m_words, &QLineEdit::textChanged, this, &ShortcutsDialog::narrow);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::showCurrent);
    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsDialog::consider);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutsDialog::assign);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (const QAction *action = current())
            m_shortcuts.reset(action);
    });
    connect(resetAll, &QPushButton::clicked, &m_shortcuts, &Shortcuts::resetAll);
    connect(&m_shortcuts, &Shortcuts::changed, this, &ShortcutsDialog::list);
    list();
    m_tree->header()->resizeSection(CommandColumn, latinWidth(fontMetrics(), 54));
    m_words->setFocus();
}

const QAction *ShortcutsDialog::current() const
{
    const QTreeWidgetItem *item = m_tree->currentItem();
    return item ? item->data(CommandColumn, actionRole).value<QAction *>() : nullptr;
}

void ShortcutsDialog::list()
{
    const QAction *before = current();
    m_tree->clear();
    for (const CommandGroup &group : std::as_const(m_groups)) {
        auto *heading = new QTreeWidgetItem(m_tree, {group.name});
        heading->setFont(CommandColumn, strong(font()));
        heading->setFlags(Qt::ItemIsEnabled);
        for (QAction *action : group.actions) {
            auto *item = new QTreeWidgetItem(heading, {commandText(*action), commandKeys(*action)});
            item->setData(CommandColumn, actionRole, QVariant::fromValue(action));
            if (m_shortcuts.isChanged(action) && m_shortcuts.actions().contains(action))
                item->setFont(KeysColumn, strong(font()));
            if (action == before)
                m_tree->setCurrentItem(item);
        }
    }
    m_tree->expandAll();
    narrow();
    showCurrent();
}

void ShortcutsDialog::narrow()
{
    const QString wanted = m_words->text().trimmed();
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *group = m_tree->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem *item = group->child(j);
            const bool fits = item->text(CommandColumn).contains(wanted, Qt::CaseInsensitive) ||
                              item->text(KeysColumn).contains(wanted, Qt::CaseInsensitive);
            item->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

void ShortcutsDialog::showCurrent()
{
    const QAction *action = current();
    const bool canChange =
        action && std::ranges::find(m_shortcuts.actions(), action) != m_shortcuts.actions().end();
    m_keys->setEnabled(canChange);
    m_reset->setEnabled(canChange && m_shortcuts.isChanged(action));
    m_keys->setKeySequence(canChange ? action->shortcut() : QKeySequence());
    consider();
}

void ShortcutsDialog::consider()
{
    const QAction *action = current();
    const QKeySequence keys = m_keys->keySequence();
    const QAction *other = action && m_keys->isEnabled() ? m_shortcuts.userOf(keys, action) : nullptr;
    m_assign->setEnabled(m_keys->isEnabled() && !other && keys != action->shortcut());
    applyTextColor(m_message, other ? StatusColor::Danger : StatusColor::Muted);
    m_message->setText(other ? tr("“%1” has these keys. Choose others.").arg(commandText(*other))
                       : m_keys->isEnabled() ? tr("Press the keys; leave empty for none.")
                                             : tr("Select a command to change its keys."));
}

void ShortcutsDialog::assign()
{
    if (const QAction *action = current())
        m_shortcuts.set(action, m_keys->keySequence());
}

} // namespace lockscope
