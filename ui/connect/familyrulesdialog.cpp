// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/connect/familyrulesdialog.h"

#include "core/base/glob.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/propertygrid.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope {

class FamilyRulesDialog::Row : public QWidget
{
public:
    Row(const FamilyRule &rule, QWidget *parent)
        : QWidget(parent),
          m_pattern(new QLineEdit(this)),
          m_family(new QComboBox(this)),
          remove(new QToolButton(this))
    {
        m_pattern->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        m_pattern->setText(QString::fromUtf8(rule.pattern));
        m_pattern->setPlaceholderText(QStringLiteral("order-service:*"));
        m_pattern->setAccessibleName(FamilyRulesDialog::tr("Pattern"));
        for (const Family family : pinnableFamilies())
            m_family->addItem(describe(family), family.index());
        // None is chosen for a rule that is only proposed.
        m_family->setPlaceholderText(FamilyRulesDialog::tr("choose a family"));
        m_family->setCurrentIndex(m_family->findData(rule.family.index()));
        m_family->setAccessibleName(Texts::tr("Family"));
        remove->setText(FamilyRulesDialog::tr("Remove"));
        setLayout(lineOf({{m_pattern, 3}, {m_family, 2}, remove}, usualSpacing, {}));
    }

    FamilyRule rule() const
    {
        return {m_pattern->text().trimmed().toUtf8(), Family(m_family->currentData().toInt())};
    }
    bool isChosen() const { return m_family->currentIndex() >= 0; }
    void start()
    {
        m_pattern->setFocus();
        m_pattern->selectAll();
    }

private:
    QLineEdit *m_pattern;
    QComboBox *m_family;

public:
    QToolButton *remove;
};

FamilyRulesDialog::FamilyRulesDialog(const QList<FamilyRule> &rules, const QByteArray &proposed,
                                     QWidget *parent)
    : QDialog(parent),
      m_list(new QVBoxLayout),
      m_none(plainLabel(this)),
      m_add(new QPushButton(tr("&Add a rule"), this))
{
    setWindowTitle(tr("Family rules"));
    auto *help = plainLabel(this, tr("Assign a family to keys of a pattern (* any characters, ? one, [ab] a "
                                     "choice). The first matching rule applies; certain families stay."));
    m_none->setText(tr("No rule yet."));
    applyTextColor(m_none, StatusColor::Muted);
    auto *inner = new QWidget(this);
    m_list->setSpacing(6);
    inner->setLayout(columnOf({m_none, m_list, Stretch{}}, usualSpacing, {}));
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(windowTitle());
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *buttons = buttonsOf(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_add->setAutoDefault(false);
    setLayout(columnOf({help, {scroll, 1}, {m_add, 0, Qt::AlignLeft}, buttons}, 12, dialogMargins));
    connect(m_add, &QPushButton::clicked, this, [this] {
        addRow({{}, pinnableFamilies().first()});
        m_rows.last()->start();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &FamilyRulesDialog::submit);
    for (const FamilyRule &rule : rules)
        addRow(rule);
    if (!proposed.isEmpty()) {
        addRow({escapedGlob(proposed), plainToken()});
        m_rows.last()->start();
    } else {
        m_add->setFocus();
    }
    resize(latinWidth(fontMetrics(), 96), fontMetrics().height() * 20);
}

void FamilyRulesDialog::addRow(const FamilyRule &rule)
{
    auto *row = new Row(rule, this);
    m_rows.append(row);
    m_list->addWidget(row);
    m_none->hide();
    connect(row->remove, &QToolButton::clicked, this, [this, row] {
        m_rows.removeOne(row);
        m_none->setVisible(m_rows.isEmpty());
        m_add->setFocus();
        row->deleteLater();
        row->hide();
    });
}

QList<FamilyRule> FamilyRulesDialog::rules() const
{
    QList<FamilyRule> rules;
    for (const Row *row : m_rows) {
        if (const FamilyRule rule = row->rule();
            row->isChosen() && !rule.pattern.isEmpty() && !rules.contains(rule))
            rules.append(rule);
    }
    return rules;
}

void FamilyRulesDialog::submit()
{
    emit chosen(rules());
    accept();
}

QList<Family> pinnableFamilies()
{
    QList<Family> families = allFamilies();
    families.removeIf([](Family family) {
        const FamilySpec &spec = specOf(family);
        const auto isCertainBy = [&spec](EvidenceSet evidence) {
            return spec.proof.certain.areMetBy(evidence);
        };
        // Where a name says it, no rule has to.
        return !keepsStrings(spec) || !isCertainBy({Evidence::Rule, Evidence::Content}) ||
               isCertainBy({Evidence::Content, Evidence::Name});
    });
    std::ranges::stable_sort(families, std::ranges::greater(),
                             [](Family family) { return specOf(family).prevalence; });
    return families;
}

} // namespace lockscope
