import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { unconfirmedReasonOf } from '../../../lib/events/sending/verification.ts'

const challenge = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
const proof = createHash('sha256').update(challenge).digest('hex')

it.each([
  ['as it is', proof],
  ['with a line break', `${proof}\n`],
  ['in white space', `\t ${proof}\r\n\r\n`],
  ['as a JSON string', `"${proof}"`],
  ['as a JSON string with a line break', `"${proof}"\n`],
])('accepts the proof %s', (_how, text) =>
  expect(unconfirmedReasonOf(text, { challenge, proof })).toBeUndefined(),
)

it.each([
  ['empty_body', ''],
  ['empty_body', '\r\n'],
  ['empty_body', '""'],
  ['challenge_returned', challenge],
  ['challenge_returned', `"${challenge}"\n`],
  ['other_body', undefined],
  ['other_body', 'ok'],
  ['other_body', proof.toUpperCase()],
  ['other_body', `"${proof}`],
  ['other_body', `${proof} ${proof}`],
  ['other_body', `{"proof":"${proof}"}`],
  ['other_body', proof.slice(1)],
])('says %s of %j', (reason, text) => expect(unconfirmedReasonOf(text, { challenge, proof })).toBe(reason))
