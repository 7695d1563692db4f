#!/bin/sh
# make.sh encodes half a second of a bundled clip in every format that voxpack
# reads, and in one that it leaves to ffmpeg.
#
# The files are committed, so nobody needs this script to build or to test; it
# is here to say where they come from. It needs flac, lame, oggenc and ffmpeg;
# other versions of them give other bytes.
#
#	sh testdata/audio/make.sh
#
# Beside each lossy file stands what ffmpeg decodes from it, as FLAC of 24 bits:
# the tests hold our decoders to it.
set -eu
cd "$(dirname "$0")"

clip() { # clip OUT OPTIONS...
	out=$1
	shift
	ffmpeg -nostdin -v error -y -ss 0.35 -t 0.4 -i ../corpus/en/wavs/en-0002.wav -bitexact "$@" "$out"
}

# A second channel that is neither the first nor silence: its echo, 5 ms later.
echo='pan=stereo|c0=c0|c1=0.6*c0,adelay=0|5'

# 24 bits of which the low ones are not zero.
clip mono16.wav -c:a pcm_s16le
clip stereo16.wav -af "$echo" -c:a pcm_s16le
clip mono24.wav -af volume=0.7:precision=double -c:a pcm_s24le
clip stereo24.wav -af "volume=0.7:precision=double,$echo" -c:a pcm_s24le
for name in mono16 stereo16 mono24 stereo24; do
	flac -s -f -8 --no-padding -o "$name.flac" "$name.wav"
done

lossy() { # lossy FILE: ffmpeg's decode of it
	ffmpeg -nostdin -v error -y -bitexact -i "$1" -map_metadata -1 -c:a flac -sample_fmt s32 -bits_per_raw_sample 24 "$1.flac"
}

clip high.wav -ar 44100 -af "$echo" -c:a pcm_s16le
lame --quiet -V 2 mono16.wav mono.mp3         # MPEG-2, one channel
lame --quiet -V 4 stereo16.wav vbr.mp3        # MPEG-2, joint stereo
lame --quiet -b 128 -m j high.wav high.mp3    # MPEG-1
lame --quiet -b 64 -t mono16.wav untagged.mp3 # no Info frame: the delay is unknown
lame --quiet -b 32 mono16.wav low.mp3         # frames padded by a byte
lame --quiet --resample 32 -b 48 -q 0 mono16.wav wide.mp3 # MPEG-1 that shares scale factors
python3 layer3.py mixed mixed.mp3             # mixed blocks, which lame does not write
oggenc -Q -q 3 -o mono.ogg mono16.wav
oggenc -Q -q 6 -o stereo.ogg stereo16.wav
oggenc -Q -q 0 -o high.ogg high.wav
for name in mono.mp3 vbr.mp3 high.mp3 untagged.mp3 low.mp3 wide.mp3 mixed.mp3 mono.ogg stereo.ogg high.ogg; do
	lossy "$name"
done
ffmpeg -nostdin -v error -y -i mono16.wav -bitexact -c:a libopus -b:a 24k mono.opus
ffmpeg -nostdin -v error -y -i mono16.wav -bitexact -c:a aac -b:a 32k mono.m4a
ffmpeg -nostdin -v error -y -i stereo16.wav -bitexact -c:a aac -b:a 64k -movflags +faststart stereo.m4a
aac-enc -r 32000 high.wav high.aac # of the FDK
for name in mono.m4a stereo.m4a high.aac; do
	lossy "$name"
done
# For ffmpeg alone: twice the rate that the header says (SBR), in ADTS and MP4; ALAC.
aac-enc -t 5 -r 24000 high.wav he.aac
ffmpeg -nostdin -v error -y -i he.aac -bitexact -c copy he.m4a
ffmpeg -nostdin -v error -y -i mono16.wav -bitexact -c:a alac alac.m4a
opus() { # opus OUT OPTIONS...
	out=$1
	shift
	opusenc --quiet --serial 7 --discard-comments --padding 0 "$@" "$out"
}
opus stereo.opus --bitrate 64 stereo16.wav # CELT
opus silk.opus --speech --bitrate 8 --framesize 60 mono16.wav
for name in mono silk stereo; do # libopus
	opusdec --quiet --float --force-wav --rate 48000 "$name.opus" opus.wav
	lossy opus.wav
	mv opus.wav.flac "$name.opus.flac"
done
# What the program decodes to tell its own bits.
opus silk-20.opus --speech --bitrate 10 mono16.wav
opus hybrid.opus --speech --bitrate 24 mono16.wav
opus celt.opus --music --bitrate 64 mono16.wav
python3 opusmix.py ../../audio/codec/opusprobe.opus silk-20.opus hybrid.opus celt.opus
rm high.wav opus.wav silk-20.opus hybrid.opus celt.opus
