import ApolloAPI
import BenchmarkAPI

extension GitHubQuery.Data: Walkable {
  func walk(_ walk: inout some Walk) {
    guard let repository = walk.enter(repository) else { return }
    walk.read(repository.__typename)
    walk.read(repository.name)
    let issues = walk.enter(repository.issues)
    walk.read(issues.__typename)
    for case let issue? in walk.enter(issues.nodes) ?? [] {
      walk.read(issue.__typename)
      walk.read(issue.title)
      if let author = walk.enter(issue.author) { author.fragments.authorDetails.walk(&walk) }
      walk.read(issue.body)
      let comments = walk.enter(issue.comments)
      walk.read(comments.__typename)
      for case let comment? in walk.enter(comments.nodes) ?? [] {
        walk.read(comment.__typename)
        walk.read(comment.body)
        if let author = walk.enter(comment.author) { author.fragments.authorDetails.walk(&walk) }
      }
    }
  }
}

extension AuthorDetails: Walkable {
  func walk(_ walk: inout some Walk) {
    walk.read(__typename)
    walk.read(login)
    guard let user = asUser else { return }
    walk.read(user.id)
    walk.read(user.name)
  }
}
