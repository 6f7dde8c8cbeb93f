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
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

const QString seenSetting = QStringLiteral("window/tourSeen");
constexpr int textCharacters = 40;
constexpr int gap = 12;
constexpr std::chrono::milliseconds followInterval(150);

enum Step : quint8 { Table, States, Row, Inspector, Remedy, Traces };
constexpr std::array<const char *, Tour::steps> texts{
    QT_TRANSLATE_NOOP("lockscope::Tour",
                      "Each row is a lock, updated live. Locks that need attention come first."),
    QT_TRANSLATE_NOOP("lockscope::Tour", "The state says what is wrong. F1 explains it and what to do."),
    QT_TRANSLATE_NOOP("lockscope::Tour", "This lock is now selected. In the state “Dead waiter”, the first "
                                         "waiter has crashed and blocks the queue until its timeout."),
    QT_TRANSLATE_NOOP(
        "lockscope::Tour",
        "The inspector shows who owns the selected lock, why it is held, the evidence, and what you can do."),
    QT_TRANSLATE_NOOP("lockscope::Tour", "While the waiter is dead, press “Remove waiter…” here and confirm. "
                                         "A script checks again that it is dead."),
    QT_TRANSLATE_NOOP("lockscope::Tour",
                      "Events show what happened, and the audit log what you did. Open them "
                      "here."),
};

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
    setLayout(columnOf({m_text, lineOf({Stretch{1}, m_skip, m_next})}, gap, {14, 12, 14, 12}));
    connect(m_skip, &QPushButton::clicked, this, &Tour::deleteLater);
    connect(m_next, &QPushButton::clicked, this,
            [this] { m_step + 1 < steps ? goTo(m_step + 1) : deleteLater(); });
    connect(this, &QObject::destroyed, m_mark, &QObject::deleteLater); // the window may delete the mark first
    connect(this, &QObject::destroyed, m_locks, &LocksPage::focusTable);
    connect(&m_timer, &QTimer::timeout, this, &Tour::followPlace);
    m_timer.start(followInterval);
    m_mark->show();
    show();
    m_next->setFocus();
    // Once the panels have their places.
    QTimer::singleShot(0, this, [this] { goTo(Table); });
}

bool Tour::wasSeen()
{
    return Settings().value(seenSetting).toBool();
}

/// The window has Escape as a shortcut: here it ends the tour.
bool Tour::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QWidget::event(event);
}

void Tour::keyPressEvent(QKeyEvent *event)
{
    auto *button = qobject_cast<QPushButton *>(focusWidget());
    if (event->key() == Qt::Key_Escape)
        deleteLater();
    else if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        button->click();
    else
        QWidget::keyPressEvent(event);
}

void Tour::paintEvent(QPaintEvent *)
{
    drawFrame(*this, palette().base());
}

void Tour::goTo(int step)
{
    m_step = step;
    m_text->setText(tr("%1 of %2. %3", "step, of how many, its text")
                        .arg(QString::number(step + 1), QString::number(steps), tr(texts[size_t(step)])));
    m_skip->setVisible(step + 1 < steps);
    m_next->setText(step + 1 < steps ? tr("&Next") : tr("&Done"));
    if (step == Row)
        m_locks->choose(LockKey(stuckLock));
    followPlace();
    moveAside();
}

const QWidget *Tour::subject() const
{
    if (m_step < Inspector)
        return m_locks->findChild<QTableView *>();
    return m_step == Traces ? static_cast<const QWidget *>(m_window.findChild<QToolBar *>())
                            : m_window.findChild<InspectorPanel *>();
}

/// Returns what the step speaks of, in the window.
QRect Tour::place() const
{
    const auto *table = m_locks->findChild<QTableView *>();
    const auto *inspector = m_window.findChild<InspectorPanel *>();
    const QWidget *widget = subject();
    QRect part = widget->rect();
    if (m_step == States) {
        part.setWidth(table->columnWidth(int(LockColumn::State)));
    } else if (m_step == Row) {
        const QRect cell = table->visualRect(m_locks->model().indexOf(LockKey(stuckLock)));
        part =
            cell.isValid() ? QRect(0, table->viewport()->y() + cell.y(), part.width(), cell.height()) : part;
    } else if (m_step == Remedy) {
        for (const QToolButton *button : inspector->findChildren<QToolButton *>()) {
            if (button->defaultAction() == m_commands.removeWaiter && button->isVisible())
                widget = button;
        }
        part = widget->rect();
    } else if (m_step == Traces) {
        const auto *bar = m_window.findChild<QToolBar *>();
        part = bar->widgetForAction(m_commands.showEvents)->geometry() |
               bar->widgetForAction(m_commands.showAudit)->geometry();
        part &= bar->rect();
    }
    return {widget->mapTo(&m_window, part.topLeft()), part.size()};
}

void Tour::followPlace()
{
    setVisible(m_locks->isVisible()); // not the simulation
    m_mark->setVisible(isVisible() && subject()->isVisible());
    if (!m_mark->isVisible())
        return;
    m_mark->setGeometry(place().adjusted(-3, -3, 3, 3) & m_window.rect());
    m_mark->raise();
    raise();
}

/// Moves next to the marked place; it stays there, whatever moves below it.
void Tour::moveAside()
{
    adjustSize();
    const QRect mark = m_mark->geometry(), room = m_window.rect().adjusted(gap, gap, -gap, -gap);
    const std::array corners{
        QPoint(mark.right() + gap, mark.top()), QPoint(mark.left() - gap - width(), mark.top()),
        QPoint(mark.left(), mark.bottom() + gap), QPoint(mark.right() - width(), mark.bottom() + gap)};
    const auto *const free = std::ranges::find_if(
        corners, [&](const QPoint &corner) { return room.contains(QRect(corner, size())); });
    move(free != corners.end() ? *free : room.bottomRight() - QPoint(width(), height() + 2 * gap));
}

} // namespace lockscope
