#!/usr/bin/env bash
# Version: sentry-sdk 2.75.0 (its integrations of Strawberry and graphene), ddtrace 4.16.0 with the
# DatadogTracingExtension of Strawberry 0.341.2 on graphql-core 3.3.2, and its
# OpenTelemetryExtension with opentelemetry-sdk 1.45.2; graphene 3.4.3 on graphql-core 3.2.14.
#
# Behaviour: each of them gives the span of an operation its type. Sentry and Datadog take it from
# the first letters of the document. A mutation is a query there when a comment or a fragment stands
# before it. When the document has two operations, the type is that of the first one, and the name
# that of the one which runs. The OpenTelemetryExtension names each operation 'GraphQL Query'.
#
# Seen: "Sentry: alone mutation; comment query; fragment query; second of two: query Add; Datadog:
# alone mutation; comment query; fragment query; second of two: query Add; OpenTelemetry: GraphQL
# Query: Add", and for Sentry with graphene "alone mutation; comment query; fragment query; second
# of two: query Add".
#
# Why it surprises: the document has been parsed when the span ends, and the same extensions take
# the name from what was parsed. Writers of documents by hand start with the operation; generated
# clients put a header or the fragments first. Rates, latencies and alerts of "all mutations" leave
# such clients out, and show their writes among the reads.
#
# Source: GraphQL specification, 2.2 (definitions may come in any order), 2.1.4 (comments);
# sentry_sdk/integrations/strawberry.py and graphene.py; strawberry/extensions/tracing/datadog.py
# and opentelemetry.py.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cat >"$folder/documents.py" <<'END'
DOCUMENTS = [
    ("alone", "mutation Add { add }", None),
    ("comment", "# Adds one.\nmutation Add { add }", None),
    ("fragment", "fragment Fields on Mutation { add } mutation Add { ...Fields }", None),
    ("second of two:", "query Get { hero } mutation Add { add }", "Add")]
END
python_packages strawberry-graphql==0.341.2 graphql-core==3.3.2 sentry-sdk==2.75.0 ddtrace==4.16.0 \
  opentelemetry-api==1.45.2 opentelemetry-sdk==1.45.2
cat >"$folder/strawberry_spans.py" <<'END'
import sys
import strawberry
from documents import DOCUMENTS

tool = sys.argv[1]
spans, extensions = [], []

if tool == "Sentry":
    import sentry_sdk
    from sentry_sdk.integrations.strawberry import StrawberryIntegration

    def keep(event, hint):
        spans.extend(
            (span["data"]["graphql.operation.type"], span["data"]["graphql.operation.name"])
            for span in event["spans"] if "graphql.operation.type" in span["data"])

    sentry_sdk.init(
        dsn="http://key@127.0.0.1/1", traces_sample_rate=1, before_send_transaction=keep,
        integrations=[StrawberryIntegration(async_execution=False)])
elif tool == "Datadog":
    from strawberry.extensions import LifecycleStep
    from strawberry.extensions.tracing import DatadogTracingExtensionSync

    class Extension(DatadogTracingExtensionSync):
        def on_operation(self):
            yield from super().on_operation()
            tag = self.request_span.get_tag
            spans.append((tag("graphql.operation_type"), tag("graphql.operation_name")))

    extensions.append(Extension)
else:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from strawberry.extensions.tracing import OpenTelemetryExtensionSync

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    class Extension(OpenTelemetryExtensionSync):
        def __init__(self, **options):
            super().__init__(tracer_provider=provider, **options)

    extensions.append(Extension)

@strawberry.type
class Query:
    hero: str

@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self) -> str:
        return "Luke"

schema = strawberry.Schema(Query, Mutation, extensions=extensions)
results = []
for name, document, operation in DOCUMENTS:
    spans.clear()
    if tool == "Sentry":
        with sentry_sdk.start_transaction(name="request"):
            result = schema.execute_sync(document, operation_name=operation)
    else:
        result = schema.execute_sync(document, operation_name=operation)
    assert result.data == {"add": "Luke"}
    if tool == "OpenTelemetry":
        results.append(exporter.get_finished_spans()[-1].name)
        exporter.clear()
    else:
        [(type_, operation_name)] = spans
        results.append(f"{name} {type_}" + (f" {operation_name}" if operation else ""))
print("; ".join(dict.fromkeys(results)))
END
export DD_TRACE_ENABLED=false DD_INSTRUMENTATION_TELEMETRY_ENABLED=false
seen() { (cd "$folder" && python "$@" 2>"$folder/log"); }
for tool in Sentry Datadog; do
  expect "$tool" "$(seen strawberry_spans.py $tool)" \
    "alone mutation; comment query; fragment query; second of two: query Add"
done
expect OpenTelemetry "$(seen strawberry_spans.py OpenTelemetry)" "GraphQL Query: Add"

python_packages graphene==3.4.3 graphql-core==3.2.14 sentry-sdk==2.75.0
cat >"$folder/graphene_spans.py" <<'END'
import graphene, sentry_sdk
from sentry_sdk.integrations.graphene import GrapheneIntegration
from documents import DOCUMENTS

spans = []

def keep(event, hint):
    spans.extend(
        (span["data"]["graphql.operation.type"], span["data"]["graphql.operation.name"])
        for span in event["spans"] if "graphql.operation.type" in span["data"])

sentry_sdk.init(
    dsn="http://key@127.0.0.1/1", traces_sample_rate=1, before_send_transaction=keep,
    integrations=[GrapheneIntegration()])

class Query(graphene.ObjectType):
    hero = graphene.String()

class Mutation(graphene.ObjectType):
    add = graphene.String(resolver=lambda root, info: "Luke")

schema = graphene.Schema(Query, Mutation)
results = []
for name, document, operation in DOCUMENTS:
    spans.clear()
    with sentry_sdk.start_transaction(name="request"):
        result = schema.execute(document, operation_name=operation)
    assert result.data == {"add": "Luke"}
    [(type_, operation_name)] = spans
    results.append(f"{name} {type_}" + (f" {operation_name}" if operation else ""))
print("; ".join(results))
END
expect "Sentry with graphene" "$(seen graphene_spans.py)" \
  "alone mutation; comment query; fragment query; second of two: query Add"
