"""The dataset as a trainer sees it."""

import json
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from . import address, ranks, wire
from .batch import Batch, NumpyForm
from .epochs import JUDGED, REMEMBERED, Course
from .errors import FeederError, older
from .feeder import Feeder
from .request import FORM, numbers, resumed, weights as by_number, whole
from .shapes import Shapes
from .steplog import NoLog, Step
from .stream import Ids, Stream, forked

_UNTOLD = NoLog()


class Info:
    """What the root says: ``root``, ``snapshot``, ``rows``, ``symbols``, ``speakers``, ``languages``,
    ``settings`` (text by key), ``stages`` (versions), ``columns`` (dtype and shape of one sample by
    name) and ``sample_rate`` in Hz; of its values ``stats``; and of the feeder that serves it ``version``.
    """

    def __init__(self, told: dict, version: str, ask: Optional[Callable[[dict], Any]] = None):
        self.version, self._ask = version, ask
        self.root, self.snapshot, self.rows = told["root"], told["snapshot"], told["rows"]
        self.symbols, self.speakers = tuple(told["symbols"] or ()), tuple(told["speakers"] or ())
        self.languages = tuple(told["languages"] or ())
        self.settings, self.stages = dict(told["settings"]), dict(told["stages"])
        self.columns = {c["name"]: (c["dtype"], tuple(c["shape"] or ())) for c in told["columns"]}

    @property
    def sample_rate(self) -> int:
        return int(self.settings["sample_rate"])

    @property
    def stats(self) -> Dict[str, Any]:
        """Mean, std, min and max of mel, f0, energy and columns of one's own, by name: see stats.Column. What the
        store does not remember of them, the feeder reads the dataset for, once.
        """
        from .stats import told
        if self._ask is None:
            raise older(self.version, "does not know statistics")
        return told(self._ask({"type": "stats"})["stats"])

    def __repr__(self) -> str:
        return "Info(root=%s, rows=%d)" % (self.root[:12], self.rows)


class Iterable:
    """An iterable that gives an epoch each time it is iterated over.

    torch's DataLoader takes it for an IterableDataset, which it asks by isinstance: so it is
    entered there as soon as somebody asks and torch was imported.
    """

    @property
    def __class__(self) -> type:  # type: ignore[override]
        data = sys.modules.get("torch.utils.data")
        if data is not None and not issubclass(Iterable, data.IterableDataset):
            data.IterableDataset.register(Iterable)
        return type(self)

    def __reduce__(self) -> Any:
        raise FeederError("a Dataset cannot be pickled: make one in each process; a DataLoader of it has num_workers=0", "request")


class Epochs(Iterable):
    """The batches of a Dataset in one form: each loop is an epoch."""

    def __init__(self, dataset: "Dataset", form: Any):
        self._dataset, self._form = dataset, form

    def __iter__(self) -> Iterator[Batch]:
        return self._dataset._loop(self._form)

    def resume(self) -> Iterator[Batch]:
        """The rest of the epoch that the last loop left: see Dataset.resume."""
        return self._dataset._loop(self._form, rest=True)

    def state_dict(self, seq: Optional[int] = None) -> Dict[str, Any]:
        """Where to go on: see Dataset.state_dict."""
        return self._dataset.state_dict(seq)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where state_dict was taken."""
        self._dataset.load_state_dict(state)

    def __len__(self) -> int:
        return len(self._dataset)

    def step(self) -> Step:
        """Dataset.step of the Dataset."""
        return self._dataset.step()

    def __repr__(self) -> str:
        return "Epochs(%r, %s)" % (self._dataset, type(self._form).__name__)


class Either(Epochs):
    """Batches in a form, or in another one where a GPU refuses the first."""

    def __init__(self, dataset: "Dataset", form: Any, other: Callable[[], Any]):
        super().__init__(dataset, form)
        self._other: Optional[Callable[[], Any]] = other

    def _settle(self) -> None:
        other, self._other = self._other, None
        if other is None:
            return
        try:
            self._dataset._start(self._form)
        except FeederError as e:
            if e.kind != "gpu":
                self._other = other
                raise
            warnings.warn("batches come by host memory, as the GPU's cannot be shared: %s" % e, stacklevel=3)
            self._form = other()

    def __iter__(self) -> Iterator[Batch]:
        self._settle()
        return super().__iter__()

    def resume(self) -> Iterator[Batch]:
        """As Epochs.resume."""
        self._settle()
        return super().resume()


class Dataset(Iterable):
    """The batches of a store, epoch after epoch, in the order that the seed gives.

    store       the dataset's folder, the store, or either with @REF
    batch_size  samples of a batch over all ranks
    seed, split, shuffle, tail, val, epochs, ahead   as the flags of voxpack serve; epochs 0 goes on
                without end; ahead is how many batches are prepared besides the one in use
    train       part of the rows that the split train has; 0 for all that val leaves
    languages, speakers   rows of these alone, by their codes and names; ()  for all
    weights     how often rows come in an epoch, as {"speaker:sara": 2, "language:fa": 1.5, "corpus:lj": 0.5};
                {} for each row once
    buckets     static shapes in frames, as (400, 600); a row comes in the first that it fits; () for one shape
    segment     frames of an aligned random crop of each row; 0 for none
    reference   "same-speaker" for a second mel beside each row; "" for none
    mel_norm    "stats" for mels less their mean and divided by their deviation over the dataset, "bands" for each
                band by its own; "" for mels as they are
    extra       columns that are made with the batch: "piece_mel", the mel of a crop's samples, for any mel of the dataset, and
                "attn_prior", "attn_prior@SCALE", "attn_prior:nemo@SCALE", a beta-binomial prior of alignments; () for none
    columns     the columns that batches have; others take no memory. () for all. As {"x": "tokens", "spks": None} by the
                names that a model has for them; None where the dataset has nothing for a name
    layout      "btc" for [batch, time, channel], "bct" for [batch, channel, time], of every column that has both
    trim        cut off padding that no sample of the batch needs, also the samples that a short last batch has not
    tokens      "int64" for tokens of that type, which takes a copy of them
    rank, world the part of each batch that this process trains on; else what torch.distributed or
                jax.distributed says, else TF_CONFIG, torchrun, Open MPI, MPICH or Slurm in the
                environment, else everything
    socket      a feeder's; else the one of this store, which is started where none runs
    program     the program voxpack; else $VOXPACK, the one in this package, or the one in PATH
    timeout     seconds that a feeder has to answer

    What is not given is as the dataset's voxpack.yaml has it. A feeder that somebody started with other
    flags refuses a Dataset that leaves those settings open; a Dataset of a socket without a store takes what
    that feeder was told. Each loop begins the next epoch, also after one that was left, whose rest is what
    resume gives; those over the splits val and test are the same epoch every time. The object belongs to one thread at a time and to the process that
    made it. Raises FeederError where there is no store or no feeder, and in
    loops where it fails; FeederDied where it is gone.
    """

    def __init__(self, store: Any = None, batch_size: Optional[int] = None, seed: Optional[int] = None, split: Optional[str] = None, *,
                 rank: Optional[int] = None, world: Optional[int] = None, shuffle: Optional[str] = None, tail: Optional[str] = None,
                 val: Optional[float] = None, epochs: int = 0, ahead: Optional[int] = None, languages: Any = None, speakers: Any = None, weights: Any = None, train: Optional[float] = None,
                 buckets: Any = None, segment: Optional[int] = None, reference: Optional[str] = None, mel_norm: Optional[str] = None, extra: Any = None, columns: Any = None, layout: Optional[str] = None, trim: bool = False,
                 tokens: Any = None, socket: Optional[str] = None, program: Optional[str] = None, timeout: float = 30.0):
        self._shapes = Shapes(columns, layout, trim, tokens)
        self._chosen: Any = None  # numbers of rows; None: all
        self._root = ""  # of those numbers
        self._name = store  # as it was given
        self._feeder_of, self._timeout, self._given_socket = (store, program), timeout, socket
        self._stream: Optional[Stream] = None
        self._transport: Any = None  # that the stream was opened for; None: the host's ring
        self._welcome: Any = None
        self._socket: Any = None
        self._forks = wire.forks[0]
        self._cursor: Any = None  # of load_state_dict
        self._form: Dict[str, Any] = {}  # segment and reference that go with it
        self._course = Course()
        self._request: Dict[str, Any] = {}
        self._place, self._closed = (rank, world), False
        self._part: Dict[str, int] = {}  # rank and world of the stream
        for name, key, value, least, most in (("batch_size", "batch", batch_size, 1, 2**31 - 1), ("seed", "seed", seed, 0, 2**64 - 1),
                                              ("ahead", "ahead", ahead, 1, 4096), ("epochs", "epochs", epochs, 0, 2**31 - 1),
                                              ("segment", "segment", segment, 0, 2**31 - 1)):
            if value is not None:
                self._request[key] = whole(name, value, least, most)
        for key, text in (("split", split), ("shuffle", shuffle), ("tail", tail), ("val", val), ("train", train), ("reference", reference), ("mel_norm", mel_norm)):
            if text is not None:
                self._request[key] = text
        if extra is not None:
            self._request["extra"] = [extra] if isinstance(extra, str) else list(extra)
        if buckets is not None:
            self._request["buckets"] = [whole("buckets", frames, 1) for frames in buckets]
        if store is None:
            self._request["as_told"] = True  # that very feeder was named
        self._connect()
        if mel_norm and "mel_norm" not in self._knows:
            raise older(self._welcome["version"], "cannot normalise mels")
        if extra and "extra" not in self._knows:
            raise older(self._welcome["version"], "makes no extra columns")
        for key, names in (("languages", languages), ("speakers", speakers)):
            if names is not None:
                self._request[key] = numbers(key, names, self._welcome["dataset"][key] or [])
        if weights is not None:
            self._request["weights"] = by_number(weights, self._welcome["dataset"])
        asked = self._shapes.asked(self._welcome["dataset"]["columns"])
        if asked is not None and "columns" in self._knows:  # an older feeder copies all, of which some are not shown
            self._request["columns"] = asked

    def _connect(self) -> None:
        store, program = self._feeder_of
        path, serve = self._given_socket, store
        if store is not None:
            folder, ref = address.resolve(store)
            digest = address.snapshot(folder, ref)
            serve = "%s@%s" % (folder, digest)  # a build may move the ref meanwhile
            path = path or address.default_socket(digest)
        elif path is None:
            raise FeederError("name a store or a socket", "request")
        self._feeder = Feeder(serve, path, self._given_socket, program)
        self._socket, self._welcome = self._feeder.connect(self._timeout, start=store is not None)

    @property
    def info(self) -> Info:
        """The description of the dataset: see Info."""
        return Info(self._welcome["dataset"], self._welcome["version"], self._ask_long if "stats" in self._knows else None)

    def _ask_long(self, message: dict) -> dict:
        """The answer to a question that may take longer than ``timeout``: where the feeder dies, the socket says so."""
        self._usable()
        if self._socket is not None:
            self._socket.settimeout(None)
        try:
            return self._ask(message)[0]
        finally:
            if self._socket is not None:
                self._socket.settimeout(self._timeout)

    @property
    def _knows(self) -> Any:
        """Words for what the feeder understands besides the first edition of its protocol."""
        return self._welcome.get("knows") or ()

    def _start(self, form: Any = None) -> Stream:
        """The stream of batches. A form that needs a stream of its own asks for it here; batches that came before keep their memory."""
        self._usable()
        if self._stream is not None and (self._elsewhere(form) or self._stream.socket is None):
            self._go_on(self._position())
        wanted, part = getattr(form, "transport", None), ranks.part(*self._place)
        if self._stream is None:
            if self._socket is None:
                self._connect()
            if self._chosen is not None and self.info.root != self._root:
                raise FeederError("another dataset is at %s than the one whose rows were selected: make the Dataset and the selection anew" % self._feeder.socket, "request")
            request = {**self._request, **part}
            if self._cursor is not None:
                request = {**self._form, **resumed(self._cursor), **request}
            if request.get("split") in JUDGED:
                request["epochs"] = 1  # each loop begins it anew
            elif request.get("epochs"):
                request["epochs"] = max(1, request["epochs"] - self._course.passes)
            s, self._socket = self._socket, None
            self._transport, self._part = wanted, part
            self._stream = (Stream if wanted is None else form.stream)(s, request, self._feeder.died)
            try:
                self._stream.shaped(self._shapes)
            except FeederError:
                self._hang_up()
                raise
        return self._stream

    def _elsewhere(self, form: Any) -> bool:
        """Whether a form needs another stream than this one. torch.distributed may begin at any time."""
        if self._stream is None or form is None:
            return False
        sent = self._course.sent
        return bool(getattr(form, "transport", None) != self._transport or ranks.part(*self._place) != self._part
                    or sent and sent[0][0].device != getattr(form, "device", None))

    def __iter__(self) -> Iterator[Batch]:
        """The batches of the next epoch, as NumPy's arrays."""
        return self._loop(NumpyForm())

    def resume(self) -> Iterator[Batch]:
        """The rest of the epoch that the last loop left, by break or by an exception, as NumPy's arrays: nothing after a
        loop that came to its end. ds.torch().resume() and its like are the same in their form.
        """
        return self._loop(NumpyForm(), rest=True)

    def _loop(self, form: Any, rest: bool = False) -> Iterator[Batch]:
        if "torch.utils.data" in sys.modules:
            from . import loaders
            loaders.refuse(ranks.part(*self._place).get("world", 1))
        return self._course.loop(self, form, rest)

    def numpy(self) -> Epochs:
        """Batches of NumPy's arrays, as a loop over the Dataset itself gives them.

        A mel in bfloat16 comes as ml_dtypes.bfloat16 where that is installed, else as uint16 with a warning.
        """
        return Epochs(self, NumpyForm())

    def torch(self, device: Any = "cpu", copy: bool = False, transport: str = "host", data_gpu: Optional[int] = None,
              gpu_memory: Optional[int] = None, cache: str = "auto") -> Epochs:
        """Batches of torch's tensors: for x in ds.torch(device="cuda:1").

        On the host they share the feeder's memory, unless copy asks for memory of their own. On any other
        device each batch is one copy; on CUDA it runs beside the step before it, out of pinned memory.

        transport="device" has the feeder copy to the GPU, and the tensors lie in its memory there without a
        copy here; with data_gpu, a number of this process, by way of that GPU, where samples then stay:
        in at most half of its free memory, or as much as gpu_memory, in MB, leaves. cache="on" keeps them
        without another GPU too. transport="auto" is device, and host with a warning where a GPU's memory
        cannot be shared: in a container of its own, or without room for a batch.
        """
        from . import forms
        if transport not in ("host", "device", "auto"):
            raise FeederError("transport=%r: want host, device or auto" % (transport,), "request")
        if cache not in ("auto", "on", "off"):
            raise FeederError("cache=%r: want auto, on or off" % (cache,), "request")
        if transport == "host" and (data_gpu is not None or gpu_memory is not None or cache != "auto"):
            raise FeederError("data_gpu, gpu_memory and cache are for transport=\"device\"; in the host's ring batches come from the host", "request")
        if transport != "host" and self._shapes.trim:
            raise FeederError("trim=True with transport=\"%s\": the lengths lie on the GPU, and to wait for them would stop it at each batch; "
                              "use transport=\"host\", or cut with your own lengths" % transport, "request")
        if transport != "host":
            from .devicering import TorchRingForm
            if gpu_memory is not None:
                gpu_memory = whole("gpu_memory", gpu_memory, 1, 2**30)
            form = TorchRingForm(device, data_gpu, gpu_memory, cache)
            return Epochs(self, form) if transport == "device" else Either(self, form, lambda: forms.TorchDeviceForm(device))
        if str(device) == "cpu" and not copy:
            return Epochs(self, forms.TorchForm())
        return Epochs(self, forms.TorchDeviceForm(device))

    def tensorflow(self, device: Optional[str] = None) -> Epochs:
        """Batches of TensorFlow's tensors. On the host they share the feeder's memory; device is as in
        "/GPU:0". For prefetching and Keras, see tf_dataset.
        """
        from . import forms
        return Epochs(self, forms.TensorflowForm(device))

    def jax(self, device: Any = None) -> Epochs:
        """Batches of JAX's arrays. On the host they share the feeder's memory; device is one of JAX's,
        or a name as in "gpu:0".
        """
        from . import forms
        return Epochs(self, forms.JaxForm(device))

    def free_gpu_cache(self) -> int:
        """Has the feeder give back the GPU memory in which it keeps samples for this Dataset, and returns how many bytes
        that is: for a model that grows, or before an evaluation. Batches go on, and every one comes from the host then;
        the next stream, after another form or load_state_dict, has a cache again unless cache="off" says otherwise.
        """
        if self._stream is None or self._stream.socket is None or self._transport is None:
            return 0
        return int(self._stream.ask({"type": "free_cache"})[0]["bytes"])

    def step(self) -> Step:
        """Marks a step of the trainer: ``with ds.step(): ...`` around what trains on a batch.

        Then voxpack profile --attach and voxpack top tell training from what lies between steps, of any
        framework. What the step waits for belongs inside, as loss.item() or block_until_ready(): a GPU
        works on after a step that only queued its work. A mark costs about 1 µs and never fails; before
        the first batch it does nothing.
        """
        return Step(_UNTOLD if self._stream is None else self._stream.log)

    def tf_dataset(self, device: Optional[str] = None, prefetch: int = 2) -> Any:
        """A tf.data.Dataset whose elements are dicts of tensors of static shapes, one epoch each time it is gone over.

        The columns, ``valid`` and ``seq`` (int64, for state_dict). prefetch batches are taken ahead, and
        with device, as in "/GPU:0", copied there; the ring has to be deeper than that (ahead).
        """
        from .tfdata import dataset
        return dataset(self, device, prefetch)

    def __repr__(self) -> str:
        s = self._shapes
        about = {"rank": self._place[0], "world": self._place[1], **self._request, "columns": s.called or s.columns, "chosen": None if self._chosen is None else len(self._chosen),
                 "layout": "bct" if s.turned else None, "trim": s.trim or None, "tokens": "int64" if s.wide else None}
        return "Dataset(%r, %s)" % (self._name, ", ".join(["rows=%d" % self.info.rows] + ["%s=%r" % one for one in sorted(about.items()) if one[1] is not None]))

    def _repr_html_(self) -> str:
        from .rows import page
        return page(self)

    def __len__(self) -> int:
        """Batches of an epoch, of each rank. With weights it is that of the first epoch here."""
        return self._start().started["batches_per_epoch"]

    def state_dict(self, seq: Optional[int] = None) -> Dict[str, Any]:
        """Where to go on: after the batch that the loop got last. It is plain JSON, and works
        with another world or batch size, and after the feeder's death.

        Where something takes batches ahead of the loop, as tf.data does, seq names the batch that
        was trained on last, by its seq.
        """
        if seq is not None:
            found = [r for r in self._course.last.copy() if r.seq == int(seq)]  # tf.data adds to it meanwhile
            if not found:
                raise FeederError("batch %d is not among the last %d that were taken" % (seq, REMEMBERED), "request")
            cursor = json.loads(found[0].cursor)
        else:
            cursor = self._position()
            if cursor is None:
                cursor = self._start().started["cursor"]
        return {"voxpack": 1, "cursor": cursor, "form": self._formed()}

    def _formed(self) -> Dict[str, Any]:
        """The settings besides the cursor that decide what a row looks like."""
        told = self._form if self._stream is None else self._stream.started
        return {key: told[key] for key in FORM if key in told}

    def _position(self) -> Any:
        """The cursor after the batch that a loop got last, or that of load_state_dict; None if there is neither."""
        return json.loads(self._course.last[-1].cursor) if self._course.last else self._cursor

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where state_dict was taken."""
        if state.get("voxpack") != 1:
            raise FeederError("this is no state of voxpack that this version reads", "cursor")
        form = dict(state.get("form") or {})
        for key, value in form.items():
            if self._request.get(key, value) != value:
                raise FeederError("cursor does not fit: its %s is %r, here it is %r" % (key, value, self._request[key]), "cursor")
        self._go_on(state["cursor"], form)
        self._course.restart()

    def _ask(self, message: dict) -> Tuple[dict, List[int]]:
        """The feeder's answer to a request, and the file descriptors that came with it."""
        self._usable()
        if self._stream is not None and self._stream.socket is not None:
            return self._stream.ask(message)
        if self._socket is None:
            self._connect()
        try:
            wire.send(self._socket, message)
            return wire.receive(self._socket)
        except BaseException as e:
            if getattr(e, "of", None) is None:  # its answer may still come, and be taken for that of the next question
                self._socket.close()
                self._socket = None
            raise

    def encode(self, texts: Any, language: Optional[str] = None) -> Any:
        """Text as this dataset's rules and vocabulary read it: see frontend.encode."""
        from . import frontend
        return frontend.encode(self, texts, language)

    def decode(self, ids: Any, lengths: Any = None) -> Any:
        """The text of tokens: see frontend.decode."""
        from . import frontend
        return frontend.decode(self, ids, lengths)

    def describe(self) -> str:
        """The dataset on a page, for people."""
        from . import frontend
        return frontend.describe(self)

    @property
    def ids(self) -> List[str]:
        """The ids of all rows of the dataset, or of those that were selected, in the order of their numbers."""
        ids = self._all_ids()
        return ids if self._chosen is None else [ids[n] for n in sorted(self._chosen)]

    def _all_ids(self) -> List[str]:
        return Ids(*self._ask({"type": "ids"})).of(range(self.info.rows))

    def rows(self) -> Iterator[Any]:
        """The same rows, one after the other: each a Row, as row gives it, whose arrays are asked for when one is read."""
        from .rows import listed
        return listed(self)

    def select(self, ids: Any) -> "Dataset":
        """A Dataset of these rows alone, in any order and each once, with all other settings of this one: split and the like
        choose among them. A state of it resumes only with the same ids. Raises UnknownRow for an id that is not here.
        """
        from .rows import select
        return self._of(select(self, ids))

    def filter(self, wanted: Any) -> "Dataset":
        """A Dataset of the rows for which wanted(row) is true; row is a Row: ds.filter(lambda row: row.seconds < 10)."""
        return self._of({row.row for row in self.rows() if wanted(row)})

    def _of(self, chosen: Any) -> "Dataset":
        if not chosen:
            raise FeederError("no row of %d was selected" % (self.info.rows if self._chosen is None else len(self._chosen)), "request")
        if "chosen" not in self._knows:
            raise older(self._welcome["version"], "cannot choose rows by their ids")
        from .rows import bits
        made = Dataset.__new__(Dataset)
        made.__dict__.update(self.__dict__)
        made._request = {**self._request, "chosen": bits(chosen, self.info.rows)}
        made._stream = made._socket = made._transport = made._cursor = None
        made._form, made._part, made._course = {}, {}, Course()
        made._chosen, made._root = frozenset(chosen), self.info.root
        if self._feeder_of[0] is not None:
            made._feeder_of = (self._feeder.store, self._feeder_of[1])  # of this snapshot, whatever is built: numbers are of its rows
        return made

    def to_pandas(self) -> Any:
        """What is known of the rows as a pandas.DataFrame: id, row (its number), text, given, spoken, language, speaker, split,
        seconds, the columns without a shape (text_len, mel_len, …) and notes. It reads no audio feature.
        """
        from . import rows
        try:
            import pandas
        except ImportError as e:
            raise rows.missing("pandas", e) from None
        return pandas.DataFrame(rows.table(self))

    def to_arrow(self) -> Any:
        """The same as a pyarrow.Table."""
        from . import rows
        try:
            import pyarrow
        except ImportError as e:
            raise rows.missing("pyarrow", e) from None
        return pyarrow.table(rows.table(self))

    def row(self, id: str, padded: bool = False) -> Any:
        """One utterance, by its id, in memory of its own: see sample.row."""
        from . import sample
        return sample.row(self, id, padded)

    def __getitem__(self, i: int) -> Batch:
        """Batch i of the epoch that is under way, in memory of its own. It moves no loop."""
        from . import sample
        return sample.batch(self, i)

    def _go_on(self, cursor: Any, form: Optional[Dict[str, Any]] = None) -> None:
        """Close the connection, to go on at a cursor: batches on their way to a device are sent again."""
        self._form = self._formed() if form is None else form
        if self._stream is not None:
            self._stream.leave()  # the next one may need all memory that the feeder has for its consumers
        self._hang_up()
        self._course.last.clear()
        self._cursor = cursor

    def _hang_up(self) -> None:
        self._course.sent.clear()
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        """Close the connection. Arrays that are alive stay valid; further loops and questions are refused."""
        self._closed = True
        self._hang_up()

    def _usable(self) -> None:
        if wire.forks[0] != self._forks:
            raise forked()
        if self._closed:
            raise FeederError("this Dataset was closed", "request")

    def __enter__(self) -> "Dataset":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_feeder_of", None) is not None:
            self._stream = None  # it hangs up when the last batch is gone, which may be asked for its ids until then
            self._hang_up()
