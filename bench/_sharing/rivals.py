"""What one can write in Spark without Millstream; all are given the columns that they need."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr
from pyspark.sql.streaming.readwriter import DataStreamWriter
from task import Task

COLUMNS = "coord struct<cel: struct<ra: double, dec: double>>, en double, det_time bigint"
FLAT = ("coord.cel.ra AS ra", "coord.cel.dec AS dec", "en", "det_time")


def independent(spark: SparkSession, task: Task) -> None:
    """A streaming query for each box, as many systems in production have it."""
    queries = [
        _written(
            _photons(spark, task)
            .filter(box.condition)
            .select("en", "det_time")
            .writeStream.format("parquet")
            .option("path", str(task.results / f"box={number}")),
            task,
            number,
        )
        for number, box in enumerate(task.boxes)
    ]
    for query in queries:
        query.awaitTermination()


def one_by_one(spark: SparkSession, task: Task) -> None:
    """One query that keeps each batch in memory and writes the boxes one after the other."""
    boxes = list(enumerate(task.boxes))

    def each_batch(photons: DataFrame, batch: int) -> None:
        photons.persist()
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda box: write(photons, *box, batch), boxes))
        photons.unpersist()

    def write(photons: DataFrame, number: int, box: object, batch: int) -> None:
        found = photons.filter(box.condition).select("en", "det_time")  # type: ignore[attr-defined]
        found.write.mode("overwrite").parquet(str(task.results / f"box={number}/batch={batch}"))

    _written(_photons(spark, task).writeStream.foreachBatch(each_batch), task).awaitTermination()


def one_pass(spark: SparkSession, task: Task) -> None:
    """One query that gathers the numbers of all boxes that hold a photon, and writes once."""
    tests = (f"IF({box.condition}, {number}, NULL)" for number, box in enumerate(task.boxes))
    found = (
        _photons(spark, task)
        .select("en", "det_time", expr(f"array_compact(array({', '.join(tests)}))").alias("boxes"))
        .filter("size(boxes) > 0")
        .selectExpr("en", "det_time", "explode(boxes) AS box")
    )
    written = found.writeStream.format("parquet").option("path", str(task.results))
    _written(written, task).awaitTermination()


RIVALS: dict[str, Callable[[SparkSession, Task], None]] = {
    "independent queries": independent,
    "one by one": one_by_one,
    "one pass": one_pass,
}


def _photons(spark: SparkSession, task: Task) -> DataFrame:
    return (
        spark.readStream.format("xml")
        .schema(COLUMNS)
        .option("rowTag", "photon")
        .option("maxFilesPerTrigger", task.files_per_batch)
        .load(str(task.photons))
        .selectExpr(*FLAT)
    )


def _written(writer: DataStreamWriter, task: Task, number: int = 0):  # type: ignore[no-untyped-def]
    checkpoint = str(task.checkpoint / str(number))
    return writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
