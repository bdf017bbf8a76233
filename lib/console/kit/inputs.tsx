import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCred, parseCred } from '../../client/index.ts'
import { MAX_AMOUNT } from './amounts.ts'
import { Field, useFieldError } from './form.tsx'

type Common = {
  /** The path of the field in the errors of the service, such as `budgetLimit`. */
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

/**
 * A select of one value.
 * @param choices the label of each value
 */
export const SelectField = <Value extends string>({
  value,
  change,
  choices,
  ...field
}: Common & { value: Value; change: (value: Value) => void; choices: Readonly<Record<Value, string>> }) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => change(event.currentTarget.value as Value)}>
        {(Object.entries(choices) as [Value, string][]).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** The text of an amount's field, and its amount in base units; undefined if the text is not a valid amount. */
type Typed = { text: string; amount: bigint | undefined }

/** The state of an amount's field. `change` sets the text. */
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
 * Checkboxes under one heading: the ticked choices are the value.
 * @param labelOf returns the label of a choice; by default the choice itself
 * @param pageSize how many choices are shown at first, and added by each "Show more"; by default all. Choices
 *   that are ticked at first are always shown
 */
export function ChecksField<Choice extends number | string>({
  name,
  label,
  choices,
  labelOf = String,
  pageSize = Number.POSITIVE_INFINITY,
  value,
  change,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  labelOf?: (choice: Choice) => string
  pageSize?: number
  value: readonly Choice[]
  change: (value: Choice[]) => void
}) {
  const error = useFieldError(name)
  const [initial] = useState(value)
  const [pages, setPages] = useState(1)
  const shown = choices.filter((choice, index) => index < pages * pageSize || initial.includes(choice))
  return (
    <fieldset>
      <legend>{label}</legend>
      {/* Numbers stand in rows, words in columns. */}
      <div class={labelOf === String && typeof choices[0] === 'number' ? 'boxes' : 'boxes words'}>
        {shown.map((choice) => (
          <CheckField
            key={choice}
            label={labelOf(choice)}
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
