// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figurecolumns.h"

#include "core/words/durations.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int figureMargin = 10; // both sides
constexpr std::chrono::milliseconds fitDelay{50};

class FigureDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

} // namespace

int durationWidth(const QFontMetrics &metrics)
{
    using namespace std::chrono;
    int widest = 0;
    for (const milliseconds sample :
         {milliseconds(999ms), milliseconds(59min + 59s), milliseconds(23h + 59min),
          milliseconds(days(364) + 23h), milliseconds(days(365) * 999 + days(364))})
        widest = std::max(widest, metrics.horizontalAdvance(QStringLiteral("≥ ") + describe(sample)));
    return widest;
}

int visibleTextWidth(const QAbstractItemView &view, int column)
{
    return view.isVisible() ? view.sizeHintForColumn(column) : 0; // hidden, it would measure all rows
}

bool canWiden(const QAbstractItemView &view)
{
    return !view.underMouse();
}

FigureColumns::FigureColumns(QHeaderView *header, const QList<int> &durations, const QList<int> &numbers)
    : QObject(header),
      m_header(header),
      m_view(qobject_cast<QAbstractItemView *>(header->parentWidget())),
      m_durations(durations)
{
    auto *delegate = new FigureDelegate(this);
    for (const int column : durations + numbers) {
        header->resizeSection(column, 0); // at first as wide as its title
        m_widths.insert(column, 0);
        m_view->setItemDelegateForColumn(column, delegate);
    }
    header->setResizeContentsPrecision(0); // the visible rows
    reset();
    m_due.setSingleShot(true);
    m_due.setInterval(fitDelay);
    connect(&m_due, &QTimer::timeout, this, &FigureColumns::fit);
    const auto schedule = [this] {
        if (!m_due.isActive())
            m_due.start();
    };
    const QAbstractItemModel *model = m_view->model();
    connect(model, &QAbstractItemModel::dataChanged, this, schedule);
    connect(model, &QAbstractItemModel::layoutChanged, this, schedule);
    connect(model, &QAbstractItemModel::modelReset, this, schedule);
    connect(model, &QAbstractItemModel::rowsInserted, this, schedule);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, schedule);
    m_view->installEventFilter(this);
}

bool FigureColumns::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        reset();
    if (event->type() == QEvent::Show || event->type() == QEvent::Leave || event->type() == QEvent::Resize ||
        event->type() == QEvent::FontChange)
        m_due.start();
    return QObject::eventFilter(watched, event);
}

void FigureColumns::reset()
{
    const int duration = durationWidth(m_view->fontMetrics()) + figureMargin;
    for (const int column : m_widths.keys())
        widen(column,
              std::max(m_header->sectionSizeHint(column), m_durations.contains(column) ? duration : 0));
}

void FigureColumns::fit()
{
    if (!m_view->isVisible() || (m_isFilled && !canWiden(*m_view)))
        return;
    for (const int column : m_widths.keys()) {
        if (!m_header->isSectionHidden(column))
            widen(column, visibleTextWidth(*m_view, column));
    }
    m_isFilled = m_view->model()->rowCount() > 0;
}

/// Also if a layout of an older version has made the column smaller.
void FigureColumns::widen(int column, int width)
{
    int &least = m_widths[column];
    least = std::max(least, width);
    if (m_header->sectionSize(column) < least && !m_header->isSectionHidden(column))
        m_header->resizeSection(column, least);
}

} // namespace lockscope
