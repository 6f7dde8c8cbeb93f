// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/statuswords.h"

#include <algorithm>
#include <array>
#include <span>

namespace lockscope {

namespace {

using Word = QByteArrayView;

constexpr qsizetype longestWord = 16;

constexpr std::array freeWords{
    Word("0"),      Word("false"),    Word("no"),        Word("off"),       Word("none"),     Word("null"),
    Word("nil"),    Word("open"),     Word("opened"),    Word("free"),      Word("released"), Word("idle"),
    Word("unlock"), Word("unlocked"), Word("available"), Word("undefined"), Word("unset"),    Word("vacant")};
constexpr std::array states{
    Word("on"),         Word("jammed"),      Word("closed"),   Word("enabled"),   Word("disabled"),
    Word("processed"),  Word("done"),        Word("ok"),       Word("failed"),    Word("error"),
    Word("success"),    Word("completed"),   Word("finished"), Word("cancelled"), Word("canceled"),
    Word("unknown"),    Word("default"),     Word("charging"), Word("low"),       Word("high"),
    Word("normal"),     Word("maintenance"), Word("online"),   Word("offline"),   Word("up"),
    Word("down"),       Word("ready"),       Word("inactive"), Word("paused"),    Word("stopped"),
    Word("expired"),    Word("new"),         Word("canary"),   Word("stable"),    Word("verified"),
    Word("unverified"), Word("deleted"),     Word("archived"), Word("draft"),     Word("published"),
    Word("red"),        Word("green")};
constexpr std::array held{Word("1"),       Word("true"),       Word("yes"),         Word("y"),
                          Word("t"),       Word("locked"),     Word("lock"),        Word("mutex"),
                          Word("held"),    Word("taken"),      Word("acquired"),    Word("busy"),
                          Word("running"), Word("processing"), Word("pending"),     Word("active"),
                          Word("started"), Word("working"),    Word("in_progress"), Word("inuse"),
                          Word("in_use"),  Word("in-use")};
constexpr std::array fillers{Word("set"),     Word("exists"), Word("value"), Word("x"),
                             Word("locking"), Word("owned"),  Word("b:1;"),  Word("i:1;")};

bool isOneOf(QByteArrayView text, std::span<const Word> words)
{
    return std::ranges::any_of(words, [text](Word word) { return sameWord(text, word); });
}

} // namespace

StatusWord statusWord(QByteArrayView text)
{
    if (text.isEmpty() || text.size() > longestWord)
        return StatusWord::None;
    if (isOneOf(text, held))
        return StatusWord::Held;
    if (isOneOf(text, freeWords))
        return StatusWord::Free;
    if (isOneOf(text, states))
        return StatusWord::State;
    return isOneOf(text, fillers) ? StatusWord::Filler : StatusWord::None;
}

} // namespace lockscope
