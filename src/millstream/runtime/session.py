"""The Spark session that Millstream runs on: its own, or one that the caller gives."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark.errors import PySparkRuntimeError
from pyspark.sql import DataFrame, SparkSession

from millstream.errors import StateError

__all__ = ["DataFrame", "SparkSession", "own_session", "prepared"]

_OWN = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "2",
    "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    "spark.sql.streaming.metricsEnabled": "false",
    "spark.sql.streaming.minBatchesToRetain": "10",
    "spark.sql.streaming.numRecentProgressUpdates": "10",
    "spark.cleaner.periodicGC.interval": "5min",
    # Every aggregate of a statement takes a page at least, and a step may have hundreds of them.
    "spark.buffer.pageSize": "1m",
}
_ALONE = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
"""Of a Spark that is all in one process: nobody else is to reach it."""
MASTER = "MILLSTREAM_MASTER"
"""Names the cluster that Spark runs on, as spark://HOST:PORT, yarn or k8s://…"""
PACKAGES = "MILLSTREAM_PACKAGES"
"""Names packages, or files of them, that Spark is started with."""
_QUIET = Path(__file__).with_name("log4j2.properties")
_JAVA = (f"-Dlog4j2.configurationFile={_QUIET}",)
_SESSION = {
    # XML names differ by case; times without zone mean UTC.
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    # Small batches: a fixed plan whose generated code is used again beats a plan made anew.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    # A step may read some hundreds of files: to ask for them one by one beats a job of its own.
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "1024",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # Groups are many and small: to sort them is slower than to keep them.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "20000",
}


def own_session(memory: str, cores: int, packages: Sequence[str] = ()) -> SparkSession:
    """A local Spark with bounded memory, or the driver of a cluster's where one is named.

    It is started with packages of Maven's, or with files of classes.
    """
    # PySpark logs every failed call as one long line; we explain failures ourselves.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    cluster = os.environ.get(MASTER)
    builder = SparkSession.builder.master(cluster or f"local[{cores}]").appName("millstream")
    if not cluster:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.default.parallelism", str(cores))
    for name, value in (_OWN if cluster else {**_OWN, **_ALONE}).items():
        builder = builder.config(name, value)
    builder = builder.config("spark.driver.memory", memory)
    builder = builder.config("spark.driver.extraJavaOptions", " ".join(_JAVA))
    files = [each for each in packages if each.endswith(".jar")]
    named = [each for each in packages if not each.endswith(".jar")]
    if files:
        builder = builder.config("spark.jars", ",".join(files))
    if named:
        builder = builder.config("spark.jars.packages", ",".join(named))
    try:
        return builder.getOrCreate()
    except PySparkRuntimeError as error:
        if not named or error.getCondition() != "JAVA_GATEWAY_EXITED":
            raise
        raise StateError(
            f"Spark did not start with {', '.join(named)}",
            code="packages",
            help="its own words are above; where packages cannot be fetched, name files of them"
            f" with packages= or {PACKAGES}",
        ) from error


def prepared(spark: SparkSession) -> SparkSession:
    """A session of its own settings and views beside the given one."""
    session = spark.newSession()
    parallelism = max(1, spark.sparkContext.defaultParallelism)
    for name, value in _SESSION.items():
        session.conf.set(name, value)
    session.conf.set("spark.sql.shuffle.partitions", str(parallelism))
    return session
