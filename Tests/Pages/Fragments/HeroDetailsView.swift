// swift-format-ignore-file

import Apollo

/// The conversions of the page.
struct HeroesAsDetails {
  let hero: HeroDetails
  let friends: [HeroDetails]

  init(_ data: HeroAndFriendsQuery.Data) {
    let hero: HeroDetails = data.hero.fragments.heroDetails
    let friends: [HeroDetails] = data.hero.friends.map { $0.fragments.heroDetails }
    self.hero = hero
    self.friends = friends
  }
}

/// The fields that every character has, and those of one type.
struct HeroOfEpisode {
  let name: String
  let primaryFunction: String?

  init(_ data: HeroOfEpisodeQuery.Data) {
    let name: String = data.hero.name
    // The page says `String`; there is no value for a hero that is no droid.
    let primaryFunction: String? = data.hero.asDroid?.primaryFunction
    self.name = name
    self.primaryFunction = primaryFunction
  }
}

struct HeroDetailsListView : View {
  let data: HeroAndFriendsQuery.Data

  var body: some View {
    VStack {
      HeroDetailsView(hero: data.hero.fragments.heroDetails)
      for friend in data.hero.friends {
        HeroDetailsView(hero: friend.fragments.heroDetails)
      }
    }
  }
}

struct HeroDetailsView : View {
  let hero: HeroDetails

  var body: some View {
    HStack {
      Text(hero.name)
      Text(hero.appearsIn.description)
    }
  }
}
