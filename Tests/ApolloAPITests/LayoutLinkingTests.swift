import ApolloAPI
import Testing

struct LayoutLinkingTests {
  private func heroLayout(_ typename: String?, withFriends: Bool = true) -> ObjectLayout {
    let query = StarWarsAPI.HeroQuery(episode: .case(.jedi), withFriends: withFriends)
    let layout = StarWarsAPI.HeroQuery.Data.__layout
    let plan = layout.plan(
      schema: StarWarsAPI.SchemaMetadata.self, variables: query.__variables)
    let root = plan.place(for: [layout]).layout(forTypename: nil)
    return root.fields[0].place!.layout(forTypename: typename)
  }

  @Test(arguments: [
    ("Human", true, ["__typename", "name", "id", "appearsIn", "friends", "metres"]),
    ("Droid", true, ["__typename", "name", "id", "appearsIn", "primaryFunction", "friends", "metres"]),
    ("Droid", false, ["__typename", "name", "id", "appearsIn", "primaryFunction", "metres"]),
    ("Ewok", true, ["__typename", "name", "id", "appearsIn", "friends", "metres"]),
  ])
  func mergesWhatAppliesToATypeInTheOrderServersAnswer(
    typename: String, withFriends: Bool, keys: [String]
  ) {
    let layout = heroLayout(typename, withFriends: withFriends)
    #expect(layout.fields.map(\.responseKey) == keys)
    #expect(layout.fulfils(StarWarsAPI.HeroDetails.__layout))
    #expect(layout.fulfils(StarWarsAPI.HeroQuery.Data.Hero.AsDroid.__layout) == (typename == "Droid"))
  }

  @Test func remembersLayoutsAndSharesOneAmongUnknownTypes() {
    #expect(heroLayout("Droid") === heroLayout("Droid"))
    #expect(heroLayout("Ewok") === heroLayout("Gungan"))
    #expect(heroLayout("Ewok").typename == nil)
    #expect(heroLayout("Droid") !== heroLayout("Human"))
  }
}
