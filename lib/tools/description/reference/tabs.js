// Makes tabs of the same request in several languages, and adds copy buttons. Without scripts the languages
// are one below the other.
const STORED = 'agentcred-docs-language'
const groups = [...document.querySelectorAll('.samples')].map(tabsOf)

function tabsOf(group) {
  const panels = [...group.querySelectorAll('pre')]
  const bar = document.createElement('div')
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = panels.map((panel) => {
    const { language } = panel.dataset
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.textContent = language
    tab.setAttribute('role', 'tab')
    tab.addEventListener('click', () => choose(language, tab))
    tab.addEventListener('keydown', (event) => move(event, tabs, tab))
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-label', language)
    panel.tabIndex = 0
    return tab
  })
  list.append(...tabs)
  bar.append(
    list,
    copyButton(() => panels.find(({ hidden }) => !hidden).textContent),
  )
  bar.className = 'bar'
  group.prepend(bar)
  group.classList.add('tabbed')
  return { panels, tabs }
}

/** Shows a language wherever it exists, without moving the clicked element. */
function choose(language, clicked) {
  const before = clicked?.getBoundingClientRect().top
  for (const { panels, tabs } of groups) {
    const found = panels.findIndex(({ dataset }) => dataset.language === language)
    const chosen = found === -1 ? 0 : found
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== chosen
      tabs[at].setAttribute('aria-selected', String(at === chosen))
      tabs[at].tabIndex = at === chosen ? 0 : -1
    }
  }
  if (!clicked) return
  scrollBy(0, clicked.getBoundingClientRect().top - before)
  remember(language)
}

/** Moves between tabs by the arrow keys. */
function move(event, tabs, tab) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length)
  next.click()
  next.focus()
}

function copyButton(textOf) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(textOf())
    button.textContent = 'Copied'
    button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true })
  })
  return button
}

// A browser may refuse to store.
function remember(language) {
  try {
    localStorage.setItem(STORED, language)
  } catch {}
}
function remembered() {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

for (const pre of document.querySelectorAll('pre:not(.samples pre)')) {
  const box = document.createElement('div')
  box.className = 'copied'
  pre.before(box)
  box.append(
    pre,
    copyButton(() => pre.textContent),
  )
}
choose(remembered() ?? 'curl')
