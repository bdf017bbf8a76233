import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from './action.ts'
import { Button } from './button.tsx'
import { takeFocus } from './focus.ts'
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
            {/* The button that had the focus is gone. */}
            <button type="button" ref={takeFocus} onClick={() => !isBusy && setAsking(false)}>
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
