// swift-format-ignore-file

import Apollo
import Foundation
import PostsAPI

/// The code of the page, each block in a method of a view controller.
@MainActor
final class PostViewController {
  let apollo: ApolloClient
  var client: ApolloClient { apollo }
  let postId = 123
  private(set) var shown: PostDetails?

  init(apollo: ApolloClient) { self.apollo = apollo }

  func configure(with details: PostDetails?) {
    shown = details
    print("configured")
  }

  func upvote() {
    apollo.perform(mutation: UpvotePostMutation(postId: postId)) { result in
      guard let data = try? result.get().data else { return }
      print(data.upvotePost?.votes)
    }
  }

  func upvoteAndShow() {
    client.perform(mutation: UpvotePostMutation(postId: postId)) { result in
      guard let data = try? result.get().data else { return }
      self.configure(with: data.upvotePost?.fragments.postDetails)
    }
  }

  func review() {
    let review = ReviewInput(stars: 5, commentary: "This is a great movie!")
    apollo.perform(mutation: CreateReviewForEpisodeMutation(episode: .jedi, review: review))
  }

  func upload() {
    // Create the file to upload
    guard
      let fileURL = Bundle.main.url(forResource: "a",
                                    withExtension: "txt"),
      let file = GraphQLFile(fieldName: "file", // Must be the name of the field the file is being uploaded to
                             originalName: "a.txt",
                             mimeType: "text/plain", // <-defaults to "application/octet-stream"
                             fileURL: fileURL) else {
        // Either the file URL couldn't be created or the file couldn't be created.
        return
    }

    // Actually upload the file
    client.upload(operation: UploadFileMutation(file: "a"), // <-- `Upload` is a custom scalar that's a `String` under the hood.
                  files: [file]) { result in
      switch result {
      case .success(let graphQLResult):
        print("ID: \(graphQLResult.data?.singleUpload.id)")
      case .failure(let error):
        print("error: \(error)")
      }
    }
  }
}
