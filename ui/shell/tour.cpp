// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/tour.h"

#include "core/base/settings.h"
#include "ui/actions/mainactions.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/locks/lockspage.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace lockscope {

namespace {

const QString seenSetting = QStringLiteral("window/tourSeen");
constexpr int textCharacters = 40;
constexpr int gap = 12;
constexpr std::chrono::milliseconds followInterval(150);

void drawFrame(QWidget &widget, const QBrush &inside)
{
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(widget.palette().color(QPalette::Link), 2));
    painter.setBrush(inside);
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(1, 1, -1, -1), 4, 4);
}

/// A frame around a place, which lets clicks through.
class Mark : public QWidget
{
public:
    explicit Mark(QWidget *window) : QWidget(window) { setAttribute(Qt::WA_TransparentForMouseEvents); }

protected:
    void paintEvent(QPaintEvent *) override { drawFrame(*this, Qt::NoBrush); }
};

} // namespace

Tour::Tour(QMainWindow &window, MainActions &commands)
    : QWidget(&window),
      m_window(window),
      m_commands(commands),
      m_locks(window.findChild<LocksPage *>()),
      m_mark(new Mark(&window)),
      m_text(plainLabel(this)),
      m_skip(new QPushButton(tr("S&kip"), this)),
      m_next(new QPushButton(this))
{
    Settings().setValue(seenSetting, true);
    setAccessibleName(tr("Tour of the demo"));
    m_text->setMinimumWidth(latinWidth(fontMetrics(), textCharacters));
    connect(m_skip, &QPushButton::clicked, this, &Tour::deleteLater);
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_step + 1 < steps ? goTo(m_step + 1) : deleteLater(); });
    setLayout(columnOf({m_text, lineOf({Stretch{1}, m_skip, m_next})}, gap, {14, 12, 14, 12}));
    connect(this, &QObject::destroyed, m_mark, &QObject::deleteLater); // the window may delete the mark first
    connect(&m_timer, &QTimer::timeout, this, &Tour::followPlace);
    m_timer.start(followInterval);
    m_mark->show();
    show();
    m_next->setFocus();
    // Once the panels have their places.
    QTimer::singleShot(0, this, [this] { goTo(0); });
}

void Tour::paintEvent(QPaintEvent *)
{
    drawFrame(*this, palette().base());
}

bool Tour::wasSeen()
{
    return Settings().value(seenSetting).toBool();
}

void Tour::goTo(int step)
{
    m_step = step;
    m_text->setText(
        tr("%1 of %2. %3", "step, of how many, its text").arg(step + 1).arg(steps).arg(textOf(step)));
    m_text->setAccessibleName(m_text->text());
    m_skip->setVisible(step + 1 < steps);
    m_next->setText(step + 1 < steps ? tr("&Next") : tr("&Done"));
    if (step == 2)
        m_locks->choose(LockKey(stuckLock));
    followPlace();
    moveAside();
}

QString Tour::textOf(int step) const
{
    switch (step) {
    case 0:
        return tr(
            "Each row is a lock of this Redis server, updated live. Locks that need attention come first.");
    case 1:
        return tr("The state says what is wrong. Press F1 on a row to read what it means and what to do.");
    case 2:
        return tr(
            "This lock is now selected. Its queue is stuck: the first waiter has crashed, and those behind "
            "it wait until it times out.");
    case 3:
        return tr(
            "The inspector says who owns the selected lock, why it is held, how Lockscope knows, and what "
            "you can do.");
    case 4:
        return tr("Press “%1” here and confirm. The script checks first that the waiter is still dead.")
            .arg(m_commands.removeWaiter->iconText());
    default:
        return tr(
            "The queue moves again. Events show what happened, and the audit log what you did. Open them "
            "here.");
    }
}

QRect Tour::placeOf(int step) const
{
    const auto *table = m_locks->findChild<QTableView *>();
    const auto *inspector = m_window.findChild<InspectorPanel *>();
    switch (step) {
    case 0:
        return placeOf(table);
    case 1: {
        const int column = static_cast<int>(LockColumn::State);
        const QRect cells(table->columnViewportPosition(column), 0, table->columnWidth(column),
                          table->viewport()->height());
        return placeOf(table->viewport(), cells.adjusted(0, -table->horizontalHeader()->height(), 0, 0));
    }
    case 2: {
        const QRect cell = table->visualRect(m_locks->model().indexOf(LockKey(stuckLock), LockColumn::State));
        return cell.isValid()
                   ? placeOf(table->viewport(), QRect(0, cell.y(), table->viewport()->width(), cell.height()))
                   : placeOf(table);
    }
    case 4:
        for (const QToolButton *button : inspector->findChildren<QToolButton *>()) {
            if (button->defaultAction() == m_commands.removeWaiter && button->isVisible())
                return placeOf(button);
        }
        [[fallthrough]];
    case 3:
        return placeOf(inspector);
    default:
        break;
    }
    const auto *bar = m_window.findChild<QToolBar *>();
    QRect place;
    for (QAction *action : {m_commands.showEvents, m_commands.showAudit}) {
        if (const QWidget *button = bar->widgetForAction(action); button && button->isVisible())
            place |= placeOf(button);
    }
    return place.isValid() ? place : placeOf(bar);
}

QRect Tour::placeOf(const QWidget *widget, const QRect &part) const
{
    const QRect place = part.isValid() ? part : widget->rect();
    return {widget->mapTo(&m_window, place.topLeft()), place.size()};
}

void Tour::followPlace()
{
    m_mark->setGeometry(placeOf(m_step).adjusted(-3, -3, 3, 3) & m_window.rect());
    m_mark->raise();
    raise();
}

/// Moves next to the marked place; it stays there, whatever moves below it.
void Tour::moveAside()
{
    adjustSize();
    const QRect place = m_mark->geometry(), room = m_window.rect().adjusted(gap, gap, -gap, -gap);
    const QList<QPoint> corners{{place.right() + gap, place.top()},
                                {place.left() - gap - width(), place.top()},
                                {place.left(), place.bottom() + gap},
                                {place.right() - width(), place.bottom() + gap},
                                {place.left(), place.top() - gap - height()}};
    const auto fits = [&](const QPoint &corner) { return room.contains(QRect(corner, size())); };
    const auto free = std::ranges::find_if(corners, fits);
    move(free != corners.end() ? *free : room.bottomRight() - QPoint(width(), height() + 2 * gap));
}

} // namespace lockscope
