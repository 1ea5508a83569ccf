internal import ApolloAPI
internal import ApolloCache

/// The names of the keys of one scope.
///
/// | key | value |
/// | :-- | :-- |
/// | `apollo:<schema>:{<scope>}:m` | the epoch and the version, as text |
/// | `apollo:<schema>:{<scope>}:r:<epoch>:<record>` | a record |
/// | `apollo:<schema>:{<scope>}:f:<epoch>:<root>:<field>` | a field of a root |
/// | `apollo:<schema>:{<scope>}:i:<epoch>:<root>` | the set of the fields of a root, and an empty text if it has all of them |
/// | `apollo:<schema>:{<scope>}:s:<number>` | the fields of a shape |
/// | `apollo:<schema>:{<scope>}:c` | the channel of changes in database 0. In others it is `c.<database>`, because the databases of a server share their channels |
///
/// A scope that is spread over a cluster has ``partitionCount`` parts, each with a hash tag of its
/// own: `{<scope>.7}`.
struct KeySpace: Sendable {
  let partitionCount: Int
  private let prefix: String
  private let scope: String
  /// The number of the server's database.
  private let database: Int
  /// The hash slot of each partition.
  let slots: [UInt16]

  /// The number of partitions of a scope that is spread. It is part of the stored form.
  static let spreadCount = 64

  init(schema: String, scope: String, isSpread: Bool, database: Int = 0) {
    self.database = database
    partitionCount = isSpread ? Self.spreadCount : 1
    prefix = "apollo:\(Self.escaped(schema)):"
    self.scope = Self.escaped(scope)
    let scope = self.scope
    slots = (0..<partitionCount).map { HashSlot.of((isSpread ? "\(scope).\($0)" : scope).utf8) }
  }

  /// Replaces all but letters, digits, `-` and `_`, so that different names give different keys.
  private static func escaped(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private func base(_ partition: Int) -> String {
    partitionCount == 1 ? "\(prefix){\(scope)}" : "\(prefix){\(scope).\(partition)}"
  }

  /// Returns the partition of a cell.
  func partition(of cell: Cell) -> Int {
    guard partitionCount > 1 else { return 0 }
    let hash =
      switch cell {
      case .record(let key): key.identity.withBytes(HashSlot.crc16)
      case .field(_, let field): HashSlot.crc16(field.rawValue.utf8)
      }
    return Int(hash) % partitionCount
  }

  func meta(_ partition: Int) -> [UInt8] { Array("\(base(partition)):m".utf8) }

  func shape(_ number: Int64, _ partition: Int) -> [UInt8] {
    Array("\(base(partition)):s:\(String(UInt64(bitPattern: number), radix: 16))".utf8)
  }

  /// The one channel of the scope.
  var channel: [UInt8] {
    let suffix = database == 0 ? "" : ".\(database)"
    return Array("\(prefix){\(scope)}:c\(suffix)".utf8)
  }

  func key(of cell: Cell, _ epoch: String, _ partition: Int) -> [UInt8] {
    switch cell {
    case .record(let key): recordPrefix(epoch, partition) + key.identity.withBytes(Array.init)
    case .field(let root, let field):
      fieldPrefix(root, epoch, partition) + Array(field.rawValue.utf8)
    }
  }

  /// Returns the keys of many cells.
  func keys(of cells: [Cell], _ epoch: String, _ partition: Int) -> [[UInt8]] {
    let recordPrefix = recordPrefix(epoch, partition)
    return cells.map { cell in
      guard case .record(let key) = cell else { return self.key(of: cell, epoch, partition) }
      return key.identity.withBytes { bytes in
        [UInt8](unsafeUninitializedCapacity: recordPrefix.count + bytes.count) { buffer, count in
          _ = buffer.initialize(from: recordPrefix)
          _ = UnsafeMutableBufferPointer(rebasing: buffer[recordPrefix.count...])
            .initialize(from: bytes)
          count = recordPrefix.count + bytes.count
        }
      }
    }
  }

  /// The index of the fields of a root.
  func index(of root: RecordKey, _ epoch: String, _ partition: Int) -> [UInt8] {
    Array("\(base(partition)):i:\(epoch):\(root.rawValue)".utf8)
  }

  /// The keys of all cells and indices, of whichever epoch, begin with one of these and the epoch.
  func prefixesOfEpochs(_ partition: Int) -> [[UInt8]] {
    ["r", "f", "i"].map { Array("\(base(partition)):\($0):".utf8) }
  }

  /// All keys of a partition begin with this.
  func prefix(_ partition: Int) -> [UInt8] { Array("\(base(partition)):".utf8) }

  /// The keys of all records begin with this.
  func recordPrefix(_ epoch: String, _ partition: Int) -> [UInt8] {
    Array("\(base(partition)):r:\(epoch):".utf8)
  }

  /// The keys of all fields of a root begin with this.
  func fieldPrefix(_ root: RecordKey, _ epoch: String, _ partition: Int) -> [UInt8] {
    Array("\(base(partition)):f:\(epoch):\(root.rawValue):".utf8)
  }
}
