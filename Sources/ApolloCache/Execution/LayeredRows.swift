internal import ApolloAPI

/// The rows of a snapshot with the effects of optimistic layers in front of them.
///
/// Records that no layer affects are read from their rows, as without layers.
private final class LayeredRows: RowSnapshot {
  private let base: any RowSnapshot
  private let effects: LayerEffects

  init(_ base: any RowSnapshot, _ effects: LayerEffects) {
    self.base = base
    self.effects = effects
  }

  func load(_ key: RecordKey, into buffer: RowBuffer) throws -> RowForm? {
    effects.affects(key) ? .fields : try base.load(key, into: buffer)
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key) }
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    try effects.fields(of: key) { try base.fields(of: key, among: wanted) }
  }

  func shape(numbered number: Int64) throws -> RecordShape { try base.shape(numbered: number) }
  func shape(written bytes: UnsafeRawBufferPointer) -> RecordShape? { base.shape(written: bytes) }
  func remember(_ shape: RecordShape, written bytes: UnsafeRawBufferPointer) {
    base.remember(shape, written: bytes)
  }

  var isStable: Bool { base.isStable }
  var version: UInt64? { base.version }

  var keepsWrites: Bool { base.keepsWrites }
  func writes(of key: RecordKey, among fields: [FieldKey]) throws -> [FieldKey: WriteID] {
    try base.writes(of: key, among: fields)
  }
  func facts(about write: WriteID) throws -> WriteFacts? { try base.facts(about: write) }
}

extension RowSnapshot {
  package func showing(_ effects: LayerEffects) -> any StoreSnapshot {
    LayeredRows(self, effects)
  }
}
