// Adds a box to the reference that filters its contents by words. Without script there is none, and all is shown.
const nav = document.querySelector('nav')
const box = document.createElement('input')
box.type = 'search'
box.placeholder = 'Filter'
box.setAttribute('aria-label', 'Filter by words')
const count = document.createElement('output')
nav.querySelector('strong').after(box, count)

const entries = [...nav.querySelectorAll('li')].map((item) => {
  const section = document.getElementById(item.firstElementChild.hash.slice(1))
  return {
    item,
    section,
    text: `${item.textContent} ${section.querySelector('p').textContent}`.toLowerCase(),
  }
})
const lists = [...nav.querySelectorAll('ul')]

function filter() {
  const words = box.value.toLowerCase().split(/\s+/)
  for (const { item, section, text } of entries)
    item.hidden = section.hidden = !words.every((word) => text.includes(word))
  for (const list of lists)
    list.hidden = list.previousElementSibling.hidden = list.querySelector('li:not([hidden])') === null
  count.textContent = box.value
    ? `${entries.filter(({ item }) => !item.hidden).length} of ${entries.length}`
    : ''
}
box.addEventListener('input', filter)
// A link may lead to what is filtered out.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1))
  if (!target?.hidden) return
  box.value = ''
  filter()
  target.scrollIntoView()
})
