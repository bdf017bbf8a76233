import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runScript } from '../process.ts'
import type { Cloud } from './cloud.ts'

const REROUTE = new URL('reroute.mjs', import.meta.url)

/** A file of the deployment. */
export const read = ({ folder }: Cloud, name: string) => readFileSync(join(folder, name), 'utf8')

export const secretsOf = (cloud: Cloud): Record<string, string> => JSON.parse(read(cloud, 'secrets.json'))

/** The secrets that a Worker was deployed with. */
export const deployedSecrets = ({ cloudflare }: Cloud, worker: string): Record<string, string> =>
  cloudflare.scripts.get(`agentcred-${worker}`)?.secrets ?? {}

/** Runs a script on the fakes as an operator would; it repeats no secret. @returns what it said */
export async function runOn(cloud: Cloud, name: string, args: string[], code = 0): Promise<string> {
  const script = runScript(name, args, {
    ...cloud.env,
    NODE_OPTIONS: `--import ${REROUTE}`,
    REROUTE_TO: `${cloud.origin}/service`,
  })
  expect(await script.ended, script.output()).toBe(code)
  for (const secret of Object.values(secretsOf(cloud))) expect(script.output()).not.toContain(secret)
  return script.output()
}
