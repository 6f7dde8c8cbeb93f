// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/familykeys.h"

#include <array>

namespace lockscope {

namespace {

template <const auto &names>
QByteArrayList choicesOf()
{
    return namesIn(names.names);
}

constexpr std::array nameKeys{
    FamilyKey{"usual", KeyKind::Texts,
              "globs of the names that its locks usually have; locks are looked for under them"},
    FamilyKey{"not", KeyKind::Texts, "globs of names that are never its locks"},
    FamilyKey{"beside", KeyKind::Texts, "globs of keys that belong to its locks, and are none"},
    FamilyKey{"discover", KeyKind::OneOf,
              "hint: too wide or too private to be read unasked; never: they only tell what a lock is of",
              choicesOf<discoveryName>},
    FamilyKey{"lock_word", KeyKind::Flag,
              "a name with “lock” or the like speaks for it as a usual name does"},
};

constexpr std::array formKeys{
    FamilyKey{"type", KeyKind::OneOf, "what the key holds; default: string", choicesOf<formTypeName>},
    FamilyKey{"key", KeyKind::Shape, "the whole name of the key; default: any"},
    FamilyKey{"named", KeyKind::Flag, "a name as “key” says speaks for the family, as a usual name does"},
    FamilyKey{"value", KeyKind::Shape, "the string; of a hash with “field”: the value of each owner"},
    FamilyKey{"field", KeyKind::Shape, "of a hash: each other field, which names an owner"},
    FamilyKey{"read_value", KeyKind::Shape, "the value of an owner that reads, where each has its own mode"},
    FamilyKey{"write_value", KeyKind::Shape, "the value of an owner that writes"},
    FamilyKey{"member", KeyKind::Shape, "of a set: each member, which names an owner"},
    FamilyKey{
        "fields", KeyKind::Shapes,
        "of a hash: fields by name, with their values; “name?” may lack, and other fields may be there. The "
        "first is the owner, unless one has {owner:…}"},
    FamilyKey{"json", KeyKind::Shapes, "of a string: fields of a JSON object, likewise"},
    FamilyKey{"empty", KeyKind::Flag, "the string is empty"},
    FamilyKey{"wrapped", KeyKind::Flag,
              "the string may be written by a codec: JSON, PHP, igbinary, pickle, Java, MessagePack"},
    FamilyKey{"free", KeyKind::Texts,
              "values that nobody holds; “past-end”: the moment of {ends:…} is past. Past scores are free "
              "without it"},
    FamilyKey{"mode", KeyKind::OneOf, "in which way it is held; default: exclusive", choicesOf<formModeName>},
    FamilyKey{"score", KeyKind::OneOf,
              "of a sorted set: what scores are; renewed: each owner's last sign of life",
              choicesOf<scoreName>},
    FamilyKey{"lock", KeyKind::Shape,
              "of a sorted set: the lock that it belongs to, filled from the parts of its own name, as a "
              "companion's key is: it is no lock itself"},
    FamilyKey{
        "elsewhere", KeyKind::OneOf,
        "under another name: never of the family, a candidate, or its content speaks for it; default: never "
        "where there are usual names, else content",
        choicesOf<elsewhereName>},
    FamilyKey{"longest_lease", KeyKind::Duration,
              "a longer TTL is no evidence (“lease” in proof); it rules nothing out"},
    FamilyKey{"oldest", KeyKind::Duration, "a moment in it that is longer ago does not speak for the family"},
    FamilyKey{"excludes_others", KeyKind::Flag,
              "where it matches, families that match any name are no candidates"},
};

constexpr std::array companionKeys{
    FamilyKey{
        "as", KeyKind::OneOf,
        "record: a hash that says where the owner runs; queue: a sorted set of those who wait, by the "
        "ids that they have as owners; heartbeat: what shows that a holder lives: its member of a sorted "
        "set, its field of a hash, fields of a record, or else that the key is there; holders: a hash of "
        "those who hold a counted lock, for whom heartbeats are looked for then; index: a set of the locks "
        "of "
        "a session, each by its key, from which an end at once takes the lock when nobody holds it any more",
        choicesOf<companionUseName>},
    FamilyKey{"key", KeyKind::Shape,
              "its name; each {part} is filled from the part of that name of the lock's name or owner, "
              "{owner} with the whole id"},
    FamilyKey{"fields", KeyKind::Shapes,
              "of a record: fields by name, with {host:…} and {process:…} in them; of a heartbeat with "
              "{since:…} or {ends:…}"},
    FamilyKey{"score", KeyKind::OneOf,
              "of a queue: since when, or until when, each waits; of a heartbeat: when it was, or until when "
              "the holder is alive",
              choicesOf<scoreName>},
    FamilyKey{"waits", KeyKind::Duration, "with since: how long at most"},
    FamilyKey{"member", KeyKind::Shape,
              "of a heartbeat: the holder's member of a sorted set, filled as the key"},
    FamilyKey{"field", KeyKind::Shape,
              "of a heartbeat: the holder's field of a hash, likewise; of holders: with {owner}"},
    FamilyKey{"value", KeyKind::Shape,
              "the value of that field, with {since:…} or {ends:…}; of holders: with {holds:…}"},
    FamilyKey{"dead_after", KeyKind::Duration,
              "with since: a holder whose heartbeat is older is dead, by the server's clock"},
    FamilyKey{"every", KeyKind::Duration, "of a heartbeat: its interval; orphans need two without one"},
    FamilyKey{"missing_is_dead", KeyKind::Flag,
              "a holder that the set, or the hash, does not have is dead; default: not known. That there is "
              "no such key at all says nothing"},
    FamilyKey{"except", KeyKind::Texts, "members or fields of which a heartbeat says nothing"},
};

constexpr std::array effectKeys{
    FamilyKey{"holder", KeyKind::Text, "what its holder notices of an end by force, in a sentence or two"},
    FamilyKey{"waiters", KeyKind::Text, "how those who wait learn of it"},
    FamilyKey{"companions", KeyKind::Text, "what becomes of the keys beside it"},
};

constexpr std::array chineseKeys{
    FamilyKey{"title", KeyKind::Text, "title"},
    FamilyKey{"holder", KeyKind::Text, "effects.holder"},
    FamilyKey{"waiters", KeyKind::Text, "effects.waiters"},
    FamilyKey{"companions", KeyKind::Text, "effects.companions"},
};

constexpr std::array exampleKeys{
    FamilyKey{"key", KeyKind::Text, "the name"},
    FamilyKey{"value", KeyKind::Text, "a string; “\\xff” in a TOML literal stands for a byte"},
    FamilyKey{"fields", KeyKind::Members, "a hash: fields and values"},
    FamilyKey{"members", KeyKind::Members, "a sorted set: members and scores"},
    FamilyKey{"set", KeyKind::Texts, "a set"},
    FamilyKey{"ttl", KeyKind::Duration, "time left; default: no expiry"},
    FamilyKey{"at", KeyKind::Text,
              "when it is looked at: an ISO time in UTC; default: 2026-11-27T00:00:00.000Z"},
    FamilyKey{"is", KeyKind::Text, "certain, likely, ambiguous (a candidate) or none"},
    FamilyKey{"host", KeyKind::Text, "what is read of the owner"},
    FamilyKey{"process", KeyKind::Text, "likewise"},
    FamilyKey{"thread", KeyKind::Text, "likewise"},
    FamilyKey{"job", KeyKind::Text, "likewise"},
    FamilyKey{"class", KeyKind::Text, "likewise"},
    FamilyKey{"queue", KeyKind::Text, "likewise"},
    FamilyKey{"client", KeyKind::Text, "likewise"},
    FamilyKey{"owner", KeyKind::Text, "the id of the first owner"},
    FamilyKey{"since", KeyKind::Text, "the moment in it, as an ISO time"},
    FamilyKey{"holds", KeyKind::Text, "how often the first owner holds it"},
    FamilyKey{"mode", KeyKind::Text, "how the first owner holds it: exclusive, read or write"},
};

constexpr std::array fileKeys{
    FamilyKey{"format", KeyKind::Whole, "of the file; default: 1, which is all there is"},
    FamilyKey{"name", KeyKind::Text, "small letters, digits and hyphens: as programs read it"},
    FamilyKey{"title", KeyKind::Text, "as people read it: “ShedLock lock”; default: NAME lock"},
    FamilyKey{"stored", KeyKind::Text,
              "the form of what is stored, for people; default: as the first form says"},
    FamilyKey{"source", KeyKind::Text, "where this is known from"},
    FamilyKey{"version", KeyKind::Whole, "of two files with one name the higher counts; default: 1"},
    FamilyKey{"prevalence", KeyKind::Whole, "0 to 100: the more usual candidate is named first; default: 30"},
    FamilyKey{"proof", KeyKind::Proof,
              "which evidence is enough; default: own-name where there are usual names, else rule",
              choicesOf<proofName>},
    FamilyKey{"library", KeyKind::Text, "families of one library have one"},
    FamilyKey{"renewed", KeyKind::Flag, "its holder renews the lease while it lives"},
    FamilyKey{"may_renew", KeyKind::Flag,
              "some holders renew it: by an option of the library, or by what is built on it"},
    FamilyKey{"several_owners", KeyKind::Flag, "more than one at a time is no problem"},
    FamilyKey{"spans_servers", KeyKind::Flag,
              "it may be kept on several servers that know nothing of each other"},
    FamilyKey{"may_lack_expiry", KeyKind::Flag, "no expiry is what its users get by default"},
    FamilyKey{"client_may_count", KeyKind::Flag, "a client may count re-entries itself"},
    FamilyKey{"wake", KeyKind::OneOf, "how those who wait learn that it is free; default: polling",
              choicesOf<wakeName>},
    FamilyKey{"sleeps_on", KeyKind::Flag, "who waits for a message sleeps on after an end without it"},
    FamilyKey{"holder_after_end", KeyKind::OneOf,
              "what becomes of a holder whose lock was ended by force; default: unknown",
              choicesOf<impactName>},
    FamilyKey{"acquire", KeyKind::OneOf,
              "whether Lockscope takes such a lock for an operator; default: no-script",
              choicesOf<acquireName>},
    FamilyKey{"scripts", KeyKind::OneOf,
              "how it is ended; default: by its type. set-field: the field of the record that “free” speaks "
              "of gets that value, and the key stays; decrement: a release takes one from the count, and "
              "leaves 0",
              choicesOf<scriptsName>},
    FamilyKey{"runbook", KeyKind::Text, "an address with what to do"},
    FamilyKey{"contact", KeyKind::Text, "whom to ask"},
    FamilyKey{"probe", KeyKind::Text, "a command that asks whether a holder is alive, as that of a server"},
    FamilyKey{
        "clients", KeyKind::Text,
        "the client libraries on which it is built, as they name themselves (CLIENT SETINFO), with blanks "
        "between: “who” names the candidates of which the holder's speaks"},
    FamilyKey{"names", KeyKind::Table, "the names of its keys", nullptr, nameKeys},
    FamilyKey{"form", KeyKind::Tables, "a way in which it is stored; the more special first", nullptr,
              formKeys},
    FamilyKey{"companion", KeyKind::Tables, "a key beside each lock; names.beside has to cover it, too",
              nullptr, companionKeys},
    FamilyKey{"effects", KeyKind::Table, "what people are told where the usual sentences do not fit", nullptr,
              effectKeys},
    FamilyKey{"zh", KeyKind::Table, "the texts in Chinese", nullptr, chineseKeys},
    FamilyKey{"example", KeyKind::Tables, "a lock, and what is to be made of it: a test", nullptr,
              exampleKeys},
};

} // namespace

const std::span<const FamilyKey> familyKeys = fileKeys;

Phrase expectedOf(KeyKind kind)
{
    switch (kind) {
    case KeyKind::Flag:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "true or false"));
    case KeyKind::Whole:
        return Phrase(QT_TRANSLATE_NOOP("phrases", "a whole number"));
    case KeyKind::Texts:
        return Phrase("[\"…\"]");
    case KeyKind::Tables:
        return Phrase("[[…]]");
    case KeyKind::Shapes:
    case KeyKind::Table:
    case KeyKind::Members:
        return Phrase("{ name = \"…\" }");
    case KeyKind::Duration:
        return Phrase("\"30s\", \"10m\", \"7d\"");
    default:
        return Phrase("\"…\"");
    }
}

std::optional<qint64> durationMs(QByteArrayView text)
{
    struct Unit
    {
        const char *name;
        qint64 ms;
    };
    constexpr std::array units{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"m", 60'000}, Unit{"h", 3'600'000},
                               Unit{"d", dayMs}};
    for (const Unit &unit : units) {
        const QByteArrayView name = unit.name;
        if (!text.endsWith(name))
            continue;
        bool isNumber = false;
        const double number = text.chopped(name.size()).toDouble(&isNumber);
        if (isNumber && number > 0 && number < 1e9)
            return static_cast<qint64>(number * static_cast<double>(unit.ms));
    }
    return std::nullopt;
}

QByteArray bytesWritten(QByteArrayView text)
{
    QByteArray bytes;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x') {
            bytes += QByteArray::fromHex(text.sliced(i + 2, 2).toByteArray());
            i += 3;
        } else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\\') {
            bytes += text[++i];
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

} // namespace lockscope
