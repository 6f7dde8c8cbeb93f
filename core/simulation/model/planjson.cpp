// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/planfields.h"

#include <QJsonArray>
#include <QJsonObject>

#include <type_traits>

// A plan travels between processes of one build: every field by name, strategies too, other enumerations by number,
// durations in their own unit, bytes in base64.
namespace lockscope {

namespace {

template <typename Value>
constexpr Value last = Value{};
template <>
constexpr ReleaseMethod last<ReleaseMethod> = ReleaseMethod::UncheckedDelete;
template <>
constexpr WakeMethod last<WakeMethod> = WakeMethod::Subscription;
template <>
constexpr WaitMode last<WaitMode> = WaitMode::Block;
template <>
constexpr HoldTime::Shape last<HoldTime::Shape> = HoldTime::Shape::Exponential;
template <>
constexpr Fault last<Fault> = Fault::ReleaseReplyLost;
template <>
constexpr ServerFault last<ServerFault> = ServerFault::FlushAll;

template <typename Value>
QJsonValue written(const Value &value);
template <typename Value>
bool read(const QJsonValue &json, Value &value);

/// Fields into an object.
struct Writer
{
    QJsonObject object;

    template <typename Value>
    void operator()(const char *name, const Value &value)
    {
        object[QLatin1String(name)] = written(value);
    }
    template <typename Value>
    void operator()(const char *name, const std::optional<Value> &value)
    {
        if (value)
            (*this)(name, *value);
    }
};

/// Fields out of an object; each must be there, unless it is optional.
struct Reader
{
    QJsonObject object;
    bool good = true;

    template <typename Value>
    void operator()(const char *name, Value &value)
    {
        good = good && read(object.value(QLatin1String(name)), value);
    }
    template <typename Value>
    void operator()(const char *name, std::optional<Value> &value)
    {
        value.reset();
        if (object.contains(QLatin1String(name)))
            (*this)(name, value.emplace());
    }
};

// Each list of fields serves both directions, so that none can be forgotten in one.

template <typename Each>
void fields(Each &each,
            auto &algorithm) requires std::is_same_v<std::remove_cvref_t<decltype(algorithm)>, Algorithm>
{
    visitFields<Algorithm>(algorithm, each);
}

template <typename Each>
void fields(Each &each, auto &hold) requires std::is_same_v<std::remove_cvref_t<decltype(hold)>, HoldTime>
{
    each("shape", hold.shape);
    each("low", hold.low);
    each("high", hold.high);
}

template <typename Each>
void fields(Each &each, auto &visit) requires std::is_same_v<std::remove_cvref_t<decltype(visit)>, Iteration>
{
    each("startAt", visit.startAt);
    each("locks", visit.locks);
    each("algorithm", visit.algorithm);
    each("owner", visit.owner);
    each("mode", visit.mode);
    each("timeout", visit.timeout);
    each("lease", visit.lease);
    each("levels", visit.levels);
    each("step", visit.step);
    each("hold", visit.hold);
    each("renew", visit.renew);
    each("fault", visit.fault);
    each("pause", visit.pause);
    each("rest", visit.rest);
}

template <typename Each>
void fields(Each &each, auto &plan) requires std::is_same_v<std::remove_cvref_t<decltype(plan)>, Plan>
{
    each("algorithm", plan.algorithm);
    visitFields<Plan>(plan, each);
}

template <typename Value>
constexpr bool isList = false;
template <typename Item>
constexpr bool isList<QList<Item>> = true;

template <typename Value>
constexpr bool isDuration = false;
template <typename Count, typename Period>
constexpr bool isDuration<std::chrono::duration<Count, Period>> = true;

template <typename Value>
QJsonValue written(const Value &value)
{
    if constexpr (std::is_same_v<Value, StrategyKind>) {
        return QString::fromLatin1(strategyName(value));
    } else if constexpr (std::is_enum_v<Value> || std::is_same_v<Value, quint32>) {
        return static_cast<qint64>(value);
    } else if constexpr (isDuration<Value>) {
        return static_cast<qint64>(value.count());
    } else if constexpr (std::is_same_v<Value, QByteArray>) {
        return QString::fromLatin1(value.toBase64());
    } else if constexpr (isList<Value>) {
        QJsonArray array;
        for (const auto &item : value)
            array.append(written(item));
        return array;
    } else if constexpr (std::is_class_v<Value>) {
        Writer writer;
        fields(writer, value);
        return writer.object;
    } else {
        return value;
    }
}

/// Whole numbers only, within the bounds.
template <typename Number>
bool readInteger(const QJsonValue &json, Number low, Number high, auto &&take)
{
    const qint64 number = json.toInteger(static_cast<qint64>(low) - 1);
    if (number < static_cast<qint64>(low) || number > static_cast<qint64>(high))
        return false;
    take(number);
    return true;
}

template <typename Value>
bool readList(const QJsonValue &json, QList<Value> &list)
{
    list.clear();
    bool good = json.isArray();
    for (const auto &item : json.toArray())
        good = good && read(item, list.emplaceBack());
    return good;
}

bool readBytes(const QJsonValue &json, QByteArray &bytes)
{
    const auto decoded =
        QByteArray::fromBase64Encoding(json.toString().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    bytes = decoded.decoded;
    return json.isString() && decoded;
}

template <typename Value>
bool read(const QJsonValue &json, Value &value)
{
    constexpr qint64 most = qint64(1) << 52;
    if constexpr (std::is_same_v<Value, bool>) {
        value = json.toBool();
        return json.isBool();
    } else if constexpr (std::is_same_v<Value, double>) {
        value = json.toDouble();
        return json.isDouble();
    } else if constexpr (std::is_same_v<Value, StrategyKind>) {
        const auto kind = strategyFromName(json.toString().toLatin1());
        value = kind.value_or(value);
        return kind.has_value();
    } else if constexpr (std::is_enum_v<Value>) {
        return readInteger(json, Value{}, last<Value>,
                           [&](qint64 number) { value = static_cast<Value>(number); });
    } else if constexpr (std::is_integral_v<Value>) {
        return readInteger(json, std::numeric_limits<Value>::min(), std::numeric_limits<Value>::max(),
                           [&](qint64 number) { value = static_cast<Value>(number); });
    } else if constexpr (isDuration<Value>) {
        return readInteger(json, -most, most, [&](qint64 number) { value = Value(number); });
    } else if constexpr (std::is_same_v<Value, QByteArray>) {
        return readBytes(json, value);
    } else if constexpr (isList<Value>) {
        return readList(json, value);
    } else {
        Reader reader{json.toObject()};
        fields(reader, value);
        return json.isObject() && reader.good;
    }
}

} // namespace

QJsonObject Plan::toJson() const
{
    return written(*this).toObject();
}

std::optional<Plan> Plan::fromJson(const QJsonObject &object)
{
    Plan plan;
    return read(QJsonValue(object), plan) ? std::optional(plan) : std::nullopt;
}

} // namespace lockscope
