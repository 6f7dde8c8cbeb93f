// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockfilterbar.h"

#include "ui/locks/filterchip.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <array>

namespace lockscope {

namespace {

constexpr int barMargin = 10;
constexpr int barSpacing = 6;
constexpr int filterCharacters = 26;

/// A filter of one click.
struct ChipRow
{
    const char *word; ///< for LockFilterBar::tr()
    std::optional<Glyph> glyph;
    StatusColor statusColor;
    const char *filter; ///< what it writes into the filter field: the same as a user may type
    int LockTableModel::Counts::*count;
};

constexpr std::array chipRows{
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "All"), std::nullopt, StatusColor::Held, "",
            &LockTableModel::Counts::all},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "Deadlock"), Glyph::Circle, StatusColor::Danger,
            "state:deadlock", &LockTableModel::Counts::deadlock},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "Stalled"), Glyph::Hourglass, StatusColor::Warning,
            "state:stalled", &LockTableModel::Counts::stalled},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "No expiry"), Glyph::Infinity, StatusColor::Endless,
            "state:no-expiry", &LockTableModel::Counts::noExpiry},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "Expiring"), Glyph::ClockFace, StatusColor::Warning,
            "state:expiring", &LockTableModel::Counts::expiring},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "With waiters"), Glyph::Queue, StatusColor::Held,
            "waiters>=1", &LockTableModel::Counts::waitedOn},
    ChipRow{QT_TRANSLATE_NOOP("lockscope::LockFilterBar", "Problems"), Glyph::Triangle, StatusColor::Danger,
            "problem:any", &LockTableModel::Counts::problems},
};

} // namespace

LockFilterBar::LockFilterBar(const OwnerNames &names, const DisplayClock &clock, QWidget *parent)
    : QWidget(parent),
      m_names(names),
      m_clock(clock),
      m_field(new QLineEdit(this)),
      m_message(new QLabel(this))
{
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(barMargin, 8, barMargin, 8);
    bar->setSpacing(barSpacing);
    buildField();
    bar->addWidget(m_field, 1);

    for (const ChipRow &row : chipRows) {
        auto *chip = new FilterChip(tr(row.word), row.glyph, row.statusColor, this);
        connect(chip, &FilterChip::clicked, this,
                [this, at = static_cast<int>(m_chips.size())](bool on) { toggleChip(at, on); });
        bar->addWidget(chip);
        m_chips.append(chip);
    }
    m_chips[0]->setChecked(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setContentsMargins(14, 0, 10, 8);
    m_message->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_message);
}

void LockFilterBar::buildField()
{
    m_field->setPlaceholderText(
        tr("Filter: words in key or owner, ttl<10s, held>5m, owner:x, state:no-expiry, -not"));
    m_field->setAccessibleName(tr("Filter"));
    m_field->setToolTip(
        tr("Every word must match the key, an owner or a process name. Also key:x  owner:x  "
           "family:token  state:held  node:7001\nproblem:no-expiry  ttl<10s  held>=5m  waiters>=2 ; a "
           "leading - means not; quotes keep words together."));
    m_field->setClearButtonEnabled(true);
    m_field->addAction(glyphIcon(Glyph::Search), QLineEdit::LeadingPosition);
    m_field->setMinimumWidth(latinWidth(fontMetrics(), filterCharacters));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &LockFilterBar::readAgain);
    connect(m_field, &QLineEdit::returnPressed, this, &LockFilterBar::left);
}

bool LockFilterBar::isEmpty() const
{
    return m_field->text().isEmpty();
}

void LockFilterBar::clear()
{
    m_field->clear();
}

void LockFilterBar::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void LockFilterBar::setCounts(const LockTableModel::Counts &counts)
{
    for (qsizetype chip = 0; chip < m_chips.size(); ++chip)
        m_chips[chip]->setCount(counts.*chipRows[size_t(chip)].count);
    fitChips();
}

void LockFilterBar::readAgain()
{
    const auto filter = LockFilter::parse(m_field->text(), m_names, m_clock.cluster());
    m_message->setVisible(!filter);
    if (!filter) {
        // The last filter that made sense stays while somebody types on.
        applyTextColor(m_message, StatusColor::Danger);
        m_message->setText(filter.error());
        return;
    }
    m_filter = *filter;
    const QStringList words = m_field->text().split(u' ', Qt::SkipEmptyParts);
    bool any = false;
    for (qsizetype chip = 1; chip < m_chips.size(); ++chip) {
        const bool on = words.contains(QLatin1String(chipRows[size_t(chip)].filter));
        m_chips[chip]->setChecked(on);
        any |= on;
    }
    m_chips[0]->setChecked(!any && filter->isEmpty());
    emit filterChanged();
}

void LockFilterBar::toggleChip(int chip, bool on)
{
    QStringList words = m_field->text().split(u' ', Qt::SkipEmptyParts);
    for (const ChipRow &row : chipRows)
        words.removeAll(QLatin1String(row.filter));
    if (chip == 0)
        words.clear();
    else if (on)
        words.append(QLatin1String(chipRows[size_t(chip)].filter));
    m_field->setText(words.join(u' '));
    m_chips[0]->setChecked(words.isEmpty());
}

bool LockFilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_field || event->type() != QEvent::KeyPress ||
        static_cast<QKeyEvent *>(event)->key() != Qt::Key_Down)
        return QWidget::eventFilter(watched, event);
    emit left();
    return true;
}

void LockFilterBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitChips();
}

/// Their words give way to the filter's, which is what people type into: the last ones first, whatever they count, so that
/// none moves because a number has become 0.
void LockFilterBar::fitChips()
{
    int left = width() - latinWidth(fontMetrics(), filterCharacters) - barMargin * 2;
    for (const FilterChip *chip : m_chips)
        left -= chip->compactWidth() + barSpacing;
    for (FilterChip *chip : m_chips) {
        left -= chip->fullWidth() - chip->compactWidth();
        chip->setCompact(left < 0);
    }
}

} // namespace lockscope
