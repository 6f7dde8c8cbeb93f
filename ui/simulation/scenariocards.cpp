// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/scenariocards.h"

#include "core/simulation/scenario/scenario.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int cardCharacters = 52; ///< least width of a card
constexpr int cardSpacing = 10;
constexpr int margin = 12;
constexpr double expectedScale = 1.1;

class Card : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        const bool isFocused = isAncestorOf(QApplication::focusWidget());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(isFocused ? QPen(textColor(StatusColor::Held, palette()), 2)
                                 : QPen(borderColor(palette()), 1));
        painter.setBrush(palette().base());
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
};

} // namespace

ScenarioCards::ScenarioCards(QWidget *parent)
    : QScrollArea(parent), m_forbidden(plainLabel(this)), m_grid(new QGridLayout)
{
    setAccessibleName(tr("Scenarios"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    m_forbidden->setObjectName(QStringLiteral("simulationForbidden"));
    m_forbidden->hide();
    applyBannerStyle(m_forbidden, StatusColor::Warning);
    m_grid->setSpacing(cardSpacing);
    auto *body = new QWidget(this);
    body->setLayout(columnOf({m_forbidden, m_grid, Stretch{}}, cardSpacing, {margin, 2, margin, margin}));
    setWidget(body);
    for (const Scenario &scenario : scenarios())
        addCard(&scenario);
    addCard(nullptr);
    connect(qApp, &QApplication::focusChanged, body, qOverload<>(&QWidget::update));
}

void ScenarioCards::addCard(const Scenario *scenario)
{
    auto *card = new Card(widget());
    const QString name = scenario ? inWords(scenario->title) : tr("Custom setup");
    auto *title = new QLabel(name, card);
    title->setFont(strong(title->font(), 1.3));
    title->setTextFormat(Qt::PlainText);
    auto *purpose = new QLabel(
        scenario ? inWords(scenario->purpose) : tr("Choose strategy, workers, times and faults."), card);
    auto *expected = new QLabel(
        scenario ? Texts::tr("Expected: %1").arg(inWords(scenario->expectation)) : QString(), card);
    for (QLabel *label : {purpose, expected}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    QFont larger = font();
    larger.setPointSizeF(larger.pointSizeF() * expectedScale);
    expected->setFont(larger);
    applyTextColor(purpose, StatusColor::Muted);
    const auto button = [&](const QString &text) {
        auto *made = new QPushButton(text, card);
        made->setAutoDefault(true); // Return presses it
        made->setAccessibleName(tr("%1: %2", "button, scenario").arg(text, name));
        made->setAccessibleDescription(purpose->text() + u' ' + expected->text());
        made->installEventFilter(this);
        return made;
    };
    QPushButton *run = nullptr;
    if (scenario) {
        run = button(Texts::tr("Run"));
        run->setIcon(glyphIcon(Glyph::Play));
        connect(run, &QPushButton::clicked, this, [this, scenario] { emit runWanted(scenario); });
        m_runs.append(run);
    }
    QPushButton *settings = button(tr("Settings"));
    connect(settings, &QPushButton::clicked, this, [this, scenario] { emit settingsWanted(scenario); });
    card->setObjectName(scenario ? QString::fromLatin1(scenario->name) : QStringLiteral("custom"));
    card->setFocusProxy(run ? run : settings);
    auto *head = lineOf({{title, 1}, run, settings}, 6);
    card->setLayout(columnOf({head, purpose, expected, Stretch{}}, 4, {14, 8, 10, 10}));
    m_cards.append(card);
}

void ScenarioCards::arrange()
{
    int least = latinWidth(fontMetrics(), cardCharacters);
    for (const QWidget *card : std::as_const(m_cards))
        least = std::max(least, card->minimumSizeHint().width());
    const int columns = std::max(1, (viewport()->width() - margin) / (least + cardSpacing));
    if (columns == m_columns)
        return;
    for (int column = 0; column < std::max(columns, m_columns); ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
    m_columns = columns;
    for (qsizetype i = 0; i < m_cards.size(); ++i)
        m_grid->addWidget(m_cards[i], int(i) / columns, int(i) % columns);
}

void ScenarioCards::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

bool ScenarioCards::eventFilter(QObject *watched, QEvent *event)
{
    const auto place = std::ranges::find(m_cards, watched->parent());
    if (place == m_cards.end())
        return QScrollArea::eventFilter(watched, event);
    const qsizetype at = place - m_cards.begin();
    if (event->type() == QEvent::FocusIn)
        m_chosen = at;
    const int key =
        event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent *>(event)->key() : Qt::Key_unknown;
    const QHash<int, int> steps{
        {Qt::Key_Left, -1}, {Qt::Key_Right, 1}, {Qt::Key_Up, -m_columns}, {Qt::Key_Down, m_columns}};
    const int step = steps.value(key);
    if (step == 0)
        return QScrollArea::eventFilter(watched, event);
    if (QWidget *next = m_cards.value(at + step)) {
        next->setFocus(Qt::TabFocusReason);
        ensureWidgetVisible(next, 0, cardSpacing);
    }
    return true;
}

void ScenarioCards::forbid(const QString &reason)
{
    m_forbidden->setText(reason);
    m_forbidden->setHidden(reason.isEmpty());
    for (QPushButton *run : m_runs) {
        run->setEnabled(reason.isEmpty());
        setPlainToolTip(*run, reason);
    }
}

void ScenarioCards::focusContents()
{
    m_cards[m_chosen]->setFocus(Qt::ShortcutFocusReason);
}

} // namespace lockscope
