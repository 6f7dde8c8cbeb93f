// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filterchips.h"

#include "core/words/texts.h"
#include "ui/locks/filterchip.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr int spacing = 6;

struct ChipRow
{
    const char *word; ///< for Texts::tr()
    std::optional<Glyph> glyph;
    StatusColor statusColor;
    const char *filter;
    const char *help; ///< anchor
    int LockTableModel::Counts::*count;
    bool isRare = false; ///< hidden until the first such lock
};

constexpr std::array chipRows{
    ChipRow{QT_TRANSLATE_NOOP("phrases", "All"), std::nullopt, StatusColor::Held, "", "lock-filter",
            &LockTableModel::Counts::all},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Deadlock"), Glyph::Circle, StatusColor::Danger, "state:deadlock",
            "deadlock", &LockTableModel::Counts::deadlock, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Orphaned"), Glyph::Unlinked, StatusColor::Endless, "state:orphaned",
            "orphaned", &LockTableModel::Counts::orphaned, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Corrupt"), Glyph::Octagon, StatusColor::Danger, "state:corrupt",
            "corrupt", &LockTableModel::Counts::corrupt, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "No expiry"), Glyph::Infinity, StatusColor::Endless, "no-expiry:any",
            "no-expiry", &LockTableModel::Counts::noExpiry},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Stalled"), Glyph::Hourglass, StatusColor::Warning, "state:stalled",
            "stalled", &LockTableModel::Counts::stalled},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Dead waiter"), Glyph::Cross, StatusColor::Danger,
            "problem:dead-waiter", "dead-waiter", &LockTableModel::Counts::deadWaiter, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Holder likely dead"), Glyph::Cross, StatusColor::Danger,
            "problem:holder-dead", "holder-dead", &LockTableModel::Counts::deadHolder, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Problems"), Glyph::Triangle, StatusColor::Danger, "problem:any",
            "problems", &LockTableModel::Counts::problems},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "With waiters"), Glyph::Queue, StatusColor::Held, "waiters>=1",
            "waiters", &LockTableModel::Counts::waitedOn},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Expiring"), Glyph::ClockFace, StatusColor::Warning,
            "state:expiring", "expiring", &LockTableModel::Counts::expiring},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "No expiry, ambiguous"), Glyph::Infinity, StatusColor::Muted,
            "no-expiry:open", "no-expiry-open", &LockTableModel::Counts::openExpiry, true},
    ChipRow{QT_TRANSLATE_NOOP("phrases", "Possible"), Glyph::Search, StatusColor::Muted, "state:possible",
            "possible", &LockTableModel::Counts::possible, true},
};

} // namespace

FilterChips::FilterChips(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    for (const ChipRow &row : chipRows) {
        auto *chip = new FilterChip(Texts::tr(row.word), row.glyph, row.statusColor, this);
        chip->setProperty("helpTopic", QString::fromLatin1(row.help));
        connect(chip, &FilterChip::clicked, this,
                [this, filter = QString::fromLatin1(row.filter)](bool on) { emit chosen(filter, on); });
        layout->addWidget(chip);
        m_chips.append(chip);
        m_wanted.append(!row.isRare);
    }
    m_chips[0]->setChecked(true);
    m_more = new FilterChip(tr("More ▾", "filters"), std::nullopt, StatusColor::Held, this);
    m_more->setCount(FilterChip::noCount);
    m_more->setAccessibleName(tr("More filters"));
    layout->addWidget(m_more);
    m_more->hide();
    connect(m_more, &FilterChip::clicked, this, &FilterChips::showMenu);
    setMinimumWidth(1); // whoever has more chips than room sees them in the menu
}

void FilterChips::setCounts(const LockTableModel::Counts &counts)
{
    for (qsizetype chip = 0; chip < m_chips.size(); ++chip) {
        m_chips[chip]->setCount(counts.*chipRows[size_t(chip)].count);
        m_wanted[chip] |= m_chips[chip]->count() > 0;
    }
}

void FilterChips::showWords(const QStringList &words)
{
    bool any = false;
    for (qsizetype chip = 1; chip < m_chips.size(); ++chip) {
        const bool on = words.contains(QLatin1String(chipRows[size_t(chip)].filter));
        m_chips[chip]->setChecked(on);
        m_wanted[chip] |= on;
        any |= on;
    }
    m_chips[0]->setChecked(!any && words.isEmpty());
    fit(m_width);
}

QString FilterChips::toggled(QStringList words, const QString &filter, bool on)
{
    if (filter.isEmpty())
        return {};
    for (const ChipRow &row : chipRows)
        words.removeAll(QLatin1String(row.filter));
    if (on)
        words.append(filter);
    return words.join(u' ');
}

/// Hides chips from the end, whatever they count, so that a count of 0 moves none. While the mouse is over
/// the chips, none appears or disappears.
void FilterChips::fit(int width)
{
    const bool isOther = std::exchange(m_width, width) != width;
    const auto isThere = [&](qsizetype chip) {
        return m_wanted[chip] && (isOther || !underMouse() || !m_chips[chip]->isHidden());
    };
    const auto widthOf = [&](qsizetype upTo) {
        int all = -spacing;
        for (qsizetype chip = 0; chip < upTo; ++chip)
            all += isThere(chip) ? m_chips[chip]->sizeHint().width() + spacing : 0;
        return all;
    };
    qsizetype fitting = m_chips.size();
    if (widthOf(fitting) > width) {
        const int left = width - m_more->sizeHint().width() - spacing;
        while (fitting > 1 && widthOf(fitting) > left)
            --fitting;
    }
    bool isOneChecked = false;
    for (qsizetype chip = 0; chip < m_chips.size(); ++chip) {
        m_chips[chip]->setVisible(isThere(chip) && chip < fitting);
        isOneChecked |= m_wanted[chip] && m_chips[chip]->isHidden() && m_chips[chip]->isChecked();
    }
    m_more->setChecked(isOneChecked);
    m_more->setVisible(fitting < m_chips.size());
}

void FilterChips::showMenu()
{
    fit(m_width); // a click checks it
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (qsizetype chip = 0; chip < m_chips.size(); ++chip) {
        if (!m_wanted[chip] || !m_chips[chip]->isHidden())
            continue;
        const ChipRow &row = chipRows[size_t(chip)];
        QAction *action = menu->addAction(
            glyphIcon(*row.glyph), tr("%1: %2", "a filter, a number of locks")
                                       .arg(Texts::tr(row.word), QLocale().toString(m_chips[chip]->count())));
        action->setCheckable(true);
        action->setChecked(m_chips[chip]->isChecked());
        connect(action, &QAction::toggled, this,
                [this, filter = QString::fromLatin1(row.filter)](bool on) { emit chosen(filter, on); });
    }
    menu->popup(m_more->mapToGlobal(m_more->rect().bottomLeft()));
}

void FilterChips::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    fit(m_width);
}

} // namespace lockscope
