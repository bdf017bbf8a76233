import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCred, parseCred } from '../../client/index.ts'
import { MAX_AMOUNT } from './amounts.ts'
import { Field, useFieldError } from './form.tsx'

type Common = {
  /** The path by which the service names it. */
  name: string
  label: string
  hint?: ComponentChildren
}

/** A line of text. */
export const TextField = ({
  value,
  change,
  inputMode = 'text',
  ...field
}: Common & { value: string; change: (value: string) => void; inputMode?: 'text' | 'url' | 'numeric' }) => (
  <Field {...field}>
    {(control) => (
      <input
        {...control}
        inputMode={inputMode}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  </Field>
)

/** One of a few values, each shown by its words. */
export const SelectField = <Value extends string>({
  value,
  change,
  choices,
  ...field
}: Common & { value: Value; change: (value: Value) => void; choices: Readonly<Record<Value, string>> }) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => change(event.currentTarget.value as Value)}>
        {(Object.entries(choices) as [Value, string][]).map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** What an amount's field holds: the text as typed, and the base units that it means, if it means any. */
type Typed = { text: string; amount: bigint | undefined }

/** The state of an amount's field. */
export function useAmount(start = '') {
  const [text, change] = useState(start)
  const parsed = parseCred(text)
  const typed: Typed = { text, amount: parsed !== undefined && parsed <= MAX_AMOUNT ? parsed : undefined }
  return { typed, change }
}

/** Takes an amount in CRED, and shows at once when the text is not a valid amount. */
export const AmountField = ({
  typed: { text, amount },
  change,
  hint,
  ...field
}: Common & { typed: Typed; change: (text: string) => void }) => {
  const isWrong = text.trim() !== '' && amount === undefined
  const wrong = `Enter a number such as 1,500.25, up to ${formatCred(MAX_AMOUNT)}, with at most nine decimals.`
  return (
    <Field {...field} hint={isWrong ? <span class="bad">{wrong}</span> : hint}>
      {(control) => (
        <input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          aria-invalid={isWrong || control['aria-invalid']}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A checkbox. */
export const CheckField = ({
  isChecked,
  change,
  label,
}: {
  isChecked: boolean
  change: (isChecked: boolean) => void
  label: string
}) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={(event) => change(event.currentTarget.checked)} />
    {label}
  </label>
)

/**
 * Several boxes under one heading: the ticked choices are the value.
 * @param words the label of a choice; itself unless given
 * @param most so many choices are shown at first, beside the ticked ones
 */
export function ChecksField<Choice extends number | string>({
  name,
  label,
  choices,
  words = String,
  most = Number.POSITIVE_INFINITY,
  value,
  change,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  words?: (choice: Choice) => string
  most?: number
  value: readonly Choice[]
  change: (value: Choice[]) => void
}) {
  const error = useFieldError(name)
  const [first] = useState(value)
  const [pages, setPages] = useState(1)
  const shown = choices.filter((choice, place) => place < pages * most || first.includes(choice))
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class={words === String && typeof choices[0] === 'number' ? 'boxes' : 'boxes words'}>
        {shown.map((choice) => (
          <CheckField
            key={choice}
            label={words(choice)}
            isChecked={value.includes(choice)}
            change={(isChecked) =>
              change(isChecked ? [...value, choice] : value.filter((one) => one !== choice))
            }
          />
        ))}
      </div>
      {shown.length < choices.length && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          Show more
        </button>
      )}
      {error !== undefined && (
        <p class="small">
          <strong class="bad">{error}</strong>
        </p>
      )}
    </fieldset>
  )
}
