#!/bin/sh
# Writes what valgrind says of each program to valgrind.txt: blocks and bytes for each kind.
cd "$(dirname "$0")" || exit
flags='-O2 -std=c++17 -pthread -g -fno-omit-frame-pointer -no-pie'
made=$(mktemp -d)
{
    echo "# $(valgrind --version), $(g++ --version | head -n 1): g++ $flags"
    echo '# program lost indirectly_lost possibly_lost still_reachable: blocks/bytes'
    for source in *.cpp; do
        # shellcheck disable=SC2086
        g++ $flags "$source" -o "$made/program" || exit
        valgrind --leak-check=full --show-leak-kinds=all --log-file="$made/log" "$made/program" > "$made/out"
        sed 's/,//g' "$made/log" | awk -v name="${source%.cpp}" '
            / (definitely lost|indirectly lost|possibly lost|still reachable): / { of = of " " $7 "/" $4 }
            /All heap blocks were freed/ { of = " 0/0 0/0 0/0 0/0" }
            END { print name of }'
    done
} > valgrind.txt
rm -r "$made"
