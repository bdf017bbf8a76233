import { useState } from 'preact/hooks'
import { useFieldError } from './form.tsx'

/** A box to tick. */
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
 * Several boxes under one heading: what is ticked is the value.
 * @param words what a choice is called; itself unless given
 * @param most so many are shown at first, beside those that are ticked
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
      <div class={typeof choices[0] === 'number' ? 'boxes' : 'boxes words'}>
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
