#!/usr/bin/env bash
# Version: Perl's GraphQL 0.54 (Debian 12).
#
# Behaviour: documents are executed without validation. '{ nope }' is answered '{"data":null}'
# without errors, an object without a selection set is null, an unknown argument is ignored, and of
# two fields with one response name ('{ count count: size }') one wins.
#
# Seen: "unknown field: data null, no errors; object without selections: null, no errors; unknown
# argument: 1, no errors; conflict: 1 value, no errors".
#
# Why it surprises: a response with data null and no errors is not a GraphQL response at all (7.1),
# and a query with a typing error looks like a server with no data. Nothing in its documentation
# lists validation as missing.
#
# Source: GraphQL specification, 5 and 7.1; GraphQL/Execution.pm.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program perl "perl libgraphql-perl=0.54"
seen=$(perl - <<'END'
use strict;
use warnings;
use GraphQL::Schema;
use GraphQL::Execution qw(execute);

my $schema = GraphQL::Schema->from_doc(<<'SCHEMA');
type Query { count: Int size: Int hero: Hero }
type Hero { name: String }
SCHEMA

sub result { execute($schema, $_[0], { count => 1, size => 2, hero => { name => "Leia" } }) }

sub errors { $_[0]{errors} ? "errors" : "no errors" }

my $unknown = result('{ nope }');
my $bare = result('{ hero }');
my $argument = result('{ count(of: 5) }');
my $conflict = result('{ count count: size }');
print join "; ",
  "unknown field: data " . ($unknown->{data} // "null") . ", " . errors($unknown),
  "object without selections: " . ($bare->{data}{hero} // "null") . ", " . errors($bare),
  "unknown argument: $argument->{data}{count}, " . errors($argument),
  "conflict: " . (keys %{ $conflict->{data} }) . " value, " . errors($conflict);
END
)
expect "Documents that are not valid" "$seen" \
  "unknown field: data null, no errors; object without selections: null, no errors; unknown argument: 1, no errors; conflict: 1 value, no errors"
