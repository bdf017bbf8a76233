import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAction } from './action.ts'
import { amountWords, type Unit } from './amounts.ts'
import { Button } from './button.tsx'
import { Failure } from './loaded.tsx'
import { fieldSentence } from './words.ts'

/** What a form knows of a field: whether its value must not be sent. */
type Claim = { isRefused: boolean }

/** What a field knows of its form. */
type InForm = {
  /** The service's messages by path. */
  messages: ReadonlyMap<string, string>
  /** Whether the visitor has tried to send it. */
  isPressed: boolean
  /** The fields by name. */
  fields: Map<string, Claim>
}

const Surrounding = createContext<InForm>({ messages: new Map(), isPressed: false, fields: new Map() })

/**
 * A form whose action runs once at a time. What is wrong with a field is one sentence at the field, which is
 * scrolled to and gets the focus; all else is above the button. A form with a refused field is not sent.
 */
export function Form({
  action,
  label,
  beside,
  children,
  isBusy: isBusyElsewhere = false,
  isDisabled = false,
}: {
  action: () => Promise<void>
  /** The button's words. */
  label: string
  /** Shown at the right of the button. */
  beside?: ComponentChildren
  /** Whether what the action has started goes on. */
  isBusy?: boolean
  isDisabled?: boolean
  children: ComponentChildren
}) {
  const [presses, setPresses] = useState(0)
  const { isBusy, error, run, clear } = useAction(async () => {
    await action()
    setPresses(0)
  })
  const form = useRef<HTMLFormElement>(null)
  const fields = useRef(new Map<string, Claim>()).current
  const messages = new Map(error?.errors.map(({ path, message }) => [path, message]))
  const isAtField = (path: string) => [...fields.keys()].some((name) => isWithin(path, name))
  const others = error?.errors.filter(({ path }) => !isAtField(path))
  const focusInvalid = () =>
    form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus()
  useEffect(() => {
    if (presses > 0) focusInvalid()
  }, [presses])
  useEffect(() => {
    if (error) focusInvalid()
  }, [error])
  const button = (
    <Button type="submit" class="primary" isBusy={isBusy || isBusyElsewhere} isDisabled={isDisabled}>
      {label}
    </Button>
  )
  return (
    <form
      ref={form}
      noValidate
      // An error about a value says nothing about the next value.
      onInput={() => error && clear()}
      onSubmit={(event) => {
        event.preventDefault()
        setPresses(presses + 1)
        if (![...fields.values()].some(({ isRefused }) => isRefused)) run()
      }}
    >
      <Surrounding.Provider value={{ messages, isPressed: presses > 0, fields }}>
        {children}
      </Surrounding.Provider>
      {error && (error.errors.length === 0 || others?.length !== 0) && (
        <Failure error={error} fields={others} />
      )}
      {beside ? (
        <div class="row">
          {button}
          {beside}
        </div>
      ) : (
        button
      )}
    </form>
  )
}

/** Whether a path of an error is in a field: `supportedLayers.2` is in `supportedLayers`. */
const isWithin = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`)

/** What is known of a field's value before it is sent. */
type Checked = {
  /** What is wrong with the value, and what to enter: shown once the form is sent. */
  problem?: string | undefined
  /** Whether the value is not sent for a reason that the control shows. */
  isRefused?: boolean
  /** The unit of the numbers in the service's messages. */
  unit?: Unit
}

/**
 * Returns the sentence at a field: its problem once the visitor has tried to send the form, or what the
 * service has said about it. Tells the form whether it can be sent. `isInvalid`: whether the form was not
 * sent because of this field, or the service has refused it.
 */
export function useFieldError(
  name: string,
  label: string,
  { problem, isRefused = false, unit }: Checked,
): { error: string | undefined; isInvalid: boolean } {
  const { messages, isPressed, fields } = useContext(Surrounding)
  fields.set(name, { isRefused: isRefused || problem !== undefined })
  useEffect(() => () => void fields.delete(name), [fields, name])
  if (isPressed && problem !== undefined) return { error: problem, isInvalid: true }
  const [, message] = [...messages].find(([path]) => isWithin(path, name)) ?? []
  if (message !== undefined)
    return {
      error: fieldSentence(label, message, unit && ((amount) => amountWords(amount, unit))),
      isInvalid: true,
    }
  return { error: undefined, isInvalid: isPressed && isRefused }
}

/**
 * A labelled field: its control gets the id that the label names, and is described by the hint and the error.
 * @param name the path by which the service names it
 */
export function Field({
  name,
  label,
  hint,
  children,
  ...checked
}: Checked & {
  name: string
  label: string
  hint?: ComponentChildren
  children: (control: {
    id: string
    name: string
    'aria-describedby': string
    'aria-invalid': boolean
  }) => ComponentChildren
}) {
  const id = useId()
  const { error, isInvalid } = useFieldError(name, label, checked)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, 'aria-describedby': `${id}-hint`, 'aria-invalid': isInvalid })}
      <p id={`${id}-hint`} class="small">
        {error === undefined ? hint : <strong class="bad">{error}</strong>}
      </p>
    </div>
  )
}
