import type { Answer, Body, Call } from './service.ts'

/** A registration that is valid as it is. */
export const registration = (changes: Body = {}): Body => ({
  name: 'Test agent',
  agentType: 'autonomous',
  supportedLayers: [1, 10, 17],
  ...changes,
})

/** Registers an agent and returns its fields. */
export async function register(call: Call, changes: Body = {}): Promise<Body & { id: string }> {
  const answer = await call('POST', '/agents/register', { body: registration(changes) })
  if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`)
  return answer.body as Body & { id: string }
}

/** The refused fields of an answer. */
export const refusedPaths = (answer: Answer): string[] =>
  ((answer.body.errors ?? []) as { path: string }[]).map(({ path }) => path)
