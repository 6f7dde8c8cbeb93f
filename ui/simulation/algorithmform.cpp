// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/algorithmform.h"

#include "core/simulation/model/strategyspec.h"
#include "ui/simulation/fields.h"
#include "ui/simulation/runtext.h"
#include "ui/widgets/plaintext.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>

namespace lockscope {

namespace {

constexpr std::array releases{ReleaseMethod::Usual,
                              ReleaseMethod::CheckThenDelete,
                              ReleaseMethod::CompareAndDelete,
                              ReleaseMethod::CompareAndDeleteDone,
                              ReleaseMethod::WatchedTransaction,
                              ReleaseMethod::UncheckedDelete};
constexpr std::array wakes{WakeMethod::Usual, WakeMethod::Poll, WakeMethod::Backoff,
                           WakeMethod::Subscription};

template <typename Kind>
void add(QComboBox &box, Kind kind, const QString &name)
{
    box.addItem(name, static_cast<int>(kind));
    box.setItemData(box.count() - 1, plainToolTip(meaningOf(kind)), Qt::ToolTipRole);
}

/// Fills a box with what fits and keeps the choice where it still does.
template <typename Kind, size_t Count, typename Fits, typename Name>
void offer(QComboBox &box, const std::array<Kind, Count> &kinds, Fits fits, Name name)
{
    const QVariant chosen = box.currentData();
    box.clear();
    for (const Kind kind : kinds) {
        if (kind == Kind::Usual)
            add(box, kind, AlgorithmForm::tr("default"));
        else if (fits(kind))
            add(box, kind, QString::fromLatin1(name(kind)));
    }
    box.setCurrentIndex(std::max(0, box.findData(chosen)));
    box.setEnabled(box.count() > 1);
}

template <typename Kind>
Kind chosenIn(const QComboBox &box)
{
    return static_cast<Kind>(box.currentData().toInt());
}

void select(QComboBox &box, int kind)
{
    box.setCurrentIndex(std::max(0, box.findData(kind)));
}

} // namespace

AlgorithmForm::AlgorithmForm(QWidget *parent)
    : QWidget(parent),
      m_strategy(choice(this)),
      m_release(choice(this)),
      m_wake(choice(this)),
      m_poll(wholeNumber(1, 10'000, 1, tr("ms"), this)),
      m_form(formOn(this))
{
    for (const StrategySpec *spec : strategySpecs())
        add(*m_strategy, spec->kind, QString::fromLatin1(spec->name));
    m_strategy->setObjectName(QStringLiteral("strategy"));
    m_release->setObjectName(QStringLiteral("release"));
    m_wake->setObjectName(QStringLiteral("wake"));
    m_poll->setObjectName(QStringLiteral("poll"));
    addRow(*m_form, tr("Strategy"), m_strategy, tr("How a worker acquires the lock"));
    addRow(*m_form, tr("Release"), m_release, tr("How a worker releases the lock"));
    addRow(*m_form, tr("Retry by"), m_wake, tr("How a waiting worker retries"));
    addRow(*m_form, tr("Poll interval"), m_poll, tr("Time between two attempts"), tr("Poll interval"));
    offerFitting();
    connect(m_strategy, &QComboBox::currentIndexChanged, this, [this] {
        offerFitting();
        emit changed();
    });
    for (QComboBox *box : {m_release, m_wake})
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            showMeanings();
            emit changed();
        });
    connect(m_poll, &QSpinBox::valueChanged, this, &AlgorithmForm::changed);
}

void AlgorithmForm::offerReleaseOnly(bool only)
{
    m_releaseOnly = only;
    setRowShown(*m_form, m_strategy, !only);
    setRowShown(*m_form, m_wake, !only);
    showMeanings();
}

void AlgorithmForm::offerFitting()
{
    const QSignalBlocker quietRelease(m_release);
    const QSignalBlocker quietWake(m_wake);
    const auto strategy = chosenIn<StrategyKind>(*m_strategy);
    offer(
        *m_release, releases, [strategy](ReleaseMethod form) { return releaseFits(strategy, form); },
        releaseName);
    offer(
        *m_wake, wakes, [strategy](WakeMethod form) { return wakeFits(strategy, form); }, wakeName);
    showMeanings();
}

void AlgorithmForm::showMeanings()
{
    m_strategy->setToolTip(plainToolTip(meaningOf(chosenIn<StrategyKind>(*m_strategy))));
    m_release->setToolTip(plainToolTip(meaningOf(chosenIn<ReleaseMethod>(*m_release))));
    m_wake->setToolTip(plainToolTip(meaningOf(chosenIn<WakeMethod>(*m_wake))));
    setRowShown(*m_form, m_poll, !m_releaseOnly && chosenIn<WakeMethod>(*m_wake) == WakeMethod::Poll);
}

Algorithm AlgorithmForm::algorithm() const
{
    Algorithm algorithm;
    algorithm.strategy = chosenIn<StrategyKind>(*m_strategy);
    algorithm.release = chosenIn<ReleaseMethod>(*m_release);
    algorithm.wake = chosenIn<WakeMethod>(*m_wake);
    if (algorithm.wake == WakeMethod::Poll)
        algorithm.poll = milliseconds(m_poll->value());
    return algorithm;
}

void AlgorithmForm::setAlgorithm(const Algorithm &algorithm)
{
    select(*m_strategy, int(algorithm.strategy));
    select(*m_release, int(algorithm.release));
    select(*m_wake, int(algorithm.wake));
    m_poll->setValue(static_cast<int>(algorithm.poll.count()));
}

} // namespace lockscope
