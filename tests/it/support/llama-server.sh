#!/bin/sh
# Stands in for `llama-server`: writes down that it was started, does what the file `mode` says, and
# becomes the test binary, which serves.
bin=${0%/*}
folder=$bin/..
printf '%s\0' "$@" > "$folder/argv.$$"
echo "$$ $PPID" >> "$folder/engines"
read -r mode detail < "$folder/mode"
case $mode in
    signal) kill "-$detail" $$ ;;
    says)
        while read -r line; do echo "$line"; done < "$folder/words"
        exit "$detail"
        ;;
esac
export STAND_IN_FOLDER="$folder" STAND_IN_PROCESS=$$
set -- "$bin/stand-in" --exact support::engine::stand_in --nocapture
if [ "$mode" = inside ]; then
    "$@"
    exit
fi
exec "$@"
