// Adds a box that searches the reference. Matches in titles come first, then in summaries, then in texts.
// Without scripts there is no box, and everything is visible.
const nav = document.querySelector('nav')
const box = document.createElement('input')
box.type = 'search'
box.placeholder = 'Search'
box.setAttribute('aria-label', 'Search by words')
const count = document.createElement('output')
const results = document.createElement('ul')
nav.querySelector('strong').after(box, count, results)

const lists = [...nav.querySelectorAll('ul')].filter((list) => list !== results)
const entries = lists.flatMap((list) =>
  [...list.children].map((item) => {
    const section = document.getElementById(item.firstElementChild.hash.slice(1))
    const texts = [item, section.querySelector('strong'), section]
    return { item, list, section, texts: texts.map((part) => part?.textContent.toLowerCase() ?? '') }
  }),
)

/** Returns the sum of the words' ranks; less is better. Undefined if a word is missing. */
function rankOf({ texts }, words) {
  const places = words.map((word) => texts.findIndex((text) => text.includes(word)))
  return places.includes(-1) ? undefined : places.reduce((sum, place) => sum + place, 0)
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = entries.map((entry) => ({ ...entry, rank: rankOf(entry, words) }))
  const found = ranked.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank - b.rank)
  for (const { item, list, section, rank } of ranked) {
    item.hidden = section.hidden = rank === undefined
    list.append(item)
  }
  if (words.length > 0) results.append(...found.map(({ item }) => item))
  for (const list of lists) list.hidden = list.previousElementSibling.hidden = words.length > 0
  count.textContent = words.length > 0 ? `${found.length} of ${entries.length}` : ''
}
box.addEventListener('input', search)
// A link may lead to a hidden part.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1))
  if (!target?.hidden) return
  box.value = ''
  search()
  target.scrollIntoView()
})
