/// The users of connections, by host: those that have one, and those that wait for one.
///
/// A host has a limited number of connections. Who comes when all of them are taken waits, and is
/// served in the order of arrival.
struct ConnectionQueue<Host: Hashable, User: AnyObject> {
  private struct Line {
    var takenCount = 0
    /// Those that wait, behind the first `servedCount`, which were served or have gone.
    var users: [User?] = []
    var servedCount = 0

    /// Returns `true` if `user` has a connection now. Otherwise `user` waits.
    mutating func enter(_ user: User, limit: Int) -> Bool {
      guard takenCount < limit else {
        users.append(user)
        return false
      }
      takenCount += 1
      return true
    }

    /// Returns the user who has the connection of another one now.
    mutating func leave() -> User? {
      if let next = popFirst() { return next }
      takenCount -= 1
      return nil
    }

    mutating func popFirst() -> User? {
      while servedCount < users.count {
        defer { servedCount += 1 }
        if let user = users[servedCount] {
          users[servedCount] = nil
          return user
        }
      }
      users = []
      servedCount = 0
      return nil
    }
  }

  /// The number of connections of each host.
  let limit: Int
  private var lines: [Host: Line] = [:]

  init(limit: Int) { self.limit = limit }

  /// Returns `true` if there is a connection for `user`, who has it now. Otherwise `user` waits.
  mutating func enter(_ user: User, _ host: Host) -> Bool {
    lines[host, default: Line()].enter(user, limit: limit)
  }

  /// Gives a connection back. Returns the user who has it next, if one waits.
  mutating func leave(_ host: Host) -> User? {
    guard let index = lines.index(forKey: host) else { return nil }
    if let next = lines.values[index].leave() { return next }
    if lines.values[index].takenCount == 0, lines.count > Self.idleHostCount {
      lines.remove(at: index)
    }
    return nil
  }

  /// The number of hosts that are remembered although no connection to them is taken. Programs
  /// have one or two, which would come and go with each request.
  private static var idleHostCount: Int { 4 }

  /// Removes a user who waits.
  ///
  /// - Complexity: O(*n*) for *n* users who wait for the same host.
  mutating func remove(_ user: User, _ host: Host) {
    guard let index = lines[host]?.users.firstIndex(where: { $0 === user }) else { return }
    lines[host]?.users[index] = nil
  }

  /// Removes and returns all users who wait.
  mutating func removeWaiting() -> [User] {
    lines.keys.flatMap { host in
      var users: [User] = []
      while let user = lines[host]?.popFirst() { users.append(user) }
      return users
    }
  }
}
