import { expect, it } from 'vitest'
import { amountForms, amountNames, otherAmountInputs } from '../../support/amount-fields.ts'

/** The input of AmountField, and numbers that are no amounts. */
const OTHERS = [
  'lib/console/kit/inputs.tsx (no label)',
  'lib/console/views/agents/hire.tsx Period in days',
  'lib/console/views/market.tsx 0 to 100',
  'lib/console/views/vault/vault.tsx Stake number',
]

const inputs = (text: string) => otherAmountInputs([{ path: 'lib/console/x.tsx', text: `const X = ${text}` }])

it('finds one kind of input for all amounts in the console', () => {
  expect(otherAmountInputs().sort()).toEqual(OTHERS)
})

it.each([
  '<input type="number" name="count" />',
  '<TextField name="count" label="Tokens" inputMode="numeric" value={value} change={change} />',
  '<TextField {...field("x")} name="capturedValue" label="Value" value={value} change={change} />',
  "<TextField {...field('feeAmount')} label='Charge' />",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code of a form
  '<TextField name={`prices.${index}.amount`} label="Per request" />',
  '<TextField name="x" label="Refund, in CRED" />',
  '<Field name="maxRequestPrice" label="Highest">{(control) => <input {...control} />}</Field>',
])('finds an input of another kind when it takes %s', (text) => {
  expect(inputs(`<form>${text}</form>`)).toHaveLength(1)
})

it('finds no amount when the field is one of text', () => {
  expect(inputs('<form><TextField name="comment" label="Comment (optional)" /></form>')).toEqual([])
})

it('finds the form when the amount is in a part of it', () => {
  const text = `
    const Part = ({ value }) => <AmountField name="amount" />
    export function Whole() { const typed = useAmount(); return <Form><Part /></Form> }
    export const Page = () => { const it = useLoaded(); return <Whole /> }`
  expect(amountForms([{ path: 'lib/console/x.tsx', text }])).toEqual(['lib/console/x.tsx Whole'])
})

it('finds the names of amounts in the API, of parameters, bodies and lists', () => {
  const names = [...amountNames()]
  expect(names).toEqual(expect.arrayContaining(['maxRequestPrice', 'budgetLimit', 'amount', 'spendLimit']))
  expect(names).not.toContain('limit')
})
