#!/bin/sh
# make.sh speaks the third column of en/metadata.csv and fa/metadata.csv into
# en/wavs and fa/wavs: 22,050 Hz, mono, 16-bit PCM.
#
# The WAVs are committed, so nobody needs this script to build or to test; it
# is here to say where they come from. It needs espeak-ng. The committed files
# were made with espeak-ng 1.51 and its own formant voices; the same version
# gives the same bytes again, another version other sounds. SHA256SUMS, beside
# this script, tells which.
#
#	sh testdata/corpus/make.sh            write the WAVs and SHA256SUMS
#	sh testdata/corpus/make.sh --check    make them in a scratch folder and compare
set -eu

made_with=1.51

here=$(cd "$(dirname "$0")" && pwd)

# voice prints the espeak-ng voice of a speaker. Rows without a speaker column
# (en) have one voice; the two Persian speakers are two variants of one voice.
voice() {
	case $1/$2 in
	en/) echo en-us ;;
	fa/omid) echo fa ;;
	fa/sara) echo fa+f2 ;;
	*)
		echo "make.sh: no voice for $1, speaker '$2'" >&2
		return 1
		;;
	esac
}

# speak LANGUAGE FOLDER writes FOLDER/wavs/ID.wav for every row of LANGUAGE.
speak() {
	mkdir -p "$2/wavs"
	while IFS='|' read -r id _ spoken speaker _; do
		name=$(voice "$1" "$speaker")
		# -b 1: the text is UTF-8 whatever the locale says.
		espeak-ng -b 1 -v "$name" -s 180 -w "$2/wavs/$id.wav" -- "$spoken"
	done <"$here/$1/metadata.csv"
}

sums() {
	(cd "$1" && LC_ALL=C sha256sum en/wavs/*.wav fa/wavs/*.wav)
}

version=$(espeak-ng --version | sed 's/^[^:]*: *\([0-9][0-9.]*\).*/\1/')
if [ "$version" != "$made_with" ]; then
	echo "make.sh: espeak-ng $version; the committed files are of $made_with" >&2
fi

if [ "${1:-}" = --check ]; then
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	speak en "$scratch/en"
	speak fa "$scratch/fa"
	sums "$scratch" | diff "$here/SHA256SUMS" -
	echo "the same bytes as SHA256SUMS"
	exit
fi

rm -f "$here"/en/wavs/*.wav "$here"/fa/wavs/*.wav
speak en "$here/en"
speak fa "$here/fa"
sums "$here" >"$here/SHA256SUMS"
