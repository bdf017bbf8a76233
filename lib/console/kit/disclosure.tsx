import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { useAction } from './form.tsx'
import { Failure } from './loaded.tsx'

/** Content that is loaded when it is opened. */
export function Disclosure({ summary, children }: { summary: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}

/** Takes the focus, since the button that had it is gone. */
const focus = (element: HTMLElement | null) => element?.focus()

/** A button for an action that can't be taken back: it asks first, in its place. */
export function Confirmed({
  label,
  question,
  action,
}: {
  label: string
  /** What will happen. */
  question: string
  action: () => Promise<void>
}) {
  const [isAsking, setAsking] = useState(false)
  const { isBusy, error, run } = useAction(async () => {
    await action()
    setAsking(false)
  })
  return (
    <>
      {isAsking ? (
        <fieldset class="notice">
          <legend class="visually-hidden">{label}</legend>
          <p>{question}</p>
          <div class="row">
            <Button class="primary" isBusy={isBusy} onClick={run}>
              {label}
            </Button>
            <button type="button" ref={focus} onClick={() => !isBusy && setAsking(false)}>
              Cancel
            </button>
          </div>
        </fieldset>
      ) : (
        <button type="button" onClick={() => setAsking(true)}>
          {label}…
        </button>
      )}
      {error && <Failure error={error} />}
    </>
  )
}
