#!/usr/bin/env bash
# Runs one stay of a request as a process, for as long as the agent of the server has a lease, and notes in the record when that began and ended.
#   runner.sh RECORD LEASE DIRECTORY KEY LATEST WORD...
# LEASE has the moment at which all must have stopped, in hundredths of a second since the machine's start; nothing starts after LATEST. The agent
# need not be there: who is silent renews no lease. DIRECTORY/KEY.stop ends it. Times in the record: hundredths since the start, seconds since 1970.
set -u
record=$1 lease=$2 directory=$3 key=$4 latest=$5
shift 5

now() {
    local up rest
    read -r up rest </proc/uptime
    now=$((10#${up/./}))
}

note() {
    now
    printf '%s %s %s %s %s\n' "$1" "$key" "$2" "$now" "$EPOCHREALTIME" >>"$record"
}

holds() {
    local until=0
    read -r until <"$lease" 2>/dev/null
    now
    ((now < 10#${until:-0}))
}

echo $$ >"$directory/$key.pid.new" && mv "$directory/$key.pid.new" "$directory/$key.pid"
trap '' HUP INT TERM
end() {
    echo "$1" >"$directory/$key.end.new" && mv "$directory/$key.end.new" "$directory/$key.end"
    rm -f "$directory/$key.pid"
}

if ! holds || ((now >= latest)) || [ -e "$directory/$key.stop" ]; then
    end late
    exit 3
fi
why=ended
# Who kills this script kills the process, which does not begin if the script was killed before that held.
# Not with sh, because dash drops variables such as a.b.
if command -v setpriv >/dev/null; then
    set -- setpriv --pdeathsig KILL bash -c '[ "$PPID" = "$0" ] && exec "$@"' "$$" "$@"
fi
exec {nothing}<> <(:)
note start -
"$@" </dev/null >/dev/null 2>&1 &
child=$!
while kill -0 "$child" 2>/dev/null; do
    if [ -e "$directory/$key.stop" ]; then
        why=stopped
        break
    elif ! holds; then
        why=fenced
        break
    fi
    read -r -t 0.1 -u "$nothing"
done
kill -KILL "$child" 2>/dev/null
wait "$child" 2>/dev/null
note stop "$why"
end "$why"
