/// The value of a field with a selection set: an object, null, or a list of these.
package enum ObjectTree {
  case null
  case object(ResponseObject)
  case list([ObjectTree])
}
