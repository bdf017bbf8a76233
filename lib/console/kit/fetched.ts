import { AgentCredError } from '../../client/index.ts'

/**
 * Asks for the text of what the client has no operation for: a public file.
 * @returns undefined where there is none
 * @throws AgentCredError
 */
export async function fetchText(url: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, signal ? { signal } : {})
    text = await answer.text()
  } catch (cause) {
    throw new AgentCredError('unreachable', `${url} did not answer`, { cause })
  }
  if (answer.status === 404) return undefined
  if (answer.ok) return text
  throw new AgentCredError('unexpected_answer', `${url} answered ${answer.status}`, { status: answer.status })
}
