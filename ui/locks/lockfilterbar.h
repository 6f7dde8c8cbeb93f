// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/filterreading.h"
#include "core/table/locktablemodel.h"
#include "ui/locks/filtercompletion.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;

namespace lockscope {

class FilterChips;
class FilterPopup;
class FilterTerms;

/// The filter field with counted chips for the most used filters. FilterReading decides which words are
/// applied. Below the field are its terms, each with a remove button, and errors or the expected input.
///
/// While the user types, tokens and existing values are suggested. Down, then Tab or Return inserts one; Tab
/// alone inserts the first; Escape closes the list. Ctrl+Space opens it anywhere, Down in an empty field
/// lists kept filters, Alt+Down opens the menu.
class LockFilterBar : public QWidget
{
    Q_OBJECT

public:
    /// The model and the clock must outlive this.
    LockFilterBar(const LockTableModel &model, const DisplayClock &clock, QWidget *parent = nullptr);
    ~LockFilterBar() override;

    /// Returns the filter of the applied words and of the time filter.
    const LockFilter &filter() const { return m_filter; }
    /// Sets the time filter chosen in another panel and the locks that match it; an empty text removes it.
    void setTime(const QString &time, const LockFilter &locks);
    QString text() const;
    /// Returns the applied words, and the time filter in brackets.
    QString textInForce() const;
    bool isEmpty() const;
    void clear(); ///< also removes the time filter
    void focusField();
    void setCounts(const LockTableModel::Counts &counts);
    void readAgain();
    /// Adds a term such as `family:token`, negated on request. Removes the same term with the other sign and,
    /// unless negated, other values of its token.
    void addTerm(const QString &term, bool isNegated);
    void keepFilters();
    void openMenu();

signals:
    void timeRemoved();
    void filterChanged(); ///< also if re-read from the same text
    void left();          ///< by Enter or Down

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
    QPointer<FilterPopup> m_popup; ///< child of the window; created on demand
    bool m_isEdited = false;       ///< by the user
    bool m_isOfKept = false;       ///< true if suggestions replace the whole text
    bool m_keepsFilters = false;
};

} // namespace lockscope
