"""A job for Dagster's web server to show."""

from dagster import Definitions, job, op


@op
def hello():
    return 1


@job
def greet():
    hello()


defs = Definitions(jobs=[greet])
