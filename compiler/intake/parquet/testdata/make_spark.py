#!/usr/bin/env python3
"""Writes meanings-spark*.parquet: the rows of meanings.tsv by Spark (pyspark 3.5.9 on Java 17 wrote the committed ones).

    pip install pyspark==3.5.9 && python3 make_spark.py

Spark has no time of day, so the column clock is left out, and no number without a sign: the next larger type takes those.
"""

import csv
import datetime
import decimal
import glob
import os
import shutil
import tempfile

from pyspark.sql import SparkSession
from pyspark.sql import types as T

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {
    "truth": (T.BooleanType(), lambda s: s == "true"),
    "int8": (T.ByteType(), int), "uint8": (T.ShortType(), int), "uint16": (T.IntegerType(), int), "uint32": (T.LongType(), int),
    "uint64": (T.DecimalType(20, 0), decimal.Decimal), "decimal7": (T.DecimalType(7, 2), decimal.Decimal),
    "decimal18": (T.DecimalType(18, 4), decimal.Decimal), "decimal38": (T.DecimalType(38, 10), decimal.Decimal),
    "single": (T.FloatType(), float), "day": (T.DateType(), datetime.date.fromisoformat),
    "moment": (T.TimestampType(), datetime.datetime.fromisoformat),
    "text": (T.StringType(), str), "same": (T.StringType(), str), "uuid": (T.StringType(), str),
}
# parquet-mr's second pages have its delta encodings; the legacy format has decimals in fixed bytes and moments of 96 bits.
FILES = {
    "spark": {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"},
    "spark-second": {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS", "spark.sql.parquet.compression.codec": "lz4raw", "parquet.writer.version": "PARQUET_2_0"},
    "spark-legacy": {"spark.sql.parquet.writeLegacyFormat": "true", "spark.sql.parquet.compression.codec": "gzip"},
}


def main():
    decimal.getcontext().prec = 76
    with open(os.path.join(HERE, "meanings.tsv"), newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    values = [tuple(None if r[name] == "-" else of(r[name]) for name, (_, of) in KINDS.items()) for r in rows]
    schema = T.StructType([T.StructField(name, kind) for name, (kind, _) in KINDS.items()])
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    for name, settings in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            hadoop = spark.sparkContext._jsc.hadoopConfiguration()
            for key, value in settings.items():
                (spark.conf if key.startswith("spark.") else hadoop).set(key, value)
            out = os.path.join(folder, "out")
            spark.createDataFrame(values, schema).coalesce(1).write.parquet(out)
            (part,) = glob.glob(os.path.join(out, "*.parquet"))
            shutil.copyfile(part, os.path.join(HERE, "meanings-%s.parquet" % name))
            for key in settings:
                spark.conf.unset(key) if key.startswith("spark.") else hadoop.unset(key)
    spark.stop()


main()
