import { runWrangler } from '../deploy/run.ts'
import { CALLS_OF_WRANGLER } from '../deploy/wrangler.ts'
import { faultOf } from '../setup/faults.ts'
import type { Journal } from './journal.ts'
import { isAlone } from './versions.ts'
import type { Work } from './work.ts'

/** The configuration of the Workers before, while their triggers are deployed. */
const BEFORE = 'before.json'

/**
 * Promotes the recorded versions again, the last promoted first, which takes away what was deployed at 0 %,
 * too; then deploys their triggers. @throws Fault
 */
export async function rollBack(work: Work, { before, config, triggers }: Journal): Promise<void> {
  const { folder, env, versions, timeoutMs, say } = work
  for (const { name, id } of before.toReversed()) {
    if (isAlone(await versions.shares(name), id)) continue
    await versions.deploy(name, { [id]: 100 })
    say(`back  ${name} to version ${id}`)
  }
  folder.writeJson(BEFORE, config)
  try {
    for (const group of triggers)
      await runWrangler(
        folder,
        { deployment: folder.deployment() },
        ['triggers', 'deploy'],
        group,
        { env, timeoutMs: CALLS_OF_WRANGLER * timeoutMs },
        BEFORE,
      ).catch((error) => {
        throw faultOf(error, `deploying the triggers of ${group}`, '', 'upgrade')
      })
  } finally {
    folder.remove(BEFORE)
  }
}
