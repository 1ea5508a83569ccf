/// The users of connections, by host: those that have one, and those that wait for one.
///
/// A host has a limited number of connections. Who comes when all of them are taken waits, and is
/// served in the order of arrival.
struct ConnectionQueue<Host: Equatable, User: AnyObject> {
  /// The number of connections of each host.
  let limit: Int
  /// One for each host. Programs have few, and the first use of a dictionary with a key of its own
  /// takes as long as sending a request.
  private var lines: [Line<Host, User>] = []

  init(limit: Int) { self.limit = limit }

  /// Returns `true` if there is a connection for `user`, who has it now. Otherwise `user` waits.
  mutating func enter(_ user: User, _ host: Host) -> Bool {
    if let index = lines.firstIndex(where: { $0.host == host }) {
      return lines[index].enter(user, limit: limit)
    }
    lines.append(Line(host: host))
    return lines[lines.count - 1].enter(user, limit: limit)
  }

  /// Gives a connection back. Returns the user who has it next, if one waits.
  mutating func leave(_ host: Host) -> User? {
    guard let index = lines.firstIndex(where: { $0.host == host }) else { return nil }
    if let next = lines[index].leave() { return next }
    if lines[index].takenCount == 0, lines.count > Self.idleHostCount {
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
    guard let line = lines.firstIndex(where: { $0.host == host }) else { return }
    lines[line].remove(user)
  }

  /// Removes and returns all users who wait.
  mutating func removeWaiting() -> [User] {
    lines.indices.flatMap { line in
      var users: [User] = []
      while let user = lines[line].popFirst() { users.append(user) }
      return users
    }
  }
}

/// The users of connections to one host.
///
/// Not nested in the queue, and without constraints: the runtime looks for the conformances of a
/// generic type when it is first used, which takes as long as sending a request.
private struct Line<Host, User: AnyObject> {
  let host: Host
  var takenCount = 0
  /// Those that wait, in their order, behind `servedCount` empty places, which are at most half of
  /// all.
  var users: [User?] = []
  /// The number of those that were served since empty places were removed last.
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

  /// Removes a user who waits.
  mutating func remove(_ user: User) {
    for index in servedCount..<users.count where users[index] === user {
      users.remove(at: index)
      return dropServed()
    }
  }

  /// Removes and returns the user who has waited longest.
  mutating func popFirst() -> User? {
    guard servedCount < users.count else { return nil }
    let user = users[servedCount]
    users[servedCount] = nil
    servedCount += 1
    dropServed()
    return user
  }

  /// Removes the empty places when they are more than half of all: there may be no moment at which
  /// no user waits. Fewer users are moved than were served, so serving costs O(1) on average.
  private mutating func dropServed() {
    guard servedCount > users.count / 2 else { return }
    users.removeFirst(servedCount)
    servedCount = 0
  }
}
