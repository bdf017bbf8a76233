import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { amountOf, amountText, amountWords, CRED, readAmount, type Unit } from './amounts.ts'
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

/**
 * The state of an amount's field, which it takes as its properties. `amount` is what the text clearly says;
 * while `isUnclear`, its form must not be sent.
 */
export function useAmount(start = '', unit = CRED) {
  const [value, change] = useState(start)
  const { state } = readAmount(value, unit)
  return {
    ...{ value, change, unit },
    amount: amountOf(value, unit),
    isEmpty: state === 'empty',
    isUnclear: state === 'ambiguous' || state === 'wrong',
  }
}

/**
 * Takes an amount. Below it stands the amount that the text says, or why it says none. If the text can mean
 * two amounts, the visitor chooses one, which becomes the text.
 */
export function AmountField({
  value,
  change,
  unit = CRED,
  ...field
}: Common & { value: string; change: (value: string) => void; unit?: Unit }) {
  const input = useRef<HTMLInputElement>(null)
  const reading = readAmount(value, unit)
  const choose = (amount: bigint) => {
    change(amountText(amount, unit))
    input.current?.focus()
  }
  return (
    <Field {...field}>
      {({ id, ...control }) => (
        <>
          <input
            {...control}
            id={id}
            ref={input}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            aria-describedby={`${id}-amount ${control['aria-describedby']}`}
            aria-invalid={reading.state === 'wrong' || control['aria-invalid']}
            onInput={(event) => change(event.currentTarget.value)}
          />
          <p id={`${id}-amount`} class="small" role="status">
            {reading.state === 'clear' && `= ${amountWords(reading.amount, unit)}`}
            {reading.state === 'wrong' && <span class="bad">{reading.error}</span>}
            {reading.state === 'ambiguous' && <strong>Which amount do you mean?</strong>}
          </p>
          {reading.state === 'ambiguous' && (
            <fieldset aria-labelledby={`${id}-amount`} class="meanings">
              {reading.amounts.map((amount) => (
                <button key={amount} type="button" onClick={() => choose(amount)}>
                  {amountWords(amount, unit)}
                </button>
              ))}
            </fieldset>
          )}
        </>
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
