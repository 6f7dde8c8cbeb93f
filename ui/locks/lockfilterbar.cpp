// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockfilterbar.h"

#include "ui/locks/filterchips.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace lockscope {

namespace {

constexpr int barMargin = 10;
constexpr int barSpacing = 6;
constexpr int filterCharacters = 26;

} // namespace

LockFilterBar::LockFilterBar(const OwnerNames &names, const DisplayClock &clock, QWidget *parent)
    : QWidget(parent),
      m_names(names),
      m_clock(clock),
      m_field(new QLineEdit(this)),
      m_message(new QLabel(this)),
      m_chips(new FilterChips(this))
{
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(barMargin, 8, barMargin, 8);
    bar->setSpacing(barSpacing);
    buildField();
    bar->addWidget(m_field, 1);

    bar->addWidget(m_chips);
    connect(m_chips, &FilterChips::chosen, this, [this](const QString &filter, bool on) {
        m_field->setText(FilterChips::toggled(m_field->text(), filter, on));
        m_chips->showText(m_field->text()); // also where it is as it was
    });
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
    m_chips->setCounts(counts);
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
    m_chips->showText(m_field->text());
    emit filterChanged();
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

/// The chips give way to the field, which is what people type into.
void LockFilterBar::fitChips()
{
    m_chips->fit(width() - latinWidth(fontMetrics(), filterCharacters) - barMargin * 2 - barSpacing);
}

} // namespace lockscope
