package intake

import (
	"strings"
	"testing"
)

// The corpora below are written as the documents of each say, found by no hint but
// their files. Names and texts are our own.

// TestCorporaAsTheirDocumentsSay: the format is told, every line is accounted for,
// and rows are what the document means.
func TestCorporaAsTheirDocumentsSay(t *testing.T) {
	check(t, []treeCase{
		// README of LJSpeech-1.1: "ID|Transcription|Normalized Transcription", UTF-8, no header, wavs/ID.wav.
		{"LJSpeech", tree{
			"metadata.csv": "XX001-0001|in 1924, \"so to say\"|in nineteen twenty-four, \"so to say\"\n" +
				"XX001-0002|and Dr. Low, etc.|and Doctor Low, et cetera\n",
			"README": "-----\nThe ...\n", "wavs/XX001-0001.wav": "", "wavs/XX001-0002.wav": "",
		},
			[]string{
				"ljspeech", `metadata.csv:1 XX001-0001 in 1924, "so to say"/in nineteen twenty-four, "so to say"`,
				"metadata.csv:2 XX001-0002 and Dr. Low, etc./and Doctor Low, et cetera",
			}},
		// Common Voice's releases: 1 had no locale, 7 has locale and segment, 17 and later have ids of
		// sentences, domains and variants. common-voice/cv-dataset, "Field information".
		{"Common Voice, first release", tree{
			"train.tsv": "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccent\n" +
				"c1\ta.mp3\tOne.\t2\t0\t\t\t\n",
			"clips/a.mp3": "",
		},
			[]string{"common-voice", "train.tsv:2 a (clips/a.mp3) One. [c1] [train]"}},
		{"Common Voice, of 2021", tree{
			"validated.tsv": "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment\n" +
				"c1\tcommon_voice_sv-SE_1.mp3\tEtt \"två\".\t2\t1\tthirties\tother\t\tsv-SE\t\n" +
				"c2\tb.mp3\tTvå\t2\t0\t\t\t\tsv-SE\tSinglet\n",
			"invalidated.tsv": "client_id\tpath\tsentence\nx\ty\tz\n",
			"reported.tsv":    "sentence\tsentence_id\tlocale\treason\na\tb\tsv\tc\n",
		},
			[]string{
				"common-voice",
				`validated.tsv:2 common_voice_sv-SE_1 (clips/common_voice_sv-SE_1.mp3) Ett "två". [c1] [sv]`,
				"validated.tsv:3 b (clips/b.mp3) Två [c2] [sv]",
			}},
		{"Common Voice, of 2024", tree{
			"validated.tsv": "client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\tage\tgender\taccents\tvariant\tlocale\tsegment\n" +
				"c1\ta.mp3\tf00\tUne.\tgeneral\t2\t0\t\t\t\t\tfr\t\n" +
				"c1\tb.mp3\tf01\tDeux.\t\t2\t0\t\t\t\t\tfr\t\n",
			"clip_durations.tsv":        "clip\tduration[ms]\na.mp3\t1000\n",
			"validated_sentences.tsv":   "sentence_id\tsentence\tsource\nf00\tUne.\tx\n",
			"unvalidated_sentences.tsv": "sentence_id\tsentence\nf02\tTrois.\n",
		},
			[]string{
				"common-voice", "validated.tsv:2 a (clips/a.mp3) Une. [c1] [fr]",
				"validated.tsv:3 b (clips/b.mp3) Deux. [c1] [fr]",
			}},
		// kaldi-asr.org/doc/data_prep.html: wav.scp may hold commands, segments have seconds, spk2utt,
		// spk2gender and reco2file_and_channel are further files of the same folder.
		{"Kaldi with segments", tree{
			"text":     "r1-A_000098-001156 HI UM YEAH\nr1-B_000200-000300 [laughter] NO\n",
			"segments": "r1-A_000098-001156 r1-A 0.98 11.56\nr1-B_000200-000300 r1-B 2.00 3.00\n",
			"wav.scp":  "r1-A a.wav\nr1-B sph2pipe -f wav -p -c 2 b.sph |\n",
			"utt2spk":  "r1-A_000098-001156 2001-A\nr1-B_000200-000300 2001-B\n",
			"spk2utt":  "2001-A r1-A_000098-001156\n", "spk2gender": "2001-A f\n",
			"reco2file_and_channel": "r1-A r1 A\nr1-B r1 B\n", "utt2dur": "r1-A_000098-001156 10.58\n",
		},
			[]string{"kaldi", "text:1 r1-A_000098-001156 (a.wav) 980ms+10.58s HI UM YEAH [2001-A]",
				"wav.scp:2 r1-B_000200-000300! a command, which is not run here; write what it prints to a file first (COMMAND > NAME.wav) and name that file"}},
		// NeMo, "Datasets": one JSON object a line with audio_filepath, duration and text or pred_text; a
		// text may be of another key in a manifest for TTS.
		{"NeMo for recognition", tree{
			"train_manifest.json": `{"audio_filepath": "/data/an4/a.wav", "duration": 1.25, "text": "one two"}` + "\n" +
				`{"audio_filepath": "b.wav", "duration": 3.0, "offset": 0.5, "text": "three", "lang": "en"}` + "\n",
		},
			[]string{
				"jsonl", "train_manifest.json:1 a (a.wav) one two",
				"train_manifest.json:2 b (b.wav) 500ms+3s three [en]",
			}},
		{"NeMo for speech", tree{
			"m.json": `{"audio_filepath": "audio/92_clean/1.flac", "text": "chapter 1.", "normalized_text": "chapter one.", "duration": 2.2, "speaker": 92}` + "\n" +
				`{"audio_filepath": "audio/92_clean/2.flac", "text": "two", "normalized_text": "two", "speaker": 92}` + "\n",
		},
			[]string{
				"jsonl", "m.json:1 audio/92_clean/1 (audio/92_clean/1.flac) chapter 1./chapter one. [92]",
				"m.json:2 audio/92_clean/2 (audio/92_clean/2.flac) two/two [92]",
			}},
		{"NeMo's predictions alone are no text", tree{
			"m.json": `{"audio_filepath": "a.wav", "text": "one", "pred_text": "wan"}` + "\n" +
				`{"audio_filepath": "b.wav", "pred_text": "too"}` + "\n",
		},
			[]string{"jsonl", "m.json:1 a (a.wav) one", "m.json:2 b! no key holds the text (text, sentence, …)"}},
		// LibriTTS' README: SPEAKER_CHAPTER_PARAGRAPH_SENTENCE, two texts beside each clip, tables of a chapter.
		{"LibriTTS", tree{
			"LICENSE.txt": "CC", "SPEAKERS.txt": ";ID|SEX\n1|F\n", "dev-clean/1/2/1_2_000003_000000.wav": "",
			"dev-clean/1/2/1_2_000003_000000.original.txt":   "Mr. A.",
			"dev-clean/1/2/1_2_000003_000000.normalized.txt": "Mister A.",
			"dev-clean/1/2/1_2.trans.tsv":                    "1_2_000003_000000\tMr. A.\tMister A.\n",
			"dev-clean/1/2/1_2.book.tsv":                     "x\ty\n",
		},
			[]string{
				"libritts",
				"dev-clean/1/2/1_2_000003_000000.original.txt:1 1_2_000003_000000 (dev-clean/1/2/1_2_000003_000000.wav) Mr. A./Mister A. [1] [val]",
			}},
		// LibriSpeech's README: READER-CHAPTER.trans.txt in READER/CHAPTER, capitals, FLAC.
		{"LibriSpeech", tree{
			"BOOKS.TXT": ";x\n", "SPEAKERS.TXT": ";ID | SEX\n",
			"train-clean-100/19/198/19-198.trans.txt": "19-198-0000 NORTHANGER\n19-198-0001 THIS IS IT\n",
			"train-clean-100/19/198/19-198-0000.flac": "", "train-clean-100/19/198/19-198-0001.flac": "",
		},
			[]string{
				"librispeech",
				"train-clean-100/19/198/19-198.trans.txt:1 19-198-0000 (train-clean-100/19/198/19-198-0000.flac) NORTHANGER [19] [train]",
				"train-clean-100/19/198/19-198.trans.txt:2 19-198-0001 (train-clean-100/19/198/19-198-0001.flac) THIS IS IT [19] [train]",
			}},
		// VCTK 0.92's README: two microphones, names in capitals for s5.
		{"VCTK 0.92", tree{
			"speaker-info.txt": "ID AGE\n", "txt/p225/p225_001.txt": "Call her.\n",
			"txt/s5/s5_001.txt": "Call him.\n", "wav48_silence_trimmed/p225/p225_001_mic1.flac": "",
			"wav48_silence_trimmed/p225/p225_001_mic2.flac": "", "wav48_silence_trimmed/s5/s5_001_mic1.flac": "",
			"wav48_silence_trimmed/log.txt": "x",
		},
			[]string{
				"vctk",
				"txt/p225/p225_001.txt:1 p225_001 (wav48_silence_trimmed/p225/p225_001_mic1.flac) Call her. [p225]",
				"txt/s5/s5_001.txt:1 s5_001 (wav48_silence_trimmed/s5/s5_001_mic1.flac) Call him. [s5]",
			}},
		{"VCTK of both releases", tree{
			"txt/p1/p1_1.txt": "A", "wav48/p1/p1_1.wav": "", "wav48_silence_trimmed/p1/p1_1_mic1.flac": "",
		},
			[]string{"vctk", "txt/p1/p1_1.txt:1 p1_1 (wav48_silence_trimmed/p1/p1_1_mic1.flac) A [p1]"}},
		// MLS' README: transcripts.txt and segments.txt beside audio/SPEAKER/BOOK, metainfo.txt above.
		{"MLS", tree{
			"metainfo.txt": "SPEAKER | GENDER\n", "train/transcripts.txt": "10_20_000003\tuna frase\n",
			"train/segments.txt": "10_20_000003\thttp://x\t1.0\t2.0\n", "train/audio/10/20/10_20_000003.flac": "",
			"train/limited_supervision/9hr/handles.txt": "10_20_000003\n",
		},
			[]string{
				"mls",
				"train/transcripts.txt:1 10_20_000003 (train/audio/10/20/10_20_000003.flac) una frase [10] [train]",
			}},
		// Hugging Face, "Create an audio dataset": AudioFolder with a file_name column; splits by folders.
		{"AudioFolder by splits", tree{
			"data/train/metadata.csv":  "file_name,transcription\na.mp3,One\n",
			"data/train/a.mp3":         "",
			"data/test/metadata.jsonl": `{"file_name": "b.mp3", "transcription": "Two"}` + "\n",
			"data/test/b.mp3":          "",
		},
			[]string{
				"audiofolder", "data/train/metadata.csv:2 data/train/a (data/train/a.mp3) One [train]",
				"data/test/metadata.jsonl:1 data/test/b (data/test/b.mp3) Two [test]",
			}},
		// Coqui TTS, "Formatting your dataset" and XTTS' fine-tuning, which writes metadata_train.csv and metadata_eval.csv.
		{"Coqui", tree{
			"metadata_train.csv": "audio_file|text|speaker_name\nwavs/a.wav|One.|coqui\n",
			"metadata_eval.csv":  "audio_file|text|speaker_name\nwavs/b.wav|Two.|coqui\n", "lang.txt": "en\n",
		},
			[]string{
				"coqui", "metadata_eval.csv:2 b (wavs/b.wav) Two. [coqui] [val]",
				"metadata_train.csv:2 a (wavs/a.wav) One. [coqui] [train]",
			}},
		// GPT-SoVITS' README: vocal_path|speaker_name|language|text, absolute paths of Windows.
		{"GPT-SoVITS", tree{"x.list": `D:\sets\ada\1.wav|ada|en|One two.` + "\n" +
			`D:\sets\ada\2.wav|ada|zh|一二。` + "\n"},
			[]string{"speaker", "x.list:1 1 (1.wav) One two. [ada] [en]", "x.list:2 2 (2.wav) 一二。 [ada] [zh]"}},
		// Piper's TRAINING.md: id|text, or id|speaker|text.
		{"Piper with speakers", tree{"metadata.csv": "a|ada|One two three.\nb|bo|Four five six.\n"},
			[]string{"speaker", "metadata.csv:1 a One two three. [ada]", "metadata.csv:2 b Four five six. [bo]"}},
	})
}

// TestLhotsesManifests: recordings and cuts hold their text or their clip in other
// objects (lhotse.readthedocs.io, "Representing a corpus"), which no row here can
// say, and are refused. A supervision's id is its clip's name: it is a row where its
// clips were cut, and else one without a recording; its times are not read.
func TestLhotsesManifests(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": "r1", "sources": [{"type": "file", "channels": [0], "source": "a.wav"}], "sampling_rate": 16000, "num_samples": 16000, "duration": 1.0}`:                                                           "1: r1! no key holds the text (text, sentence, …)",
		`{"id": "c1", "start": 0.5, "duration": 2.0, "channel": 0, "supervisions": [{"id": "s", "recording_id": "r", "start": 0.0, "duration": 2.0, "text": "one"}], "recording": {"id": "r"}, "type": "MonoCut"}`: "1: c1! no key holds the text (text, sentence, …)",
		`{"id": "s1", "recording_id": "r", "start": 0.5, "duration": 2.0, "channel": 0, "text": "one", "language": "en", "speaker": "ada"}`:                                                                        "1: s1 one [ada] [en]",
		`{"id": "s1", "recording_id": "r", "start": 0.5, "duration": 2.0, "channel": 0, "text": "one", "language": "English"}`:                                                                                     `1: s1! language "English" is not a known code (en, fa, de, …; und where nothing fits)`,
	} {
		wantSaid(t, line+"\n", "jsonl", []string{want})
	}
}

// TestLanguagesAsCorporaWriteThem: codes of two letters with anything after them
// that BCP 47 or POSIX allows; names and what nobody uses are refused.
func TestLanguagesAsCorporaWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"en": "en", "EN": "en", "en-US": "en", "en_US": "en", "en_US.UTF-8": "en", "pt-BR": "pt", "zh-CN": "zh",
		"zh-Hant-TW": "zh", "zh-TW": "zh", "sv-SE": "sv", "fa-IR": "fa", "ja": "ja", "und": "und",
		"English": "", "klingon": "", "e": "", "12": "", "en-": "", "": "",
	} {
		m, err := parse("metadata.csv", "id,text,language\na,one,"+written+"\n", "csv")
		if err != nil {
			t.Fatal(err)
		}
		accounted(t, m)
		got := ""
		if len(m.Rows) > 0 {
			got = m.Rows[0].Language
		}
		if got != want || written != "" && want == "" && len(m.Errors) != 1 {
			t.Errorf("language %q is %q, %v; want %q", written, got, m.Errors, want)
		}
	}
}

// TestSplitsAsCorporaWriteThem: the words of docs/en/formats.md, in any case.
func TestSplitsAsCorporaWriteThem(t *testing.T) {
	for want, words := range map[Split]string{
		Train: "train training tr Train TRAIN", Val: "val valid validation dev eval evaluation Dev",
		Test: "test testing TEST",
	} {
		for _, w := range strings.Fields(words) {
			if got, err := ParseSplit(w); got != want || err != nil {
				t.Errorf("ParseSplit(%q) = %q, %v; want %q", w, got, err, want)
			}
		}
	}
	for _, w := range []string{"trains", "x", "0", "train/x", "тест", "train val"} {
		if got, err := ParseSplit(w); err == nil {
			t.Errorf("ParseSplit(%q) = %q", w, got)
		}
	}
}
