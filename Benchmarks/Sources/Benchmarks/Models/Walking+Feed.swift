import ApolloAPI
import BenchmarkAPI

extension FeedQuery.Data: Walkable {
  func walk(_ walk: inout some Walk) {
    let feed = walk.enter(feed)
    walk.read(feed.__typename)
    walk.read(feed.totalCount)
    let page = walk.enter(feed.pageInfo)
    walk.read(page.__typename)
    walk.read(page.hasNextPage)
    walk.read(page.endCursor)
    for edge in walk.enter(feed.edges) {
      walk.read(edge.__typename)
      walk.read(edge.cursor)
      walk.enter(edge.node).walk(&walk)
    }
  }
}

extension FeedQuery.Data.Feed.Edge.Node: Walkable {
  func walk(_ walk: inout some Walk) {
    walk.read(__typename)
    walk.read(id)
    walk.read(title)
    walk.read(body)
    walk.read(createdAt)
    walk.read(score)
    walk.read(viewCount)
    walk.read(isPinned)
    walk.read(tags)
    if let author = walk.enter(author) { author.fragments.actorDetails.walk(&walk) }
    if let article = asArticle {
      walk.read(article.wordCount)
      walk.read(article.coverUrl)
    }
    if let video = asVideo {
      walk.read(video.durationSeconds)
      walk.read(video.streamUrl)
    }
    let reactions = walk.enter(reactions)
    walk.read(reactions.__typename)
    walk.read(reactions.totalCount)
    for reaction in walk.enter(reactions.nodes) {
      walk.read(reaction.__typename)
      walk.read(reaction.id)
      walk.read(reaction.emoji)
      walk.read(reaction.count)
    }
  }
}

extension ActorDetails: Walkable {
  func walk(_ walk: inout some Walk) {
    walk.read(__typename)
    walk.read(id)
    walk.read(login)
    walk.read(displayName)
    walk.read(avatarUrl)
    walk.read(followers)
  }
}
