// The structs beside the models, walked in the same order.

extension SmallResponse: Walkable {
  func walk(_ walk: inout some Walk) {
    let hero = walk.enter(data.hero)
    walk.read(hero.__typename)
    walk.read(hero.id)
    walk.read(hero.name)
    for friend in walk.enter(hero.friends) {
      walk.read(friend.__typename)
      walk.read(friend.id)
      walk.read(friend.name)
    }
  }
}

extension FriendsResponse: Walkable {
  func walk(_ walk: inout some Walk) {
    let hero = walk.enter(data.hero)
    walk.read(hero.__typename)
    walk.read(hero.id)
    walk.read(hero.name)
    for friend in walk.enter(hero.friends) {
      walk.read(friend.__typename)
      walk.read(friend.id)
      walk.read(friend.name)
      walk.read(friend.age)
      walk.read(friend.height)
      walk.read(friend.mass)
      walk.read(friend.isJedi)
      walk.read(friend.homePlanet)
      walk.read(species: friend.species)
      walk.read(friend.createdAt)
      walk.read(friend.score)
    }
  }
}

extension GitHubResponse: Walkable {
  func walk(_ walk: inout some Walk) {
    let repository = walk.enter(data.repository)
    walk.read(repository.__typename)
    walk.read(repository.name)
    let issues = walk.enter(repository.issues)
    walk.read(issues.__typename)
    for issue in walk.enter(issues.nodes) {
      walk.read(issue.__typename)
      walk.read(issue.title)
      walk.enter(issue.author).walk(&walk)
      walk.read(issue.body)
      let comments = walk.enter(issue.comments)
      walk.read(comments.__typename)
      for comment in walk.enter(comments.nodes) {
        walk.read(comment.__typename)
        walk.read(comment.body)
        walk.enter(comment.author).walk(&walk)
      }
    }
  }
}

extension GitHubResponse.Author: Walkable {
  func walk(_ walk: inout some Walk) {
    walk.read(__typename)
    walk.read(login)
    walk.read(id)
    walk.read(name)
  }
}

extension FeedResponse: Walkable {
  func walk(_ walk: inout some Walk) {
    let feed = walk.enter(data.feed)
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

extension FeedResponse.Node: Walkable {
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
    if let author = walk.enter(author) { author.walk(&walk) }
    if let wordCount {
      walk.read(wordCount)
      walk.read(coverUrl)
    }
    if let durationSeconds, let streamUrl {
      walk.read(durationSeconds)
      walk.read(streamUrl)
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

extension FeedResponse.Actor: Walkable {
  func walk(_ walk: inout some Walk) {
    walk.read(__typename)
    walk.read(id)
    walk.read(login)
    walk.read(displayName)
    walk.read(avatarUrl)
    walk.read(followers)
  }
}
