// A store leaves values out of a response that another cache is about to replace. If the commit
// there fails, they are written in the end.

extension ApolloStore {
  /// Writes the values that were left out of a response for other commits, if one of these fails.
  ///
  /// Returns at once. The task keeps the store, and the request under way, until these commits have
  /// ended.
  func writeIfOthersFail(_ leftOut: LeftOutValues, of response: SettledResponse) {
    guard !leftOut.commits.isEmpty else { return }
    _ = ApolloStore.task { [self] in
      var leftOut = leftOut
      while await siblings.order.waitForFailure(of: leftOut) {
        guard (try? await writers.enter()) != nil else { return }  // fails only if cancelled
        let followed: FollowedCommit
        (followed, leftOut) = await committed(response.only(leftOut))
        await endTurn(followed)
      }
    }
  }

  /// Returns which of the values are still missing after the commit of their response: its closure,
  /// or a change of a list, may have written or removed fields, which is above the response.
  ///
  /// - Parameters:
  ///   - leftOut: The values that were left out of the response.
  ///   - pending: What is committed of it.
  /// - Returns: Those values that the commit does not concern.
  func leftOutValues(of leftOut: LeftOutValues, beside pending: PendingCommit) -> LeftOutValues {
    guard !leftOut.commits.isEmpty, case .updated(let response, let mutations, _) = pending else {
      return leftOut
    }
    let own = Dictionary(response.records.map { ($0.key, $0.fields) }) { $1 }
    var rest = leftOut
    for mutation in mutations {
      rest.remove { record in
        switch mutation {
        case .merge(let changed):
          let fields = changed.lazy.filter { $0.key == record.key }.flatMap(\.fields)
          return Set(fields.filter { own[record.key]?[$0.key] != $0.value }.map(\.key))
        case .remove(let key): return key == record.key ? Set(record.fields.map(\.key)) : []
        case .removeMatching(let pattern):
          let isRemoved = record.key.contains(ignoringCase: pattern)
          return isRemoved ? Set(record.fields.map(\.key)) : []
        case .clear: return Set(record.fields.map(\.key))
        }
      }
    }
    return rest
  }
}
