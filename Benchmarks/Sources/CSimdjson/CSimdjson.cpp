// What a careful native program needs for the same job: simdjson's on-demand reader, fields in the order in which they come,
// into structs that own their strings.

extern "C" {
#include "CSimdjson.h"
}

#if __has_include(<simdjson.h>)

#include <cstdint>
#include <cstring>
#include <optional>
#include <simdjson.h>
#include <string>
#include <vector>

using namespace simdjson;

struct simdjson_input {
  padded_string bytes;
  ondemand::parser parser;
};

namespace {

std::string text(simdjson_result<ondemand::value> value) {
  return std::string(std::string_view(value.get_string()));
}

std::optional<std::string> optional_text(ondemand::value value) {
  if (value.is_null()) return std::nullopt;
  return std::string(std::string_view(value.get_string()));
}

/// Reads each element of an array with `read`.
template <typename T, typename Read>
std::vector<T> list(simdjson_result<ondemand::value> value, Read read) {
  std::vector<T> items;
  for (auto element : value.get_array()) items.push_back(read(ondemand::object(element.get_object())));
  return items;
}

// small.json and friends1000.json

struct Friend {
  std::string type, id, name;
  int64_t age = 0;
  double height = 0, mass = 0;
  bool is_jedi = false;
  std::optional<std::string> home_planet;
  std::string species, created_at;
  int64_t score = 0;
};

struct Hero {
  std::string type, id, name;
  std::vector<Friend> friends;
};

Friend small_friend(ondemand::object object) {
  Friend result;
  result.type = text(object["__typename"]);
  result.id = text(object["id"]);
  result.name = text(object["name"]);
  return result;
}

Friend whole_friend(ondemand::object object) {
  Friend result = small_friend(object);
  result.age = object["age"].get_int64();
  result.height = object["height"].get_double();
  result.mass = object["mass"].get_double();
  result.is_jedi = object["isJedi"].get_bool();
  result.home_planet = optional_text(object["homePlanet"].value());
  result.species = text(object["species"]);
  result.created_at = text(object["createdAt"]);
  result.score = object["score"].get_int64();
  return result;
}

template <typename Read>
Hero hero(ondemand::document &document, Read read) {
  ondemand::object object = document["data"]["hero"].get_object();
  Hero result;
  result.type = text(object["__typename"]);
  result.id = text(object["id"]);
  result.name = text(object["name"]);
  result.friends = list<Friend>(object["friends"], read);
  return result;
}

// github.json

struct Author {
  std::string type, login, id;
  std::optional<std::string> name;
};

struct Comment {
  std::string type, body;
  Author author;
};

struct Issue {
  std::string type, title;
  Author author;
  std::string body, comments_type;
  std::vector<Comment> comments;
};

struct Repository {
  std::string type, name, issues_type;
  std::vector<Issue> issues;
};

Author author(ondemand::object object) {
  Author result;
  result.type = text(object["__typename"]);
  result.login = text(object["login"]);
  result.id = text(object["id"]);
  result.name = optional_text(object["name"].value());
  return result;
}

Comment comment(ondemand::object object) {
  Comment result;
  result.type = text(object["__typename"]);
  result.body = text(object["body"]);
  result.author = author(object["author"].get_object());
  return result;
}

Issue issue(ondemand::object object) {
  Issue result;
  result.type = text(object["__typename"]);
  result.title = text(object["title"]);
  result.author = author(object["author"].get_object());
  result.body = text(object["body"]);
  ondemand::object comments = object["comments"].get_object();
  result.comments_type = text(comments["__typename"]);
  result.comments = list<Comment>(comments["nodes"], comment);
  return result;
}

Repository repository(ondemand::document &document) {
  ondemand::object object = document["data"]["repository"].get_object();
  Repository result;
  result.type = text(object["__typename"]);
  result.name = text(object["name"]);
  ondemand::object issues = object["issues"].get_object();
  result.issues_type = text(issues["__typename"]);
  result.issues = list<Issue>(issues["nodes"], issue);
  return result;
}

// feed.json

struct Actor {
  std::string type, id, login;
  std::optional<std::string> display_name;
  std::string avatar_url;
  int64_t followers = 0;
};

struct Reaction {
  std::string type, id, emoji;
  int64_t count = 0;
};

struct Item {
  std::string type, id, title, body, created_at;
  double score = 0;
  int64_t view_count = 0;
  bool is_pinned = false;
  std::vector<std::string> tags;
  std::optional<Actor> author;
  int64_t word_count = 0, duration_seconds = 0;
  std::optional<std::string> cover_url, stream_url;
  std::string reactions_type;
  int64_t reaction_count = 0;
  std::vector<Reaction> reactions;
};

struct Edge {
  std::string type, cursor;
  Item node;
};

struct Feed {
  std::string type;
  int64_t total_count = 0;
  std::string page_info_type;
  bool has_next_page = false;
  std::optional<std::string> end_cursor;
  std::vector<Edge> edges;
};

Actor actor(ondemand::object object) {
  Actor result;
  result.type = text(object["__typename"]);
  result.id = text(object["id"]);
  result.login = text(object["login"]);
  result.display_name = optional_text(object["displayName"].value());
  result.avatar_url = text(object["avatarUrl"]);
  result.followers = object["followers"].get_int64();
  return result;
}

Reaction reaction(ondemand::object object) {
  Reaction result;
  result.type = text(object["__typename"]);
  result.id = text(object["id"]);
  result.emoji = text(object["emoji"]);
  result.count = object["count"].get_int64();
  return result;
}

Item item(ondemand::object object) {
  Item result;
  result.type = text(object["__typename"]);
  result.id = text(object["id"]);
  result.title = text(object["title"]);
  result.body = text(object["body"]);
  result.created_at = text(object["createdAt"]);
  result.score = object["score"].get_double();
  result.view_count = object["viewCount"].get_int64();
  result.is_pinned = object["isPinned"].get_bool();
  for (auto tag : object["tags"].get_array()) result.tags.push_back(text(tag));
  ondemand::value written_by = object["author"];
  if (!written_by.is_null()) result.author = actor(written_by.get_object());
  if (result.type == "Article") {
    result.word_count = object["wordCount"].get_int64();
    result.cover_url = optional_text(object["coverUrl"].value());
  } else if (result.type == "Video") {
    result.duration_seconds = object["durationSeconds"].get_int64();
    result.stream_url = text(object["streamUrl"]);
  }
  ondemand::object reactions = object["reactions"].get_object();
  result.reactions_type = text(reactions["__typename"]);
  result.reaction_count = reactions["totalCount"].get_int64();
  result.reactions = list<Reaction>(reactions["nodes"], reaction);
  return result;
}

Edge edge(ondemand::object object) {
  Edge result;
  result.type = text(object["__typename"]);
  result.cursor = text(object["cursor"]);
  result.node = item(object["node"].get_object());
  return result;
}

Feed feed(ondemand::document &document) {
  ondemand::object object = document["data"]["feed"].get_object();
  Feed result;
  result.type = text(object["__typename"]);
  result.total_count = object["totalCount"].get_int64();
  ondemand::object page_info = object["pageInfo"].get_object();
  result.page_info_type = text(page_info["__typename"]);
  result.has_next_page = page_info["hasNextPage"].get_bool();
  result.end_cursor = optional_text(page_info["endCursor"].value());
  result.edges = list<Edge>(object["edges"], edge);
  return result;
}

// Digests of the contents, to compare them with those of the models: FNV-1a over every field in the order of the selections.

struct Digest {
  uint64_t value = 0xCBF29CE484222325;

  void byte(uint8_t byte) { value = (value ^ byte) * 0x100000001B3; }
  void add(const std::string &text) {
    for (unsigned char each : text) byte(each);
    byte(0xFF);
  }
  void add(const std::optional<std::string> &text) { text ? add(*text) : byte(0xFE); }
  void add(int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<uint8_t>(static_cast<uint64_t>(number) >> shift));
  }
  void add(double number) {
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add(bits);
  }
  void add(bool flag) { byte(flag ? 1 : 0); }
};

void digest(Digest &digest, const Hero &hero, bool isWhole) {
  digest.add(hero.type), digest.add(hero.id), digest.add(hero.name);
  for (const Friend &each : hero.friends) {
    digest.add(each.type), digest.add(each.id), digest.add(each.name);
    if (!isWhole) continue;
    digest.add(each.age), digest.add(each.height), digest.add(each.mass), digest.add(each.is_jedi);
    digest.add(each.home_planet), digest.add(each.species), digest.add(each.created_at), digest.add(each.score);
  }
}

void digest(Digest &digest, const Author &author) {
  digest.add(author.type), digest.add(author.login), digest.add(author.id), digest.add(author.name);
}

void digest(Digest &all, const Repository &repository) {
  all.add(repository.type), all.add(repository.name), all.add(repository.issues_type);
  for (const Issue &issue : repository.issues) {
    all.add(issue.type), all.add(issue.title);
    digest(all, issue.author);
    all.add(issue.body), all.add(issue.comments_type);
    for (const Comment &comment : issue.comments) {
      all.add(comment.type), all.add(comment.body);
      digest(all, comment.author);
    }
  }
}

void digest(Digest &all, const Item &item) {
  all.add(item.type), all.add(item.id), all.add(item.title), all.add(item.body), all.add(item.created_at);
  all.add(item.score), all.add(item.view_count), all.add(item.is_pinned);
  for (const std::string &tag : item.tags) all.add(tag);
  all.add(static_cast<int64_t>(item.tags.size()));
  if (item.author) {
    const Actor &actor = *item.author;
    all.add(actor.type), all.add(actor.id), all.add(actor.login), all.add(actor.display_name);
    all.add(actor.avatar_url), all.add(actor.followers);
  }
  if (item.type == "Article") all.add(item.word_count), all.add(item.cover_url);
  if (item.type == "Video") all.add(item.duration_seconds), all.add(item.stream_url);
  all.add(item.reactions_type), all.add(item.reaction_count);
  for (const Reaction &reaction : item.reactions) {
    all.add(reaction.type), all.add(reaction.id), all.add(reaction.emoji), all.add(reaction.count);
  }
}

void digest(Digest &all, const Feed &feed) {
  all.add(feed.type), all.add(feed.total_count), all.add(feed.page_info_type), all.add(feed.has_next_page);
  all.add(feed.end_cursor);
  for (const Edge &edge : feed.edges) {
    all.add(edge.type), all.add(edge.cursor);
    digest(all, edge.node);
  }
}

/// Decodes and digests the result; 0 when that fails.
template <typename Decode, typename Add>
uint64_t digest_of(simdjson_input *input, Decode body, Add add) {
  try {
    ondemand::document document = input->parser.iterate(input->bytes);
    auto result = body(document);
    Digest digest;
    add(digest, result);
    return digest.value;
  } catch (const simdjson_error &) {
    return 0;
  }
}

/// Decodes and drops the result; a missing or wrong field is `false`.
template <typename Decode>
bool decode(simdjson_input *input, Decode body) {
  try {
    ondemand::document document = input->parser.iterate(input->bytes);
    auto result = body(document);
    asm volatile("" : : "r"(&result) : "memory");  // someone might look at it
    return true;
  } catch (const simdjson_error &) {
    return false;
  }
}

}  // namespace

bool simdjson_is_available(void) { return true; }

simdjson_input *simdjson_input_make(const char *bytes, size_t count) {
  return new simdjson_input{padded_string(bytes, count), ondemand::parser()};
}

bool simdjson_decode_small(simdjson_input *input) {
  return decode(input, [](ondemand::document &document) { return hero(document, small_friend); });
}

bool simdjson_decode_github(simdjson_input *input) { return decode(input, repository); }

bool simdjson_decode_friends(simdjson_input *input) {
  return decode(input, [](ondemand::document &document) { return hero(document, whole_friend); });
}

bool simdjson_decode_feed(simdjson_input *input) { return decode(input, feed); }

uint64_t simdjson_digest_small(simdjson_input *input) {
  return digest_of(
      input, [](ondemand::document &document) { return hero(document, small_friend); },
      [](Digest &all, const Hero &hero) { digest(all, hero, false); });
}

uint64_t simdjson_digest_friends(simdjson_input *input) {
  return digest_of(
      input, [](ondemand::document &document) { return hero(document, whole_friend); },
      [](Digest &all, const Hero &hero) { digest(all, hero, true); });
}

uint64_t simdjson_digest_github(simdjson_input *input) {
  return digest_of(input, repository, [](Digest &all, const Repository &result) { digest(all, result); });
}

uint64_t simdjson_digest_feed(simdjson_input *input) {
  return digest_of(input, feed, [](Digest &all, const Feed &result) { digest(all, result); });
}

#else

bool simdjson_is_available(void) { return false; }
simdjson_input *simdjson_input_make(const char *, size_t) { return nullptr; }
bool simdjson_decode_small(simdjson_input *) { return false; }
bool simdjson_decode_github(simdjson_input *) { return false; }
bool simdjson_decode_friends(simdjson_input *) { return false; }
bool simdjson_decode_feed(simdjson_input *) { return false; }
uint64_t simdjson_digest_small(simdjson_input *) { return 0; }
uint64_t simdjson_digest_github(simdjson_input *) { return 0; }
uint64_t simdjson_digest_friends(simdjson_input *) { return 0; }
uint64_t simdjson_digest_feed(simdjson_input *) { return 0; }

#endif
