// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockfilterbar.h"

#include "core/state/filterfields.h"
#include "core/words/phrases.h"
#include "ui/locks/filterchips.h"
#include "ui/locks/filtermenu.h"
#include "ui/locks/filterpopup.h"
#include "ui/locks/filterterms.h"
#include "ui/locks/keptfilters.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/spokenrole.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <functional>
#include <utility>

namespace lockscope {

namespace {

constexpr int barMargin = 10;
constexpr int barSpacing = 6;
constexpr int filterCharacters = 26;

} // namespace

LockFilterBar::LockFilterBar(const LockTableModel &model, const DisplayClock &clock, QWidget *parent)
    : QWidget(parent),
      m_model(model),
      m_clock(clock),
      m_field(new QLineEdit(this)),
      m_terms(new FilterTerms(this)),
      m_message(new QLabel(this)),
      m_chips(new FilterChips(this))
{
    buildField();
    auto *bar = lineOf({{m_field, 1}}, barSpacing, {barMargin, 8, barMargin, 8});

    bar->addWidget(m_chips);
    connect(m_chips, &FilterChips::chosen, this, [this](const QString &filter, bool on) {
        m_field->setText(FilterChips::toggled(words(), filter, on));
        m_chips->showWords(words()); // also where they are as they were
    });
    connect(m_terms, &FilterTerms::removed, this, &LockFilterBar::removeWord);
    connect(m_terms, &FilterTerms::timeRemoved, this, &LockFilterBar::timeRemoved);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setContentsMargins(14, 0, 10, 8);
    m_message->hide();
    setLayout(columnOf({bar, m_terms, m_message}, 0, {}));
}

LockFilterBar::~LockFilterBar()
{
    delete m_popup; // the window outlives this
}

void LockFilterBar::buildField()
{
    m_field->setPlaceholderText(
        tr("Filter: words in key or owner, ttl<10s, held>5m, owner:x, state:no-expiry, -not"));
    m_field->setAccessibleName(tr("Filter"));
    m_field->setToolTip(tr("All words must match (help: F1)"));
    addClearButton(m_field);
    QAction *menu = m_field->addAction(glyphIcon(Glyph::Search), QLineEdit::LeadingPosition);
    menu->setText(tr("Saved and recent filters"));
    connect(menu, &QAction::triggered, this, &LockFilterBar::openMenu);
    m_field->setMinimumWidth(latinWidth(fontMetrics(), filterCharacters));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        if (m_popup)
            m_popup->hide(); // it was made for another text
        readAgain();
        if (std::exchange(m_isEdited, false))
            suggest(false);
    });
    // Which comes before the text is read.
    connect(m_field, &QLineEdit::textEdited, this, [this] { m_isEdited = true; });
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        finish();
        emit left();
    });
    // A word that was unfinished may be left.
    connect(m_field, &QLineEdit::cursorPositionChanged, this, [this] {
        if (!m_reading.isWhole())
            readAgain();
    });
}

QString LockFilterBar::text() const
{
    return m_field->text();
}

QString LockFilterBar::textInForce() const
{
    QStringList words;
    for (const FilterReading::Word &word : m_reading.words()) {
        if (word.state == FilterReading::State::Whole)
            words.append(word.word.in(m_field->text()));
    }
    if (!m_time.isEmpty())
        words.append(u'[' + m_time + u']');
    return words.join(u' ');
}

bool LockFilterBar::isEmpty() const
{
    return m_field->text().isEmpty() && m_time.isEmpty();
}

void LockFilterBar::clear()
{
    if (!m_time.isEmpty())
        emit timeRemoved();
    m_field->clear();
}

void LockFilterBar::setTime(const QString &time, const LockFilter &locks)
{
    m_time = time;
    m_ofTime = time.isEmpty() ? LockFilter() : locks;
    m_terms->setTime(time);
    readAgain();
}

void LockFilterBar::focusField()
{
    giveFocus(*m_field, Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void LockFilterBar::setCounts(const LockTableModel::Counts &counts)
{
    m_chips->setCounts(counts);
    fitChips();
}

void LockFilterBar::readAgain()
{
    read(m_field->hasFocus() ? std::optional<qsizetype>(m_field->cursorPosition()) : std::nullopt);
}

void LockFilterBar::read(std::optional<qsizetype> cursor)
{
    m_reading = FilterReading(
        m_field->text(), cursor, std::bind_front(&OwnerNames::clientsCalled, &m_model.names()),
        m_clock.cluster(), [this](const LockFilter &filter) { return m_model.matchesAny(filter); });
    m_filter = m_reading.filter();
    m_filter &= m_ofTime;
    showReading();
    emit filterChanged();
}

/// Ends typing: unfinished words become errors, a whole filter is added to the recent ones.
void LockFilterBar::finish()
{
    closePopup();
    read(std::nullopt);
    if (m_keepsFilters && m_reading.isWhole() && !m_reading.filter().isEmpty())
        KeptFilters::addRecent(m_field->text());
}

void LockFilterBar::showReading()
{
    m_terms->setFilter(m_field->text(), m_reading);
    // While the list of suggestions is open, it says what is expected.
    m_message->setVisible(m_reading.isWrong() || (!m_reading.isWhole() && !isPopupOpen()));
    applyTextColor(m_message, m_reading.isWrong() ? StatusColor::Danger : StatusColor::Muted);
    m_message->setText(inWords(m_reading.message()));
    m_chips->showWords(words());
}

QStringList LockFilterBar::words() const
{
    QStringList words;
    for (const FilterReading::Word &word : m_reading.words())
        words.append(word.word.in(m_field->text()));
    return words;
}

void LockFilterBar::removeWord(int word)
{
    const FilterWord &gone = m_reading.words()[word].word;
    const QString text = m_field->text();
    m_field->setText((text.left(gone.start).trimmed() + u' ' + text.mid(gone.end()).trimmed()).trimmed());
    m_field->setFocus();
}

void LockFilterBar::addTerm(const QString &term, bool isNegated)
{
    const QString added = isNegated ? u'-' + term : term;
    const FilterWord parsed = filterWords(term).value(0);
    const FilterField *field = fieldOf(parsed);
    QStringList words;
    for (const FilterReading::Word &each : m_reading.words()) {
        const QString word = each.word.in(m_field->text());
        const bool isSame = each.word.positive() == parsed.text;
        const bool isOther = !isNegated && !each.word.isNegated() && field && fieldOf(each.word) == field;
        if (!isSame && !isOther)
            words.append(word);
    }
    words.append(added);
    m_field->setText(words.join(u' '));
    finish();
}

void LockFilterBar::keepFilters()
{
    m_keepsFilters = true;
}

void LockFilterBar::openMenu()
{
    if (!m_keepsFilters)
        return;
    closePopup();
    auto *menu = new FilterMenu(this);
    connect(menu, &FilterMenu::chosen, m_field, &QLineEdit::setText);
    menu->open(m_field, m_field->text(), m_reading.isWhole());
}

FilterPopup &LockFilterBar::popup()
{
    if (!m_popup) {
        m_popup = new FilterPopup(m_field);
        connect(m_popup, &FilterPopup::chosen, this, &LockFilterBar::takeOver);
    }
    return *m_popup;
}

bool LockFilterBar::isPopupOpen() const
{
    return m_popup && m_popup->isVisible();
}

void LockFilterBar::closePopup()
{
    if (!isPopupOpen())
        return;
    m_popup->hide();
    showReading();
}

/// `isAsked`: the user pressed Ctrl+Space; also suggests tokens outside a word.
void LockFilterBar::suggest(bool isAsked)
{
    const FilterWord *word = m_reading.typedWord();
    const bool isAtEnd = word && m_field->cursorPosition() == word->end();
    m_isOfKept = false;
    const QList<FilterSuggestion> suggestions = isAtEnd            ? suggestionsFor(*word, m_model, m_clock)
                                                : isAsked && !word ? allTokens(m_clock)
                                                                   : QList<FilterSuggestion>();
    if (suggestions.isEmpty() && !isPopupOpen())
        return;
    popup().open(m_reading.isWrong() ? QString() : inWords(m_reading.message()), suggestions);
    showReading();
}

/// Suggests the saved filters, then the recent ones. Returns false if there are none.
bool LockFilterBar::suggestKept()
{
    QList<FilterSuggestion> suggestions;
    if (m_keepsFilters) {
        for (const SavedFilter &each : KeptFilters::saved())
            suggestions.append({each.text, each.name});
        for (const QString &each : KeptFilters::recent())
            suggestions.append({each, {}});
    }
    m_isOfKept = true;
    if (!suggestions.isEmpty())
        popup().open(tr("Saved and recent filters"), suggestions);
    return !suggestions.isEmpty();
}

void LockFilterBar::takeOver(int suggestion)
{
    const QString text = m_popup->suggestions()[suggestion].text;
    m_popup->hide();
    if (m_isOfKept) {
        m_field->setText(text);
        return;
    }
    // The word at the cursor, or none.
    const FilterWord *word = m_reading.typedWord();
    const qsizetype from = word ? word->start : m_field->cursorPosition();
    const qsizetype to = word ? word->end() : from;
    m_field->setSelection(static_cast<int>(from), static_cast<int>(to - from));
    m_field->insert(text); // as if it were typed: a token's values are offered next
}

bool LockFilterBar::pressInPopup(int key)
{
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        m_popup->step(key == Qt::Key_Down ? 1 : -1);
        return true;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        m_popup->step(key == Qt::Key_PageDown ? 8 : -8);
        return true;
    case Qt::Key_Escape:
        closePopup();
        return true;
    case Qt::Key_Tab:
        takeOver(std::max(m_popup->current(), 0));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_popup->current() < 0)
            return false;
        takeOver(m_popup->current());
        return true;
    default:
        return false;
    }
}

bool LockFilterBar::pressKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (isPopupOpen() && pressInPopup(key))
        return true;
    if (key == Qt::Key_Space && modifiers == Qt::ControlModifier) {
        suggest(true);
    } else if (key == Qt::Key_Down && modifiers == Qt::AltModifier) {
        openMenu();
    } else if (key == Qt::Key_Down) {
        if (isEmpty() && suggestKept())
            return true;
        finish();
        emit left();
    } else {
        return false;
    }
    return true;
}

bool LockFilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_field)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::ShortcutOverride: // Escape clears the filter elsewhere
        if (isPopupOpen() && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
        break;
    case QEvent::KeyPress:
        if (const auto *press = static_cast<QKeyEvent *>(event); pressKey(press->key(), press->modifiers()))
            return true;
        break;
    case QEvent::FocusOut:
        // When the event is done with. A menu, or another window, gives the keyboard back.
        if (const auto reason = static_cast<QFocusEvent *>(event)->reason();
            reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            QMetaObject::invokeMethod(this, &LockFilterBar::finish, Qt::QueuedConnection);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void LockFilterBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitChips();
}

void LockFilterBar::fitChips()
{
    m_chips->fit(width() - latinWidth(fontMetrics(), filterCharacters) - barMargin * 2 - barSpacing);
}

} // namespace lockscope
