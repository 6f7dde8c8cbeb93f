# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completes lockscope and lockscope-cli in bash; bash-completion loads it. The two tables are made of the programs' own.

# A verb, "_" between its words; what its argument is.
_lockscope_verbs='
@bash-verbs@
'
# An option; the verbs that take it; what its value is.
_lockscope_options='
@bash-options@
'

# _lockscope_row NAME TABLE: the rest of a row, in `row`.
_lockscope_row()
{
    local name rest
    while read -r name rest; do
        if [[ -n $name && $name == "$1" ]]; then
            row=$rest
            return
        fi
    done <<<"$2"
    return 1
}

# _lockscope_offer WORD…: those that begin as `cur` does.
_lockscope_offer()
{
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

# _lockscope_value KIND NAME…
_lockscope_value()
{
    case $1 in
        one-of) _lockscope_offer "${@:2}" ;;
        file) _filedir ;;
        directory) _filedir -d ;;
        host)
            # Of [USER@]HOST the host, where "@" begins a new word for readline.
            local user=
            [[ $cur != *@* || $COMP_WORDBREAKS == *@* ]] || user=${cur%%@*}@
            mapfile -t COMPREPLY < <(compgen -A hostname -P "$user" -- "${cur#*@}")
            ;;
        stored)
            local name
            COMPREPLY=()
            while IFS= read -r name; do
                [[ $name != "$cur"* ]] || COMPREPLY+=("$(printf %q "$name")")
            done < <(lockscope-cli stored-servers 2>/dev/null)
            ;;
    esac
}

# The options of a scope; without one, those of all verbs.
_lockscope_offer_options()
{
    local option scopes offered=()
    while read -r option scopes _; do
        case ,$scopes, in
            *,all,*) offered+=("$option") ;;
            *,verbs,*) [[ $1 == window ]] || offered+=("$option") ;;
            *",${1:-window},"*) offered+=("$option") ;;
        esac
    done <<<"$_lockscope_options"
    _lockscope_offer "${offered[@]}"
}

_lockscope()
{
    local cur prev words cword
    _init_completion -n =:@ || return
    local i word row scope='' only_words='' given=() awaits=''
    [[ ${1##*/} != lockscope ]] || scope=window

    for ((i = 1; i < cword; i++)); do
        word=${words[i]}
        awaits=
        if [[ -n $only_words || $word != -?* ]]; then
            given+=("$word")
        elif [[ $word == -- ]]; then
            only_words=yes
        elif _lockscope_row "$word" "$_lockscope_options" && [[ $row != *' none' ]]; then
            awaits=${row#* }
            ((++i))
        fi
    done
    if ((i == cword)); then
        awaits=
    fi
    if [[ -z $awaits && -z $only_words && $cur == --*=* ]] &&
        _lockscope_row "${cur%%=*}" "$_lockscope_options"; then
        awaits=${row#* }
        cur=${cur#*=}
    fi
    if [[ -n $awaits ]]; then
        # shellcheck disable=SC2086
        _lockscope_value $awaits
        return
    fi

    if [[ $scope != window ]] && ((${#given[@]})); then
        scope=${given[0]}
        given=("${given[@]:1}")
        if ((${#given[@]})) && _lockscope_row "${scope}_${given[0]}" "$_lockscope_verbs"; then
            scope+=_${given[0]}
            given=("${given[@]:1}")
        fi
    fi
    if [[ -z $only_words && $cur == -* ]]; then
        _lockscope_offer_options "$scope"
    elif [[ $scope != window && ${#given[@]} == 0 ]]; then
        local verb next=()
        while read -r verb row; do
            if [[ -z $scope ]]; then
                [[ " ${next[*]} " == *" ${verb%%_*} "* ]] || next+=("${verb%%_*}")
            elif [[ $verb == "${scope}_"* ]]; then
                next+=("${verb#*_}")
            fi
        done <<<"$_lockscope_verbs"
        row=none
        [[ -z $scope ]] || _lockscope_row "$scope" "$_lockscope_verbs"
        [[ $row != one-of* ]] || next+=(${row#one-of })
        if ((${#next[@]})); then
            _lockscope_offer "${next[@]}"
        else
            # shellcheck disable=SC2086
            _lockscope_value $row
        fi
    fi
} &&
    complete -F _lockscope lockscope lockscope-cli
