// SPDX-License-Identifier: GPL-3.0-or-later
// The scenarios of resources/scenarios.json. What is wrong in it is a defect of the program, and ends it: every test that asks for a
// scenario reads them all.
#include "core/base/enumnames.h"
#include "core/simulation/model/planfields.h"
#include "core/simulation/scenario/expectations.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <deque>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr EnumNames faults{Named<Fault>{Fault::CrashHolding, "crash-holding"},
                           Named<Fault>{Fault::CrashBeforeExpiry, "crash-before-expiry"},
                           Named<Fault>{Fault::PauseHolding, "pause-holding"},
                           Named<Fault>{Fault::PauseInRelease, "pause-in-release"},
                           Named<Fault>{Fault::WatchdogStopped, "watchdog-stopped"},
                           Named<Fault>{Fault::AcquireReplyLost, "acquire-reply-lost"}};
constexpr EnumNames freedoms{Named<ConfigurablePart>{ConfigurablePart::Release, "release"},
                             Named<ConfigurablePart>{ConfigurablePart::Algorithm, "algorithm"}};

QByteArray textOf(const QJsonValue &json)
{
    return json.toVariant().toByteArray();
}

[[noreturn]] void refuse(const QString &what)
{
    qFatal("scenarios.json: %s", qPrintable(what));
}

/// Kept while the program runs, as phrases require.
const char *kept(const QJsonValue &text)
{
    static std::deque<QByteArray> texts;
    if (text.toString().isEmpty())
        refuse(QStringLiteral("a text is missing"));
    return texts.emplace_back(textOf(text)).constData();
}

/// Reads a number of at least 0; a fraction only for suitable types.
template <typename Number>
bool isNumberOf(const QJsonValue &json)
{
    const double value = json.toDouble(-1);
    return value >= 0 && (std::is_floating_point_v<Number> || double(json.toInt(-1)) == value);
}

/// Reads a field's value; absent: invalid. Times are in ms.
template <typename Value>
std::optional<Value> parsed(const QJsonValue &json)
{
    if constexpr (std::is_same_v<Value, Fault>)
        return faults.valueOf(textOf(json));
    else if constexpr (std::is_same_v<Value, ConfigurablePart>)
        return freedoms.valueOf(textOf(json));
    else if constexpr (std::is_enum_v<Value>)
        return fromName<Value>(textOf(json));
    else if constexpr (std::is_same_v<Value, HoldTime>)
        return HoldTime::parse(textOf(json));
    else if constexpr (std::is_same_v<Value, QByteArray>)
        return textOf(json);
    else if constexpr (std::is_same_v<Value, bool>)
        return json.isBool() ? std::optional(json.toBool()) : std::nullopt;
    else if constexpr (std::is_arithmetic_v<Value>)
        return isNumberOf<Value>(json) ? std::optional(static_cast<Value>(json.toDouble())) : std::nullopt;
    else if constexpr (std::is_constructible_v<Value, milliseconds>)
        return isNumberOf<int>(json) ? std::optional(Value(milliseconds(json.toInt()))) : std::nullopt;
    else
        return std::nullopt;
}

/// An object whose fields are taken one by one; none may be left.
class Fields
{
public:
    explicit Fields(const QJsonValue &json) : m_object(json.toObject())
    {
        if (!json.isObject())
            refuse(QStringLiteral("an object is missing"));
    }

    /// Empty if missing.
    QJsonArray takeList(const char *name)
    {
        const QJsonValue list = take(name);
        if (!list.isUndefined() && !list.isArray())
            refuse(QLatin1String(name));
        return list.toArray();
    }
    QJsonValue take(const char *name) { return m_object.take(QLatin1String(name)); }
    template <typename Value>
    void read(const char *name, Value &value)
    {
        const QJsonValue json = take(name);
        if (json.isUndefined())
            return;
        const std::optional<Value> read = parsed<Value>(json);
        if (!read)
            refuse(QLatin1String(name));
        value = *read;
    }
    template <typename Value>
    void read(const char *name, std::optional<Value> &value)
    {
        if (m_object.contains(QLatin1String(name)))
            read(name, value.emplace());
    }
    /// A part's own fields win.
    Fields with(const Fields &part) const
    {
        Fields all = *this;
        for (auto field = part.m_object.begin(); field != part.m_object.end(); ++field)
            all.m_object[field.key()] = field.value();
        return all;
    }
    void end() const
    {
        if (!m_object.isEmpty())
            refuse(m_object.keys().first());
    }

private:
    QJsonObject m_object;
};

Iteration readVisit(Fields fields)
{
    Iteration visit;
    if (const QJsonArray locks = fields.takeList("locks"); !locks.isEmpty()) {
        visit.locks.clear();
        for (const QJsonValue &lock : locks) {
            if (!isNumberOf<int>(lock))
                refuse(QStringLiteral("locks"));
            visit.locks.append(lock.toInt());
        }
    }
    std::optional<StrategyKind> strategy;
    fields.read("strategy", strategy);
    if (strategy)
        visit.algorithm = Algorithm{.strategy = *strategy};
    fields.read("mode", visit.mode);
    fields.read("at", visit.startAt);
    fields.read("timeout", visit.timeout);
    fields.read("lease", visit.lease);
    fields.read("levels", visit.levels);
    fields.read("step", visit.step);
    fields.read("hold", visit.hold);
    fields.read("renew", visit.renew);
    fields.read("fault", visit.fault);
    fields.read("pause", visit.pause);
    fields.end();
    return visit;
}

/// Iterations of each worker; further workers do like the last one.
void addScript(Plan &plan, const QJsonArray &workers)
{
    for (const QJsonValue &worker : workers) {
        QList<Iteration> &visits = plan.script.emplaceBack();
        for (const QJsonValue &visit : worker.isArray() ? worker.toArray() : QJsonArray{worker})
            visits.append(readVisit(Fields(visit)));
    }
    while (plan.script.size() < plan.workers)
        plan.script.append(plan.script.last());
    const Iteration first = plan.script[0][0];
    plan.duration = 15s;
    plan.lease = first.lease;
    plan.hold = {HoldTime::Shape::Fixed, first.hold, first.hold};
    plan.mode = first.mode;
}

Expectation readExpectation(const QJsonValue &json)
{
    if (json.isString()) {
        const Expectation known = expectationNamed(textOf(json));
        if (!known)
            refuse(json.toString());
        return known;
    }
    Fields fields(json);
    const Phrase what(kept(fields.take("what")));
    const QByteArray count = textOf(fields.take("of"));
    std::optional<int> is;
    std::optional<int> least;
    fields.read("is", is);
    fields.read("least", least);
    fields.end();
    if (is.has_value() == least.has_value() || !countNamed(count, {}))
        refuse(QString::fromLatin1(count));
    return [=](ExpectationChecks &checks, const Report &report) {
        const qint64 found = *countNamed(count, report);
        if (is)
            checks.expectCount(what, *is, found);
        else
            checks.expectAtLeast(what, *least, found);
    };
}

ScenarioPhase readPhase(Fields fields)
{
    ScenarioPhase phase;
    Plan &plan = phase.plan;
    const QJsonArray workers = fields.takeList("visits");
    if (!workers.isEmpty())
        plan.workers = static_cast<int>(workers.size());
    for (const PlanField &field : planFields())
        std::visit([&](auto member) { fields.read(field.name, memberOf(plan, member)); }, field.member);
    if (!workers.isEmpty())
        addScript(plan, workers);
    const QJsonValue title = fields.take("phase");
    const QByteArray release = nameOf(plan.algorithm.release);
    phase.title = !title.isUndefined() ? Phrase(kept(title))
                                       : Phrase::verbatim(QString::fromLatin1(
                                             release.isEmpty() ? nameOf(plan.algorithm.strategy) : release));
    for (const QJsonValue &expectation : fields.takeList("expect"))
        phase.expectations.append(readExpectation(expectation));
    fields.read("slip", phase.slip);
    fields.end();
    return phase;
}

Scenario readScenario(Fields fields)
{
    Scenario scenario;
    scenario.title = Phrase(kept(fields.take("title")));
    scenario.purpose = Phrase(kept(fields.take("purpose")));
    scenario.expectation = Phrase(kept(fields.take("expectation")));
    fields.read("choice", scenario.freedom);
    const QJsonValue comparison = fields.take("compare");
    scenario.compare = jointExpectationNamed(textOf(comparison));
    if (!comparison.isUndefined() && !scenario.compare)
        refuse(QStringLiteral("compare"));
    const QJsonArray phases = fields.takeList("phases");
    for (const QJsonValue &phase : phases.isEmpty() ? QJsonArray{QJsonObject()} : phases)
        scenario.phases.append(readPhase(fields.with(Fields(phase))));
    scenario.name = kept(fields.take("name"));
    return scenario;
}

} // namespace

std::span<const Scenario> scenarios()
{
    static const std::vector<Scenario> all = [] {
        QFile file(QStringLiteral(":/scenarios.json"));
        if (!file.open(QIODevice::ReadOnly))
            refuse(file.errorString());
        std::vector<Scenario> read;
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
        if (!document.isArray())
            refuse(error.errorString());
        for (const QJsonValue &scenario : document.array())
            read.push_back(readScenario(Fields(scenario)));
        return read;
    }();
    return all;
}

} // namespace lockscope
