import { AgentCredError } from '../../client/index.ts'

const TIMEOUT_MS = 30_000
const POLL_MS = 200

/** Prints the title of a part. */
export const heading = (text: string) => console.log(`\n== ${text}`)

/** Prints a value below the step that returned it. */
export const show = (value: unknown) =>
  console.log(
    `     ${JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part))}`,
  )

/** Prints how to see a step that this run left out. */
export const hint = (text: string) => console.log(`     (${text})`)

/**
 * Prints that a step succeeded, and returns its answer.
 * @throws AgentCredError if the service refuses it
 */
export async function step<T>(name: string, answer: Promise<T>): Promise<T> {
  const body = await answer.catch((error: unknown) => {
    console.log(`  NO      ${name}`)
    throw error
  })
  console.log(`  ok      ${name}`)
  return body
}

/**
 * Prints that the service or the client refuses a step, and returns the error.
 * @throws Error if none does, or the refusal has another code
 */
export async function refused(code: string, name: string, answer: Promise<unknown>): Promise<AgentCredError> {
  const error = await answer.then(
    (body) => new Error(`expected ${code}, but it succeeded: ${JSON.stringify(body)}`),
    (error: unknown) => error,
  )
  const isExpected = error instanceof AgentCredError && error.code === code
  console.log(
    `  ${isExpected ? 'ok' : 'NO'} ${(error instanceof AgentCredError && error.status) || '   '}  ${name}`,
  )
  if (!isExpected) throw error
  return error
}

/**
 * Waits until a background job is done.
 * @throws Error after 30 seconds
 */
export async function until(name: string, happened: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + TIMEOUT_MS
  while (Date.now() < end) {
    if (await happened()) return console.log(`  ok      ${name}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`this did not happen in time: ${name}`)
}
