#!/usr/bin/env bash
# Version: graphql-core 3.3.2 beside 3.2.14 (the one of graphene, Dagster and MLflow).
#
# Behaviour: the integer 9007199254740993 (2^53 + 1) as the value of a Float variable is refused by
# 3.3.2, "value would lose precision". As a literal in the document, the same version rounds it to
# 9007199254740992, and so does 3.2.14 in both places.
#
# Seen: "3.2.14: rounded, rounded; 3.3.2: variable refused, literal rounded".
#
# Why it surprises: a literal and a variable are meant to be coerced alike, and one moves values
# from one to the other freely. A time stamp in nanoseconds as Float works until the server is
# upgraded by a minor version, and then still works in the playground, where it is a literal.
#
# Source: GraphQL specification, 3.5.2 Float, Input Coercion; graphql/type/scalars.py,
# coerce_float.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

python_packages graphql-core==3.2.14
seen() { python - <<'END'
from graphql import build_schema, graphql_sync

schema = build_schema("type Query { f(x: Float): String }")
root = {"f": lambda info, x: repr(x)}
by_variable = graphql_sync(schema, "query ($x: Float) { f(x: $x) }", root, variable_values={"x": 9007199254740993})
by_literal = graphql_sync(schema, "{ f(x: 9007199254740993) }", root)
print(*["refused" if result.errors else result.data["f"] for result in (by_variable, by_literal)])
END
}
expect "3.2.14, variable and literal" "$(seen)" "9007199254740992.0 9007199254740992.0"
python -m pip install --quiet --disable-pip-version-check graphql-core==3.3.2
expect "3.3.2, variable and literal" "$(seen)" "refused 9007199254740992.0"
