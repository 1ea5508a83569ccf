#!/usr/bin/env bash
# Version: Perl's GraphQL 0.54 (Debian 12).
#
# Behaviour: the fields of a response are the entries of a Perl hash, whose order is drawn anew in
# each process: ten processes answer '{ a b c d e f }' in several orders, none of which need be the
# one of the query.
#
# Seen: "more than one order".
#
# Why it surprises: the specification asks for the order of the query and says that this lets
# clients read a response in one pass. What is fast, or right, only for fields in that order meets
# every order here, and a cache of whole responses by their bytes never hits.
#
# Source: GraphQL specification, 7.2.2 (Serialized Map Ordering); perldoc perlsec, "Algorithmic
# Complexity Attacks" (hash order).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program perl "perl libgraphql-perl=0.54"
for _ in {1..10}; do
  perl - <<'END'
use strict;
use warnings;
use GraphQL::Schema;
use GraphQL::Execution qw(execute);
use JSON::PP;

my %root = map { $_ => 1 } qw(a b c d e f);
my $schema = GraphQL::Schema->from_doc("type Query { " . join(" ", map { "$_: Int" } keys %root) . " }");
print JSON::PP->new->encode(execute($schema, "{ a b c d e f }", \%root)), "\n";
END
done >"$folder/responses"
[ "$(sort -u "$folder/responses" | wc -l)" -gt 1 ] && seen="more than one order" || seen="one order"
expect "Ten processes" "$seen" "more than one order"
