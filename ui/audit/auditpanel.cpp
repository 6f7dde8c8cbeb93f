// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/auditpanel.h"

#include "core/base/printable.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"
#include "ui/widgets/rowkeys.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QCheckBox>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPromise>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QThreadPool>
#include <QToolButton>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace lockscope {

namespace {

using AuditColumn = AuditModel::Column;
constexpr std::chrono::milliseconds interval{1000};
constexpr std::chrono::milliseconds longestInterval{60'000};
constexpr int restPerReading = 20; // a chain is checked from its beginning: of a long file not all the time

} // namespace

/// Matches rows with every word in any column and, on request, only this server's.
class AuditPanel::RowFilter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// No servers: any.
    void set(const QStringList &words, const QSet<QString> &servers)
    {
        m_words = words;
        m_servers = servers;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override
    {
        const auto text = [&](int column) {
            return sourceModel()->index(row, column, parent).data().toString();
        };
        if (!m_servers.isEmpty() && !m_servers.contains(text(int(AuditColumn::Server))))
            return false;
        return std::ranges::all_of(m_words, [&](const QString &word) {
            for (int column = 0; column < AuditModel::columns; ++column) {
                if (text(column).contains(word, Qt::CaseInsensitive))
                    return true;
            }
            return false;
        });
    }

private:
    QStringList m_words;
    QSet<QString> m_servers;
};

AuditPanel::AuditPanel(const QString &path, const QString &server, QWidget *parent)
    : PagePanel(Texts::tr("Audit log"), 12, parent),
      m_path(path.isEmpty() ? AuditLog::defaultPath() : path),
      m_server(printable(server.toUtf8())),
      m_servers{m_server},
      m_filtered(new RowFilter(this)),
      m_onlyHere(new QCheckBox(tr("Only %1").arg(m_server).replace(u'&', QStringLiteral("&&")), this)),
      m_filter(new QLineEdit(this)),
      m_table(new QTableView(this)),
      m_details(new QPlainTextEdit(this)),
      m_chain(new ElidedLabel(this)),
      m_verify(new QToolButton(this))
{
    buildTable();
    auto *halves = new QSplitter(this);
    halves->addWidget(m_table);
    halves->addWidget(m_details);
    halves->setChildrenCollapsible(false);
    halves->setHandleWidth(1);
    halves->setStretchFactor(0, 1);
    halves->setSizes({latinWidth(fontMetrics(), 110), latinWidth(fontMetrics(), 42)});
    SavedWidgetState::keep(QStringLiteral("audit"), halves);
    m_verify->setText(tr("Verify now"));
    m_verify->setToolTip(tr("Check the hash chain of the whole file"));
    m_verify->setFocusPolicy(Qt::TabFocus);
    connect(m_verify, &QToolButton::clicked, this, &AuditPanel::verifyNow);
    auto *foot = lineOf({{m_chain, 1}, m_verify}, usualSpacing, {12, 4, 12, 6});
    buildHead();
    halves->setContentsMargins(8, 0, 0, 0);
    addParts(column(), {{halves, 1}, foot});
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &AuditPanel::look);
    connect(&m_reading, &QFutureWatcherBase::finished, this, [this] { take(m_reading.result()); });
}

AuditPanel::~AuditPanel()
{
    m_stop.request_stop();
}

void AuditPanel::buildHead()
{
    m_onlyHere->setChecked(true);
    m_onlyHere->setToolTip(tr("Hide requests to other server addresses"));
    setUpFilter(*m_filter, tr("Filter of the audit log"));
    connect(m_onlyHere, &QCheckBox::toggled, this, &AuditPanel::refilter);
    connect(m_filter, &QLineEdit::textChanged, this, &AuditPanel::refilter);
    refilter();
    addHead(14, {{summary(), 1}, m_onlyHere, m_filter});
}

void AuditPanel::buildTable()
{
    m_filtered->setSourceModel(&m_model);
    m_table->setModel(m_filtered);
    m_table->setAccessibleName(tr("Requests of the audit log"));
    setUpRows(*m_table);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(int(AuditColumn::Key), QHeaderView::Stretch);
    for (const auto &[column, characters] :
         {std::pair(AuditColumn::Owner, 14), std::pair(AuditColumn::Outcome, 16)}) {
        header->setSectionResizeMode(int(column), QHeaderView::Interactive);
        m_table->setColumnWidth(int(column), latinWidth(fontMetrics(), characters));
    }
    new RowKeys(m_table, [this] { choose(m_table->currentIndex()); });
    connect(m_table, &QTableView::doubleClicked, this, &AuditPanel::choose);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &AuditPanel::showDetails);
    connect(m_filtered, &QAbstractItemModel::modelReset, this, &AuditPanel::showDetails);
    m_details->setReadOnly(true);
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setAccessibleName(tr("Records of the request"));
    m_details->setPlaceholderText(tr("Select a request to see its records."));
}

void AuditPanel::focusContents()
{
    m_table->setFocus(Qt::ShortcutFocusReason);
}

void AuditPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    look();
    m_timer.start();
}

AuditPanel::Stamp AuditPanel::stamp() const
{
    // That it can't be looked at does not say that it is not there.
    std::error_code error;
    const auto status = std::filesystem::status(QFile::encodeName(m_path).toStdString(), error);
    if (status.type() == std::filesystem::file_type::not_found)
        return {};
    const QFileInfo file(m_path);
    return {true, file.size(), file.lastModified().toMSecsSinceEpoch()};
}

void AuditPanel::look()
{
    if (!isVisible())
        return m_timer.stop();
    if (!m_isReading && m_read != stamp()) {
        if (!m_read || !m_read->isThere || m_readSince.hasExpired(m_rest.count()))
            read();
        else
            showState(); // that it was not verified since
    }
    m_table->viewport()->update(); // what was under way is not for ever
}

void AuditPanel::verifyNow()
{
    if (!m_isReading)
        read();
}

void AuditPanel::read()
{
    m_read = stamp();
    m_readAt = QDateTime::currentDateTime();
    if (!m_read->isThere) {
        m_history.reset();
        m_model.setRequests({});
        return showState();
    }
    m_isReading = true;
    if (!m_history)
        m_chain->setFullText(tr("Reading %1…").arg(printable(m_path.toUtf8())));
    const auto promise = std::make_shared<QPromise<Result<AuditLog::History>>>();
    promise->start();
    m_reading.setFuture(promise->future());
    m_readSince.start();
    QThreadPool::globalInstance()->start([promise, path = m_path, stop = m_stop.get_token()] {
        promise->addResult(AuditLog::read(path, maxRequests, stop));
        promise->finish();
    });
}

void AuditPanel::take(const Result<AuditLog::History> &history)
{
    m_isReading = false;
    m_history = history;
    m_rest = std::clamp(restPerReading * std::chrono::milliseconds(m_readSince.elapsed()), interval,
                        longestInterval);
    const QModelIndex selected = m_table->selectionModel()->selectedRows().value(0);
    const QString chosenRequest =
        selected.isValid() ? idOf(m_model.request(m_filtered->mapToSource(selected).row())) : QString();
    m_model.setRequests(history ? history->newest : QList<AuditLog::Request>());
    for (int row = 0; !chosenRequest.isEmpty() && row < m_filtered->rowCount(); ++row) {
        if (idOf(m_model.request(m_filtered->mapToSource(m_filtered->index(row, 0)).row())) == chosenRequest)
            m_table->selectRow(row);
    }
    showState();
}

/// A hash chain cannot show that lines were cut from the end.
void AuditPanel::showState()
{
    const QString path = printable(m_path.toUtf8());
    showCount();
    if (!m_history) {
        m_chain->setFullText(tr("%1 does not exist: no actions recorded.").arg(path));
        return applyTextColor(m_chain, StatusColor::Muted);
    }
    if (!*m_history) {
        m_chain->setFullText(tr("The audit log cannot be read: %1").arg(inWords(m_history->error())));
        return applyTextColor(m_chain, StatusColor::Danger);
    }
    const AuditLog::Verdict &verdict = (*m_history)->verdict;
    const QString chain =
        verdict.brokenAtLine
            ? Texts::tr("%1: hash chain broken at line %2: %3.")
                  .arg(path, QLocale().toString(*verdict.brokenAtLine), inWords(verdict.reason))
            : tr("%1: hash chain intact, records: %2. A cut-off end would go unnoticed.")
                  .arg(path, QLocale().toString(verdict.records));
    m_chain->setFullText(verifiedText() + u' ' + chain);
    applyTextColor(m_chain, verdict.brokenAtLine ? StatusColor::Danger : StatusColor::Muted);
}

/// Says when the file was verified, since it covers no later lines.
QString AuditPanel::verifiedText() const
{
    const QString at = (m_readAt.date() == QDate::currentDate()
                            ? QString()
                            : QLocale().toString(m_readAt.date(), QLocale::ShortFormat) + u' ') +
                       m_readAt.time().toString(QStringLiteral("HH:mm:ss"));
    return !m_isReading && m_read != stamp() ? tr("Not verified since %1: the file has changed.").arg(at)
                                             : tr("Verified at %1.").arg(at);
}

void AuditPanel::showCount()
{
    if (!m_history || !*m_history)
        return showSummary({});
    const AuditLog::History &history = **m_history;
    const QLocale locale;
    const QString all = locale.toString(history.requests);
    const QString newest = locale.toString(history.newest.size());
    const QString shown = locale.toString(m_filtered->rowCount());
    const bool isCut = history.requests > history.newest.size();
    const bool isFiltered = m_filtered->rowCount() < history.newest.size();
    showSummary({isCut && isFiltered ? tr("%1 of the newest %2 requests").arg(shown, newest)
                 : isCut             ? tr("the newest %1 of %2 requests").arg(newest, all)
                 : isFiltered        ? tr("%1 of %2 requests").arg(shown, all)
                                     : tr("requests: %1").arg(all)});
}

void AuditPanel::refilter()
{
    m_filtered->set(m_filter->text().split(u' ', Qt::SkipEmptyParts),
                    m_onlyHere->isChecked() ? m_servers : QSet<QString>());
    m_table->setColumnHidden(int(AuditColumn::Server), m_onlyHere->isChecked() && m_servers.size() == 1);
    showCount();
}

void AuditPanel::addServers(const QStringList &names)
{
    const qsizetype before = m_servers.size();
    for (const QString &name : names) {
        if (!name.isEmpty())
            m_servers.insert(printable(name.toUtf8()));
    }
    if (m_servers.size() != before)
        refilter();
}

void AuditPanel::showDetails()
{
    const QModelIndex selected = m_table->selectionModel()->selectedRows().value(0);
    m_details->setPlainText(
        selected.isValid() ? detailsOf(m_model.request(m_filtered->mapToSource(selected).row())) : QString());
}

void AuditPanel::choose(const QModelIndex &index)
{
    // The same key on another server is another lock.
    const QModelIndex row = m_filtered->mapToSource(index);
    if (row.isValid() && m_servers.contains(row.siblingAtColumn(int(AuditColumn::Server)).data().toString()))
        emit chosen(keyOf(m_model.request(row.row())));
}

} // namespace lockscope
