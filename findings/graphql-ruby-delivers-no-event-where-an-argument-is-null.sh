#!/usr/bin/env bash
# Version: graphql-ruby 1.13.15 (Debian 12), its class GraphQL::Subscriptions with a store in
# memory.
#
# Behaviour: a subscription 'heroChanged(id: ID!, episode: Episode, brief: Boolean)' is run for hero
# 5, and the server triggers it with 'id: "5"'. A client that leaves the episode out gets the event.
# One that sends null for it, in the document or as a variable, does not, and neither does one with
# 'brief: false', or with 'episode: JEDI' where the server triggers with the episode "JEDI" and not
# with the Ruby value of the enum. There is no error: the server has found nobody to tell. The id
# may be a number or a text, and defaults of the schema are added on both sides.
#
# Seen: "left out: event; null: nothing; variable null: nothing; variable absent: event; brief:
# nothing; id as a number: event; episode by its value: event; episode by its name: nothing".
#
# Why it surprises: for the resolver null and absent are the same nil here, and the initial response
# is the same. The name of the channel is made of all arguments that were written, and must be equal
# to that of the trigger. Typed clients send null for a variable without a value. An argument that
# only says how an event is shown makes its subscription deaf, and so does one that is added to the
# schema later and is used by new clients only.
#
# Source: GraphQL specification, 2.9.5 (null and absent) and 6.2.3; graphql-ruby's documentation,
# "Subscriptions", "Triggers" (arguments must match); subscriptions/event.rb, serialize, and
# subscriptions.rb, trigger and normalize_arguments.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program ruby "ruby ruby-graphql=1.13.15"
seen=$(ruby -W0 - <<'END'
require "graphql"

class Store < GraphQL::Subscriptions
  attr_reader :delivered

  def initialize(**)
    super
    @queries, @topics, @delivered = {}, Hash.new { |topics, name| topics[name] = [] }, []
  end

  def write_subscription(query, events)
    id = query.context[:client]
    @queries[id] = { query_string: query.query_string, variables: query.provided_variables, context: {}, operation_name: nil }
    events.each { |event| @topics[event.topic] << id }
  end

  def execute_all(event, object)
    @topics[event.topic].each { |id| execute(id, event, object) }
  end

  def read_subscription(id)
    @queries[id]
  end

  def deliver(id, result)
    @delivered << [id, result.to_h]
  end
end

class Episode < GraphQL::Schema::Enum
  value "JEDI", value: :jedi
end

class HeroChanged < GraphQL::Schema::Subscription
  argument :id, ID, required: true
  argument :episode, Episode, required: false
  argument :brief, Boolean, required: false
  field :name, String, null: true

  def subscribe(**)
    { name: "Leia" }
  end

  def update(**)
    { name: object }
  end
end

class Events < GraphQL::Schema::Object
  field :hero_changed, subscription: HeroChanged
end

class Queries < GraphQL::Schema::Object
  field :ping, String, null: true
end

class Heroes < GraphQL::Schema
  query Queries
  subscription Events
  use Store
end

clients = 0
seen = {
  "left out" => ['subscription { heroChanged(id: "5") { name } }', {}, { id: "5" }],
  "null" => ['subscription { heroChanged(id: "5", episode: null) { name } }', {}, { id: "5" }],
  "variable null" => ['subscription($at: Episode) { heroChanged(id: "5", episode: $at) { name } }', { "at" => nil }, { id: "5" }],
  "variable absent" => ['subscription($at: Episode) { heroChanged(id: "5", episode: $at) { name } }', {}, { id: "5" }],
  "brief" => ['subscription { heroChanged(id: "5", brief: false) { name } }', {}, { id: "5" }],
  "id as a number" => ['subscription { heroChanged(id: "5") { name } }', {}, { id: 5 }],
  "episode by its value" => ['subscription { heroChanged(id: "5", episode: JEDI) { name } }', {}, { id: "5", episode: :jedi }],
  "episode by its name" => ['subscription { heroChanged(id: "5", episode: JEDI) { name } }', {}, { id: "5", episode: "JEDI" }],
}.map do |name, (document, variables, trigger)|
  client = clients += 1
  first = Heroes.execute(document, variables: variables, context: { client: client }).to_h
  raise "refused" unless first == { "data" => { "heroChanged" => { "name" => "Leia" } } }
  Heroes.subscriptions.trigger(:hero_changed, trigger, "Luke")
  event = [client, { "data" => { "heroChanged" => { "name" => "Luke" } } }]
  "#{name}: #{Heroes.subscriptions.delivered.include?(event) ? "event" : "nothing"}"
end
puts seen.join("; ")
END
)
expect "Delivered" "$seen" \
  "left out: event; null: nothing; variable null: nothing; variable absent: event; brief: nothing; id as a number: event; episode by its value: event; episode by its name: nothing"
