/// An object, nothing, or a list of such: what a field with a selection set can hold.
package enum ObjectTree {
  case null
  case object(ResponseObject)
  case list([ObjectTree])
}
