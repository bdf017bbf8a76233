import type { DeploymentFolder } from '../deploy/deployment.ts'
import { Fault, faultOf } from './faults.ts'

/** What was begun and made, by key: a run that was killed leaves what the next one goes on from. */
export type Journal = { begun: string[]; made: Record<string, string> }

export const SETUP = 'setup.json'

/** How a Worker is written down before it goes up. */
export const workerKey = (name: string): string => `the Worker ${name}`

export type Maker = ReturnType<typeof createMaker>

/**
 * Makes things that cost money or names once. Before a thing is made, it is written down that it was begun:
 * one that is there without that is somebody else's.
 * @param isPlan makes nothing, and writes nothing down
 * @param file where it is written down
 */
export function createMaker(
  folder: DeploymentFolder,
  isPlan: boolean,
  say: (line: string) => void,
  file = SETUP,
) {
  const { begun, made } = {
    begun: [],
    made: {},
    ...(folder.read(file) as Partial<Journal> | undefined),
  } as Journal
  const write = () => folder.writeJson(file, { begun, made })
  const begin = (key: string): void => {
    if (begun.includes(key)) return
    begun.push(key)
    write()
  }
  /**
   * Takes the thing that was made before, or makes it.
   * @returns its id; undefined in a plan
   * @throws Fault
   */
  async function take(thing: {
    /** What it is, as in "the queue agentcred-deliveries". */
    what: string
    find: () => Promise<string | undefined>
    make: () => Promise<string>
    permission?: string
    /** What to do where it is somebody else's. */
    otherwise: string
  }): Promise<string | undefined> {
    const { what, find, make, permission, otherwise } = thing
    const found = await find().catch((error) => {
      throw faultOf(error, `looking for ${what}`, permission)
    })
    const known = made[what]
    if (found !== undefined && known !== undefined && known !== found)
      throw new Fault(`${upper(what)} is another one than this deployment made: ${otherwise}`)
    if (found !== undefined && !begun.includes(what))
      throw new Fault(`${upper(what)} is there already, and this deployment did not make it: ${otherwise}`)
    if (found === undefined && known !== undefined) say(`${upper(what)} is gone; it is made again, empty.`)
    if (isPlan) {
      say(`${found === undefined ? 'make ' : 'keep '} ${what}`)
      return found
    }
    begin(what)
    // A call whose answer was lost may have made it all the same.
    const id =
      found ??
      (await make().catch(async (error) => {
        const late = await find().catch(() => undefined)
        if (late !== undefined) return late
        throw faultOf(error, `making ${what}`, permission)
      }))
    made[what] = id
    write()
    say(`${found === undefined ? 'made ' : 'kept '} ${what}`)
    return id
  }
  return { take, begin, wasBegun: (key: string) => begun.includes(key), say }
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
