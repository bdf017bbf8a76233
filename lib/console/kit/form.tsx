import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import type { AgentCredError } from '../../client/index.ts'
import { Button } from './button.tsx'
import { Failure } from './loaded.tsx'
import { errorOf } from './query.ts'

/** The service's errors about the fields of the surrounding form, by path. */
const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map())

/**
 * A form whose action runs once at a time. What the service refuses stands at the field that it names; all
 * else, above the button.
 */
export function Form({
  action,
  label,
  beside,
  children,
  isDisabled = false,
}: {
  action: () => Promise<void>
  /** The button's words. */
  label: string
  /** Shown at the right of the button. */
  beside?: ComponentChildren
  isDisabled?: boolean
  children: ComponentChildren
}) {
  const { isBusy, error, run } = useAction(action)
  const byPath = new Map(error?.errors.map(({ path, message }) => [path, message]))
  const button = (
    <Button type="submit" class="primary" isBusy={isBusy} isDisabled={isDisabled}>
      {label}
    </Button>
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <FieldErrors.Provider value={byPath}>{children}</FieldErrors.Provider>
      {error && <Failure error={error} />}
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

/** Runs an action once at a time, and keeps its error. */
export function useAction(action: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<AgentCredError>()
  async function run() {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, run }
}

/** Returns the service's error about a field of the surrounding form. */
export const useFieldError = (name: string): string | undefined => useContext(FieldErrors).get(name)

/**
 * A labelled field: its control gets the id that the label names, and is described by the hint and the error.
 * @param name the path by which the service names it
 */
export function Field({
  name,
  label,
  hint,
  children,
}: {
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
  const error = useFieldError(name)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== undefined })}
      <p id={`${id}-hint`} class="small">
        {error === undefined ? hint : <strong class="bad">{error}</strong>}
      </p>
    </div>
  )
}
