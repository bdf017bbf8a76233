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

type Asked = {
  label: string
  /** What will happen. */
  question: string
  action: () => Promise<void>
}

/** A button for an action that can't be taken back: it asks first, in its place. */
export function Confirmed({ isPrimary = false, ...asked }: Asked & { isPrimary?: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return isAsking ? (
    <Question {...asked} close={close} />
  ) : (
    <button type="button" class={isPrimary ? 'primary' : undefined} onClick={() => setAsking(true)}>
      {asked.label}…
    </button>
  )
}

/**
 * Asks before an action that can't be taken back.
 * @param close called after the action, or if the visitor does not want it
 */
export function Question({ label, question, action, close }: Asked & { close: () => void }) {
  const { isBusy, error, run } = useAction(async () => {
    await action()
    close()
  })
  return (
    <>
      <fieldset class="notice">
        <legend class="visually-hidden">{label}</legend>
        <p>{question}</p>
        <div class="row">
          <Button class="primary" isBusy={isBusy} onClick={run}>
            {label}
          </Button>
          {/* The button that had the focus is gone. */}
          <button type="button" ref={takeFocus} onClick={() => !isBusy && close()}>
            Cancel
          </button>
        </div>
      </fieldset>
      {error && <Failure error={error} />}
    </>
  )
}
