import type { Answer } from '../client.ts'

const TIMEOUT_MS = 30_000
const POLL_MS = 200

/** Prints the title of a part. */
export const heading = (text: string) => console.log(`\n== ${text}`)

/** Prints a value below the step that returned it. */
export const show = (value: unknown) => console.log(`     ${JSON.stringify(value)}`)

/** Prints how to see what this run left out. */
export const hint = (text: string) => console.log(`     (${text})`)

/**
 * Prints a request's outcome and returns the body of its answer.
 * @throws Error when the status is not the expected one
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
 * Waits until something has happened in the background.
 * @throws Error when it has not happened within 30 seconds
 */
export async function until(step: string, happened: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + TIMEOUT_MS
  while (Date.now() < end) {
    if (await happened()) return console.log(`  ok      ${step}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`this has not happened: ${step}`)
}
