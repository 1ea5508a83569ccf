// The types that a program without a GraphQL client would write by hand for the measured responses.

struct SmallResponse: Decodable {
  struct Payload: Decodable { var hero: Hero }
  struct Hero: Decodable {
    var __typename: String
    var id: String
    var name: String
    var friends: [Friend]
  }
  struct Friend: Decodable {
    var __typename: String
    var id: String
    var name: String
  }
  var data: Payload
}

struct FriendsResponse: Decodable {
  struct Payload: Decodable { var hero: Hero }
  struct Hero: Decodable {
    var __typename: String
    var id: String
    var name: String
    var friends: [Friend]
  }
  struct Friend: Decodable {
    var __typename: String
    var id: String
    var name: String
    var age: Int
    var height: Double
    var mass: Double
    var isJedi: Bool
    var homePlanet: String?
    var species: String
    var createdAt: String
    var score: Int
  }
  var data: Payload
}

struct GitHubResponse: Decodable {
  struct Payload: Decodable { var repository: Repository }
  struct Repository: Decodable {
    var __typename: String
    var name: String
    var issues: IssueConnection
  }
  struct IssueConnection: Decodable {
    var __typename: String
    var nodes: [Issue]
  }
  struct Issue: Decodable {
    var __typename: String
    var title: String
    var author: Author
    var body: String
    var comments: CommentConnection
  }
  struct CommentConnection: Decodable {
    var __typename: String
    var nodes: [Comment]
  }
  struct Comment: Decodable {
    var __typename: String
    var body: String
    var author: Author
  }
  struct Author: Decodable {
    var __typename: String
    var login: String
    var id: String
    var name: String?
  }
  var data: Payload
}

struct FeedResponse: Decodable {
  struct Payload: Decodable { var feed: FeedConnection }
  struct FeedConnection: Decodable {
    var __typename: String
    var totalCount: Int
    var pageInfo: PageInfo
    var edges: [Edge]
  }
  struct PageInfo: Decodable {
    var __typename: String
    var hasNextPage: Bool
    var endCursor: String?
  }
  struct Edge: Decodable {
    var __typename: String
    var cursor: String
    var node: Node
  }
  /// An article or a video: the fields of the other kind are absent.
  struct Node: Decodable {
    var __typename: String
    var id: String
    var title: String
    var body: String
    var createdAt: String
    var score: Double
    var viewCount: Int
    var isPinned: Bool
    var tags: [String]
    var author: Actor?
    var wordCount: Int?
    var coverUrl: String?
    var durationSeconds: Int?
    var streamUrl: String?
    var reactions: ReactionConnection
  }
  struct Actor: Decodable {
    var __typename: String
    var id: String
    var login: String
    var displayName: String?
    var avatarUrl: String
    var followers: Int
  }
  struct ReactionConnection: Decodable {
    var __typename: String
    var totalCount: Int
    var nodes: [Reaction]
  }
  struct Reaction: Decodable {
    var __typename: String
    var id: String
    var emoji: String
    var count: Int
  }
  var data: Payload
}
