// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/filterreading.h"
#include "ui/locks/filtercompletion.h"
#include "ui/locks/locktablemodel.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace lockscope {

class FilterChips;
class FilterPopup;
class FilterTerms;

/// The field in which a filter is typed, with chips that write the most wanted ones, counted. FilterReading says which words
/// of the text are in force. Below the field stand its terms, each with what removes it, and what is wrong or expected.
///
/// While somebody types, tokens and the values that there are are offered: Down, then Tab or Return takes one over, Tab
/// alone the first, Escape closes the list. Ctrl+Space offers them at any time, Down in an empty field the filters applied
/// last, Alt+Down the menu of filters.
class LockFilterBar : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this: what a filter may name and match.
    LockFilterBar(const LockTableModel &model, const DisplayClock &clock, QWidget *parent = nullptr);
    ~LockFilterBar() override;

    /// Of the words of the text that are in force, and of the time.
    const LockFilter &filter() const { return m_filter; }
    /// A time that was chosen elsewhere, and which locks had something in it; without a text: none.
    void setTime(const QString &time, const LockFilter &locks);
    QString text() const;
    /// The words that are in force, and the time in brackets.
    QString textInForce() const;
    bool isEmpty() const;
    void clear(); ///< the time, too
    void focusField();
    void setCounts(const LockTableModel::Counts &counts);
    /// What the text names may be others now: processes, nodes.
    void readAgain();
    /// Adds a term, such as `family:token`, or what excludes it. What contradicts it goes: the same term the other way
    /// round, and other values of its token where it is not negated.
    void addTerm(const QString &term, bool isNegated);
    /// From now on filters that were applied are kept, and there is a menu of them.
    void keepFilters();
    /// Of filters that are kept.
    void openMenu();

signals:
    void timeRemoved();   ///< by the user
    void filterChanged(); ///< or made anew from the same text
    void left();          ///< by Enter or Down: to what was sought

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildField();
    void read(std::optional<qsizetype> cursor);
    void finish();
    void showReading();
    QStringList words() const;
    void fitChips();
    void removeWord(int word);
    bool pressKey(int key, Qt::KeyboardModifiers modifiers);
    bool pressInPopup(int key);
    FilterPopup &popup();
    void closePopup();
    bool isPopupOpen() const;
    void suggest(bool isAsked);
    bool suggestKept();
    void takeOver(int suggestion);

    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    FilterReading m_reading;
    LockFilter m_filter;
    QString m_time;
    LockFilter m_ofTime;
    QLineEdit *m_field;
    FilterTerms *m_terms;
    QLabel *m_message;
    FilterChips *m_chips;
    QPointer<FilterPopup> m_popup; ///< a part of the window; made when first needed
    bool m_isEdited = false;       ///< by the user, just now
    bool m_isOfKept = false;       ///< the popup's suggestions replace the whole text
    bool m_keepsFilters = false;
};

} // namespace lockscope
