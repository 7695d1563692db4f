#!/bin/sh
# make.sh makes the stores of this folder, each by the program of the commit at which
# its formats were last written, and EXPECTED, which holds what those programs said:
#
#	NAME  corpus  root of the first build  root of the second  digest of a feed of it
#
# Nobody has to run it: the stores are committed, and what was made once is never made
# anew, since it has to be the bytes of its time. When a format gets a new version, add
# a line to the table below and run
#
#	sh testdata/stores/make.sh NAME
#
# It needs git with the history, and the Go of that time or a later one.
set -eu

# NAME COMMIT CORPUS ROWS: a folder of testdata/corpus/formats and its file of rows
table='
seal1 ee95c69e ljspeech metadata.csv
snapshot1 29717a27 ljspeech metadata.csv
rejections1 35c09087 ljspeech metadata.csv
seal2 4284bf78 ljspeech metadata.csv
parts 4284bf78 kaldi text
'

here=$(cd "$(dirname "$0")" && pwd)
name=$1
set -- $(echo "$table" | sed -n "s/^$name //p")
[ $# = 3 ] || { echo "make.sh: no $name in the table" >&2; exit 1; }
commit=$1 corpus=$2 rows=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
git -C "$here/../.." archive "$commit" | tar x -C "$work/source"
(cd "$work/source" && CGO_ENABLED=0 go build -trimpath -o "$work/voxpack" ./cmd/voxpack)

# A few clips of 90 ms and a row without one, built, edited and built again.
data=$work/data
cp -r "$here/../corpus/formats/$corpus" "$data"
cp "$here/voxpack.yaml" "$data"
[ "$corpus" != ljspeech ] || echo 'LJ001-0004|It has no clip.|It has no clip.' >>"$data/$rows"
root() { "$work/voxpack" build "$data" -q --json | sed -n 's/^ *"dataset": "\(.*\)",/\1/p'; }
first=$(root)
sed '1s/$/ Indeed./' "$data/$rows" >"$work/edited"
cp "$work/edited" "$data/$rows"
second=$(root)
digest=$("$work/voxpack" feed "$data" -q --batch-size 2 --tail pad --digest --json | tr -d ' \n' | sed 's/.*"epoch_digests":\["\([0-9a-f]*\)".*/\1/')

[ ${#first}${#second}${#digest} = 646464 ] || { echo "make.sh: $name: no figures" >&2; exit 1; }
rm -rf "${here:?}/$name" "$data/.voxpack/cache" "$data/.voxpack/runs" "$data/.voxpack/lock"
cp -r "$data/.voxpack" "$here/$name"
touch "$here/EXPECTED"
{ grep -v "^$name " "$here/EXPECTED" || true; echo "$name $corpus $first $second $digest"; } | sort >"$work/expected"
cp "$work/expected" "$here/EXPECTED"
