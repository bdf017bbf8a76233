/** Gives an element the focus when it appears, and so brings it into view; as the `ref` of the element. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()

/** Elements that may take the focus when a part of them is gone. */
const KEEPERS = 'li, section, fieldset, dialog, main'

/**
 * Keeps the keyboard's place. When the focused element is removed, the nearest part of the page around it
 * that is left gets the focus. A new view may take it afterwards.
 */
export function keepFocus(): void {
  let path: Element[] = []
  addEventListener('focusin', (event) => {
    path = event.composedPath().filter((target) => target instanceof Element)
  })
  new MutationObserver(() => {
    if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
    const left = path.find((element) => element.isConnected)?.closest<HTMLElement>(KEEPERS)
    path = []
    if (!left) return
    if (!left.hasAttribute('tabindex')) {
      left.tabIndex = -1
      left.addEventListener('blur', () => left.removeAttribute('tabindex'), { once: true })
    }
    left.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
