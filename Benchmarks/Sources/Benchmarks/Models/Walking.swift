import ApolloAPI
import BenchmarkAPI

/// Reads every field of a model once: strings by their length, so that each is fetched and looked
/// at.
protocol Walkable {
  /// The sum of what was read.
  func walk() -> Int
  /// How many fields ``walk()`` reads.
  func fieldCount() -> Int
}

extension FriendsQuery.Data: Walkable {
  func walk() -> Int {
    guard let hero else { return 0 }
    var sum = hero.id.utf8.count + hero.name.utf8.count
    for friend in hero.friends {
      sum &+= friend.id.utf8.count &+ friend.name.utf8.count &+ friend.age
      sum &+= Int(friend.height) &+ Int(friend.mass) &+ (friend.isJedi ? 1 : 0)
      sum &+= friend.homePlanet?.utf8.count ?? 0
      sum &+= friend.species == .human ? 1 : 0
      sum &+= friend.createdAt.utf8.count &+ friend.score
    }
    return sum
  }

  func fieldCount() -> Int { 4 + 10 * (hero?.friends.count ?? 0) }
}

extension FeedQuery.Data: Walkable {
  func walk() -> Int {
    var sum = feed.totalCount
    for edge in feed.edges {
      sum &+= edge.cursor.utf8.count
      let node = edge.node
      sum &+= node.id.utf8.count &+ node.title.utf8.count &+ node.body.utf8.count
      sum &+= node.createdAt.utf8.count &+ Int(node.score) &+ node.viewCount
      sum &+= (node.isPinned ? 1 : 0) &+ node.tags.count
      if let author = node.author?.fragments.actorDetails {
        sum &+= author.id.utf8.count &+ author.login.utf8.count &+ author.followers
      }
      if let article = node.asArticle { sum &+= article.wordCount }
      if let video = node.asVideo { sum &+= video.durationSeconds &+ video.streamUrl.utf8.count }
      let reactions = node.reactions
      sum &+= reactions.totalCount
      for reaction in reactions.nodes {
        sum &+= reaction.id.utf8.count &+ reaction.emoji.utf8.count &+ reaction.count
      }
    }
    return sum
  }

  func fieldCount() -> Int {
    feed.edges.reduce(2) { count, edge in
      let node = edge.node
      let kind = node.asArticle == nil ? 2 : 1
      return count + 11 + (node.author == nil ? 1 : 4) + kind + 2 + 3 * node.reactions.nodes.count
    }
  }
}
