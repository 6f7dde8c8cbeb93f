// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/commandpalette.h"

#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/spokenrole.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int rowsInSight = 14;

bool matches(const QString &text, const QStringList &words)
{
    return std::ranges::all_of(words,
                               [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(const QList<CommandGroup> &groups, QWidget *parent)
    : QDialog(parent), m_groups(groups), m_words(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setWindowTitle(tr("Commands"));
    m_words->setPlaceholderText(tr("Type to find a command"));
    m_words->setAccessibleName(Texts::tr("Find a command"));
    addClearButton(m_words);
    m_words->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setUniformItemSizes(true);
    m_list->setMinimumHeight(rowsInSight * (fontMetrics().height() + 6));
    setLayout(columnOf({m_words, m_list}, usualSpacing, {10, 10, 10, 10}));
    setMinimumWidth(latinWidth(fontMetrics(), 76));
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(m_words, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    list();
}

void CommandPalette::list()
{
    m_list->clear();
    const QStringList words = m_words->text().split(u' ', Qt::SkipEmptyParts);
    for (const bool isPossible : {true, false}) {
        for (const CommandGroup &group : std::as_const(m_groups)) {
            for (QAction *action : group.actions) {
                const QString text = group.name + QStringLiteral(" › ") + commandText(*action);
                if (action->isEnabled() != isPossible || !matches(text, words))
                    continue;
                const QString keys = commandKeys(*action);
                auto *item = new QListWidgetItem(
                    keys.isEmpty() ? text : tr("%1   (%2)", "a command and its keys").arg(text, keys),
                    m_list);
                item->setData(Qt::UserRole, QVariant::fromValue(QPointer(action)));
                item->setToolTip(action->toolTip());
                if (!isPossible)
                    item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
            }
        }
    }
    m_list->setCurrentRow(0);
}

/// Arrow keys move in the list while letters go to the field.
bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const int page = rowsInSight - 1;
        const int step = key->key() == Qt::Key_Down       ? 1
                         : key->key() == Qt::Key_Up       ? -1
                         : key->key() == Qt::Key_PageDown ? page
                         : key->key() == Qt::Key_PageUp   ? -page
                                                          : 0;
        if (step != 0 && m_list->count() > 0) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

/// Runs after closing, so that nothing opens beneath this dialog.
void CommandPalette::runCurrent()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const auto action = item->data(Qt::UserRole).value<QPointer<QAction>>();
    accept();
    if (action && action->isEnabled())
        QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

} // namespace lockscope
