#!/bin/sh
# demo.sh shows voxpack on the bundled English corpus: build it, look at it,
# edit one row, build again, and see what the edit cost. Every command is
# printed before it runs. It works on a copy in a scratch folder and removes it.
#
#	sh testdata/demo.sh bin/voxpack      (make demo builds the binary first)
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
	echo "usage: demo.sh VOXPACK, where VOXPACK is the built program" >&2
	exit 2
fi
bin=$(cd "$(dirname "$1")" && pwd)
name=$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
PATH=$bin:$PATH

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# say prints what comes next; run prints a command and runs it.
say() { printf '\n# %s\n' "$*"; }
run() {
	printf '$ %s\n' "$*"
	"$@"
}

mkdir "$scratch/en"
cp -R "$here/corpus/en/metadata.csv" "$here/corpus/en/wavs" "$scratch/en" # and no store that may lie there
cd "$scratch"

say "Ten rows of text and sound ..."
run head -n 3 en/metadata.csv

say "... become shards of fixed shape."
run "$name" build en
run "$name" show en
run "$name" show en en-0006

say "Nothing changed: nothing runs."
run "$name" build en

say "One word of one row changes. (sed -i is not the same everywhere, hence the copy.)"
echo "$ sed 's/stone bridge/iron bridge/g' en/metadata.csv"
sed 's/stone bridge/iron bridge/g' en/metadata.csv >metadata.new
if cmp -s metadata.new en/metadata.csv; then
	echo "demo.sh: the edit changed nothing" >&2
	exit 1
fi
mv metadata.new en/metadata.csv

say "The tokens of that row are made again; every mel stays."
run "$name" build en
run "$name" explain en
run "$name" explain en en-0006

say "A trainer with steps of 5 ms would get its batches like this:"
run "$name" feed en --batch-size 4 --epochs 100 --step-ms 5 --quiet

say "Every byte is what it was when it was written."
run "$name" verify en --full
