#!/usr/bin/env bash
# Version: Perl's GraphQL 0.54 (Debian 12).
#
# Behaviour: a variable that is sent as null counts as one that is not sent. The default of the
# variable, or that of the argument, takes its place, while a literal null in the document reaches
# the resolver. In a string of the document, '\u0041' stays six characters; '\n', '\t' and '\"' are
# replaced.
#
# Seen: "literal null: null; variable null: general; variable null with a default: other; A as
# \u0041: 6 characters; \n: 1 character".
#
# Why it surprises: null says "remove the rank", and this server stores the default rank instead,
# without an error. The same document with the null written into it does what it says, and clients
# send variables. Both ways of writing a text differ for each letter beyond ASCII that a tool has
# escaped.
#
# Source: GraphQL specification, 6.1.2 (CoerceVariableValues: the default is for a variable without
# a value) and 2.9.4 (EscapedUnicode); GraphQL/Execution.pm, GraphQL/Language/Receiver.pm.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program perl "perl libgraphql-perl=0.54"
seen=$(perl - <<'END'
use strict;
use warnings;
use GraphQL::Schema;
use GraphQL::Execution qw(execute);

my $schema = GraphQL::Schema->from_doc('type Query { rank(title: String = "general"): String }');

sub rank {
  my ($document, $variables) = @_;
  my $resolve = sub { $_[0]{title} // "null" };
  my $result = execute($schema, $document, { rank => $resolve }, undef, $variables);
  die if $result->{errors};
  $result->{data}{rank};
}

my $null = { title => undef };
my $escaped = length rank('{ rank(title: "\u0041") }');
my $newline = length rank('{ rank(title: "\n") }');
print join "; ",
  "literal null: " . rank('{ rank(title: null) }'),
  "variable null: " . rank('query($title: String) { rank(title: $title) }', $null),
  "variable null with a default: " . rank('query($title: String = "other") { rank(title: $title) }', $null),
  "A as \\u0041: $escaped characters",
  "\\n: $newline character";
END
)
expect "Titles" "$seen" \
  'literal null: null; variable null: general; variable null with a default: other; A as \u0041: 6 characters; \n: 1 character'
