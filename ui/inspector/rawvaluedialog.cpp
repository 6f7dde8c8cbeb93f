// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/rawvaluedialog.h"

#include "core/base/printable.h"
#include "core/read/contenttext.h"
#include "core/redis/whendone.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QClipboard>
#include <QDateTime>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>

#include <utility>

namespace lockscope {

namespace {

using Type = StoredKey::Type;

enum PartColumn { Name, Kind, Size, Left };

QString typeText(const StoredKey &content)
{
    if (content.type == Type::Other)
        return printable(content.typeName, 40);
    const QString words[] = {Texts::tr("unknown"),
                             Texts::tr("not there"),
                             RawValueDialog::tr("string"),
                             RawValueDialog::tr("hash"),
                             RawValueDialog::tr("list"),
                             RawValueDialog::tr("set"),
                             RawValueDialog::tr("sorted set")};
    static_assert(std::size(words) == size_t(Type::Other));
    return words[size_t(content.type)];
}

QString sizeText(const StoredKey &content)
{
    if (content.error || content.type == Type::Absent || content.type == Type::Other)
        return {};
    const auto size =
        static_cast<int>(content.type == Type::String ? content.text.size() : content.elements.size());
    const QString number = content.type == Type::String ? RawValueDialog::tr("%n byte(s)", nullptr, size)
                                                        : RawValueDialog::tr("%n element(s)", nullptr, size);
    return content.hasMore ? Texts::tr("more than %1").arg(number) : number;
}

QString timeLeftText(const StoredKey &content)
{
    if (content.type == Type::Absent)
        return {};
    if (!content.isTtlKnown)
        return Texts::tr("unknown");
    return content.ttl ? describe(*content.ttl) : Texts::tr("no expiry");
}

QString noticeText(const StoredKey &content, const QString &serverName)
{
    if (content.error)
        return describe(*content.error, serverName);
    switch (content.type) {
    case Type::Absent:
        return RawValueDialog::tr("The key was empty when read.");
    case Type::Other:
        return RawValueDialog::tr("Values of this type are not read.");
    default:
        break;
    }
    QStringList notices;
    if (content.hasMore)
        notices.append(content.type == Type::String
                           ? RawValueDialog::tr("Cut: only the first %1 bytes were read.")
                                 .arg(grouped(content.text.size()))
                           : RawValueDialog::tr("Cut: only %1 elements were read.")
                                 .arg(grouped(content.elements.size())));
    if (content.areElementsCut)
        notices.append(RawValueDialog::tr("Longer elements are cut after %1 bytes.")
                           .arg(grouped(LockContentsReading::maxBytes)));
    return notices.join(u' ');
}

} // namespace

RawValueDialog::RawValueDialog(const Lock &lock, QString serverName, Reader reader, QWidget *parent)
    : QDialog(parent),
      m_lock(lock),
      m_serverName(std::move(serverName)),
      m_reader(std::move(reader)),
      m_state(plainLabel(this)),
      m_list(new QTreeWidget(this)),
      m_tabs(new QTabWidget(this)),
      m_text(addTab(QStringLiteral("text"), tr("&Text"))),
      m_json(addTab(QStringLiteral("json"), tr("&JSON"))),
      m_hex(addTab(QStringLiteral("hex"), tr("&Hex"))),
      m_notice(plainLabel(this))
{
    setWindowTitle(tr("Raw value"));
    m_state->setObjectName(QStringLiteral("state"));
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setAccessibleName(tr("Notice"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderLabels({tr("Key or channel"), tr("Type"), tr("Size"), Texts::tr("Time left")});
    m_list->setAccessibleName(tr("Keys and channels of the lock"));
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (const auto &[column, characters] : {std::pair(int(Kind), 14), {int(Size), 26}, {int(Left), 16}})
        m_list->setColumnWidth(column, latinWidth(fontMetrics(), characters));
    m_json->setPlaceholderText(tr("Not JSON, or read in part"));

    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    m_copyName = buttons->addButton(tr("Copy &name"), QDialogButtonBox::ActionRole);
    m_copyName->setObjectName(QStringLiteral("copyName"));
    m_copyValue = buttons->addButton(tr("Copy &value"), QDialogButtonBox::ActionRole);
    m_copyValue->setObjectName(QStringLiteral("copyValue"));
    m_again = buttons->addButton(tr("&Read again"), QDialogButtonBox::ActionRole);
    m_again->setObjectName(QStringLiteral("again"));
    for (QPushButton *button : {m_copyName, m_copyValue, m_again})
        button->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    connect(m_copyName, &QPushButton::clicked, this, &RawValueDialog::copyName);
    connect(m_copyValue, &QPushButton::clicked, this, &RawValueDialog::copyValue);
    connect(m_again, &QPushButton::clicked, this, &RawValueDialog::read);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &RawValueDialog::showChosen);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RawValueDialog::showChosen);

    setLayout(columnOf({m_state, {m_list, 1}, m_notice, {m_tabs, 2}, buttons}, 10, dialogMargins));
    resize(latinWidth(fontMetrics(), 104), fontMetrics().height() * 30);
    showChosen();
    read();
    m_list->setFocus();
}

QPlainTextEdit *RawValueDialog::addTab(const QString &name, const QString &title)
{
    auto *text = new QPlainTextEdit(this);
    text->setObjectName(name);
    text->setReadOnly(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setTabChangesFocus(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(tr("Value"));
    m_tabs->addTab(text, title);
    return text;
}

void RawValueDialog::read()
{
    m_again->setEnabled(false);
    applyTextColor(m_state, StatusColor::Muted);
    m_state->setText(tr("Reading…"));
    whenDone(this, m_reader(m_lock), [this](const Result<LockContents> &contents) { take(contents); });
}

void RawValueDialog::take(const Result<LockContents> &contents)
{
    m_again->setEnabled(true);
    if (!contents) { // what was read before stays, with its time
        applyTextColor(m_state, StatusColor::Danger);
        m_state->setText(describe(contents.error(), m_serverName));
        return;
    }
    m_contents = *contents;
    m_state->setText(tr("Read at %1. Later changes are not shown.")
                         .arg(QDateTime::fromMSecsSinceEpoch(m_contents.readAtMs)
                                  .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))));
    fillList();
}

void RawValueDialog::fillList()
{
    const int chosen = std::max(m_list->indexOfTopLevelItem(m_list->currentItem()), 0);
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    // NOLINTBEGIN(cppcoreguidelines-owning-memory): the list's
    for (const StoredKey &content : m_contents.keys) {
        auto *item = new QTreeWidgetItem(
            m_list, {printable(content.key), typeText(content), sizeText(content), timeLeftText(content)});
        item->setToolTip(Name, plainToolTip(printable(content.key)));
    }
    for (const ChannelContent &channel : m_contents.channels) {
        const QString size = channel.subscribers
                                 ? tr("%n subscriber(s)", nullptr, static_cast<int>(*channel.subscribers))
                                 : Texts::tr("unknown");
        auto *item = new QTreeWidgetItem(m_list, {printable(channel.channel), tr("channel"), size, {}});
        item->setToolTip(Name, plainToolTip(printable(channel.channel)));
    }
    // NOLINTEND(cppcoreguidelines-owning-memory)
    m_list->setCurrentItem(m_list->topLevelItem(std::min(chosen, m_list->topLevelItemCount() - 1)));
    showChosen();
}

void RawValueDialog::showChosen()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    const bool isKey = row >= 0 && row < m_contents.keys.size();
    const StoredKey content = isKey ? m_contents.keys[row] : StoredKey();
    m_text->setPlainText(plainText(content));
    m_json->setPlainText(jsonText(content));
    m_hex->setPlainText(hexText(content));
    const QString notice = isKey ? noticeText(content, m_serverName) : QString();
    m_notice->setText(notice);
    m_notice->setHidden(notice.isEmpty());
    applyTextColor(m_notice, content.error ? StatusColor::Danger : StatusColor::Warning);
    m_copyName->setEnabled(row >= 0);
    const auto *shown = qobject_cast<QPlainTextEdit *>(m_tabs->currentWidget());
    m_copyValue->setEnabled(shown && !shown->toPlainText().isEmpty());
}

void RawValueDialog::copyName()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0)
        return;
    const bool isKey = row < m_contents.keys.size();
    QGuiApplication::clipboard()->setText(lossless(
        isKey ? m_contents.keys[row].key : m_contents.channels[row - m_contents.keys.size()].channel));
}

void RawValueDialog::copyValue()
{
    if (const auto *shown = qobject_cast<QPlainTextEdit *>(m_tabs->currentWidget()))
        QGuiApplication::clipboard()->setText(shown->toPlainText());
}

} // namespace lockscope
