import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useView } from '../router.ts'

/**
 * A menu of the header. It closes when the visitor presses Escape, leaves it by a click or by Tab, or opens
 * another view.
 * @param label names the button, if its content is no text
 * @param button the content of the button that opens it
 * @param children makes the content, while it is open
 */
export function Menu({
  class: className = '',
  label,
  button,
  children,
}: {
  class?: string
  label?: string
  button: ComponentChildren
  children: (isOpen: boolean) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDetailsElement>(null)
  const shown = useView()
  const close = () => {
    box.current?.removeAttribute('open')
    // The browser reports one toggle when the menu is opened again at once, which would keep the old content.
    setOpen(false)
  }
  useEffect(close, [shown])
  useEffect(() => {
    if (!isOpen) return
    // `focusin`, because Tab can move the focus out of the menu.
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) close()
    }
    for (const kind of ['pointerdown', 'focusin']) addEventListener(kind, leave)
    return () => {
      for (const kind of ['pointerdown', 'focusin']) removeEventListener(kind, leave)
    }
  }, [isOpen])
  return (
    <details
      ref={box}
      class={`menu ${className}`}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return
        close()
        currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={label}>{button}</summary>
      {children(isOpen)}
    </details>
  )
}
