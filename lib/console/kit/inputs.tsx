import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { amountOf, amountText, amountWords, CRED, type Reading, readAmount, type Unit } from './amounts.ts'
import { Field, useFieldError } from './form.tsx'

type Common = {
  /** The path of the field in the errors of the service, such as `budgetLimit`. */
  name: string
  label: string
  hint?: ComponentChildren
  /** What is wrong with the value, and what to enter. */
  problem?: string | undefined
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

/** A text of several lines. */
export const LinesField = ({
  value,
  change,
  rows = 4,
  ...field
}: Common & { value: string; change: (value: string) => void; rows?: number }) => (
  <Field {...field}>
    {(control) => (
      <textarea
        {...control}
        rows={rows}
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
 * two amounts, the visitor chooses one, which becomes the text. Its form is sent only with a clear amount.
 * @param min the smallest amount, in the smallest part of the unit
 * @param isRequired whether it must not be empty
 * @param problem what is wrong with a clear amount: shown at once
 */
export function AmountField({
  value,
  change,
  unit = CRED,
  min = 0n,
  isRequired = false,
  problem,
  ...field
}: Common & {
  value: string
  change: (value: string) => void
  unit?: Unit
  min?: bigint
  isRequired?: boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  const reading = readAmount(value, unit)
  const refused = refusalOf(reading, { unit, min, problem })
  const choose = (amount: bigint) => {
    change(amountText(amount, unit))
    input.current?.focus()
  }
  return (
    <Field
      {...field}
      unit={unit}
      problem={isRequired && reading.state === 'empty' ? 'Enter an amount.' : undefined}
      isRefused={refused !== undefined || reading.state === 'ambiguous'}
    >
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
            aria-invalid={refused !== undefined || control['aria-invalid']}
            onInput={(event) => change(event.currentTarget.value)}
          />
          <p id={`${id}-amount`} class="small" role="status">
            {reading.state === 'clear' && `= ${amountWords(reading.amount, unit)}`}
            {refused && <span class="bad"> {refused}</span>}
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

/** Returns why an amount that is not ambiguous can't be sent. */
function refusalOf(
  reading: Reading,
  { unit, min, problem }: { unit: Unit; min: bigint; problem: string | undefined },
): string | undefined {
  if (reading.state === 'wrong') return reading.error
  if (reading.state !== 'clear') return undefined
  if (reading.amount >= min) return problem
  return min === 1n ? 'Enter an amount above 0.' : `Enter at least ${amountWords(min, unit)}.`
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
  problem,
  value,
  change,
}: {
  name: string
  label: string
  problem?: string | undefined
  choices: readonly Choice[]
  labelOf?: (choice: Choice) => string
  pageSize?: number
  value: readonly Choice[]
  change: (value: Choice[]) => void
}) {
  const { error } = useFieldError(name, label, { problem })
  const [initial] = useState(value)
  const [pages, setPages] = useState(1)
  const id = useId()
  const shown = choices.filter((choice, index) => index < pages * pageSize || initial.includes(choice))
  return (
    <fieldset
      data-invalid={error === undefined ? undefined : true}
      aria-describedby={error === undefined ? undefined : id}
    >
      <legend>{label}</legend>
      {error !== undefined && (
        <p id={id} class="small">
          <strong class="bad">{error}</strong>
        </p>
      )}
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
    </fieldset>
  )
}
