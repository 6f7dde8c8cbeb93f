// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/top/forceexpireprompt.h"
#include "app/top/toptable.h"
#include "core/state/filterreading.h"
#include "core/table/bannerchoice.h"
#include "core/table/waittree.h"
#include "core/watch/waitforgraph.h"

#include <span>

namespace lockscope {

/// What the first lines say besides the locks.
struct TopFacts
{
    QStringList server; ///< parts, the most important first
    QString load;       ///< "ops/s: 5,012"; empty: unknown
    QString age;        ///< age of the data, or the pause
    bool isPaused = false;
    std::optional<BannerChoice> banner{};
};

/// What a TopView needs of a watch; all functions are called on its thread.
struct TopSource
{
    std::function<TopFacts()> facts;
    /// Lines on one lock besides its state.
    std::function<QStringList(const WatchedLock &, const DisplayTime &)> explain;
    std::function<QStringList(const LockKey &)> events; ///< the latest events of a lock, one line each
    std::function<QList<Deadlock>()> deadlocks;
    QString serverName;
    ActionGuard guard{};
    ActionSeries::Run run{}; ///< empty: no actions
    QString whyNoActions{};
    bool isRecording = false;
};

/// The window of `top`: what is shown, and what each key does. Knows neither terminal nor server.
class TopView : public QObject
{
    Q_OBJECT

public:
    enum class Step : quint8 { Change, Page };

    /// `model` and `clock` must outlive this.
    TopView(LockTableModel &model, const DisplayClock &clock, TopSource source);

    void setFilter(const QString &text);
    void press(const Key &key);
    void paint(Screen &screen);
    /// Call after the model changed.
    void follow() { m_table.follow(); }
    /// The locks in sight, the chosen one first.
    QList<LockKey> visible() const { return m_table.visible(); }
    /// Shows a text until the next key.
    void say(const QString &text, StatusColor color = StatusColor::Warning);

signals:
    void changed(); ///< without a key: paint soon
    void quitRequested();
    void pauseRequested();
    void refreshRequested();
    void dismissed(); ///< what the banner says was read
    void stepRequested(lockscope::TopView::Step step, bool isForward);
    void actionsBegun();
    void actionsFinished();

private:
    enum class Mode : quint8 { Table, Filter, Inspector, Waits, Help, Prompt };

    bool pressInTable(const Key &key);
    void pressInFilter(const Key &key);
    void pressInPage(const Key &key);
    void readFilter(std::optional<qsizetype> cursor);
    void inspect(const LockKey &key);
    void askForceExpire();
    void closePrompt();
    int paintHead(Screen &screen) const;
    int paintAge(Screen &screen, const TopFacts &facts) const;
    void paintNews(Screen &screen) const;
    void paintFoot(Screen &screen, int row) const;
    void paintEmpty(Screen &screen, int row) const;
    /// What a key does, on which pages.
    struct KeyRow
    {
        const char *keys;
        const char *hint;    ///< one word for the last line; nullptr: none
        const char *meaning; ///< for the help; nullptr: none
        unsigned modes = bitOf(Mode::Table);
        bool isLive = true;   ///< with a server
        bool isReplay = true; ///< with a recording
    };
    static constexpr unsigned bitOf(auto... modes) { return ((1U << unsigned(modes)) | ...); }
    /// The most important first.
    static std::span<const KeyRow> keyRows();
    bool isInForce(const KeyRow &row) const
    {
        return (row.modes & bitOf(m_mode)) != 0 && (m_source.isRecording ? row.isReplay : row.isLive);
    }
    QList<PageLine> inspectorLines();
    QList<PageLine> waitLines() const;
    void addNodes(QList<PageLine> &lines, const QList<WaitNode> &nodes, int depth) const;
    QList<PageLine> helpLines() const;

    LockTableModel &m_model;
    const DisplayClock &m_clock;
    const TopSource m_source;
    TopTable m_table;
    Mode m_mode = Mode::Table;
    ScrolledPage m_page;
    QString m_filterBefore;
    EditedLine m_filter;
    FilterReading m_reading;
    LockKey m_inspected;
    bool m_isFromWaits = false; ///< the inspector returns to the waits
    QList<PageLine> m_lastSeen; ///< of an inspected lock that may be gone
    std::unique_ptr<ForceExpirePrompt> m_prompt;
    QString m_said;
    StatusColor m_saidColor = StatusColor::Warning;
};

} // namespace lockscope
