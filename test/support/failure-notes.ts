import { onTestFailed } from 'vitest'

/** Adds a note to the error of the test that runs, if it fails. Outside of a test it prints the note. */
export function noteOnFailure(note: () => Promise<string> | string): void {
  try {
    onTestFailed(async ({ task }) => {
      const [error] = task.result?.errors ?? []
      if (error) error.message += `\n${await note()}`
    })
  } catch {
    void Promise.resolve(note()).then(console.error, console.error)
  }
}
