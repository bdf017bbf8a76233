import type { Answer } from '../client.ts'

const PATIENCE_MS = 30_000
const GLANCE_MS = 200

/** Begins a part of the story. */
export const heading = (text: string) => console.log(`\n== ${text}`)

/** Shows a value under the step that gave it. */
export const show = (value: unknown) => console.log(`     ${JSON.stringify(value)}`)

/** Says how to see what this run left out. */
export const hint = (text: string) => console.log(`     (${text})`)

/**
 * Tells a request and returns its answer's body.
 * @throws Error when the status is another
 */
export async function expect(
  status: number,
  step: string,
  answer: Answer | Promise<Answer>,
): Promise<Answer['body']> {
  const { status: got, body } = await answer
  console.log(`  ${got === status ? 'ok' : 'NO'} ${got}  ${step}`)
  if (got !== status) throw new Error(`expected ${status}: ${JSON.stringify(body)}`)
  return body
}

/**
 * Waits for what happens by itself.
 * @throws Error when it has not within 30 seconds
 */
export async function until(step: string, happened: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    if (await happened()) return console.log(`  ok      ${step}`)
    await new Promise((resolve) => setTimeout(resolve, GLANCE_MS))
  }
  throw new Error(`this has not happened: ${step}`)
}
