import type { DeploymentFolder } from '../deploy/deployment.ts'
import { CommandError, commandErrorOf } from './errors.ts'

/**
 * The keys of the things that were begun, and the ids by key of those that were made. After a kill the next
 * run goes on from it.
 */
export type Journal = { begun: string[]; made: Record<string, string> }

export const SETUP = 'setup.json'

/** Returns the journal's key of a Worker, which is recorded before its upload. `npm run destroy` reads it. */
export const workerKey = (name: string): string => `the Worker ${name}`

export type Maker = ReturnType<typeof createMaker>

/**
 * Makes things that cost money or a name, each once. It records that a thing was begun before it makes it. A
 * thing that exists without this record belongs to somebody else.
 * @param isPlan whether to make and record nothing, and only say what a run would make
 * @param file the journal's file
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
  /** Records that a thing was begun. Call it before a thing is made without `take`. */
  const begin = (key: string): void => {
    if (begun.includes(key)) return
    begun.push(key)
    write()
  }
  /**
   * Returns the thing that this deployment made before, or makes and records it.
   * @returns its id; in a plan undefined if the thing would be made
   * @throws CommandError if the thing exists and this deployment did not make it, or if a call fails
   */
  async function take(thing: {
    /**
     * Its name in messages, and its key in the journal, which destroy reads: for example "the queue
     * agentcred-deliveries".
     */
    what: string
    /** Returns the id of the thing with this name; undefined if there is none. */
    find: () => Promise<string | undefined>
    /** Makes the thing, and returns its id. */
    make: () => Promise<string>
    /** The token's permission that `find` and `make` need, for error messages. */
    permission?: string
    /** What to do if it belongs to somebody else. */
    otherwise: string
  }): Promise<string | undefined> {
    const { what, find, make, permission, otherwise } = thing
    const found = await find().catch((error) => {
      throw commandErrorOf(error, `looking for ${what}`, permission)
    })
    const known = made[what]
    if (found !== undefined && known !== undefined && known !== found)
      throw new CommandError(`${upper(what)} is not the one that this deployment made: ${otherwise}`)
    if (found !== undefined && !begun.includes(what))
      throw new CommandError(
        `${upper(what)} already exists, and this deployment did not make it: ${otherwise}`,
      )
    if (found === undefined && known !== undefined)
      say(`${upper(what)} was deleted; it is made again, empty.`)
    if (isPlan) {
      say(`${found === undefined ? 'make ' : 'keep '} ${what}`)
      return found
    }
    begin(what)
    // The call may have made it although its answer was lost.
    const id =
      found ??
      (await make().catch(async (error) => {
        const late = await find().catch(() => undefined)
        if (late !== undefined) return late
        throw commandErrorOf(error, `making ${what}`, permission)
      }))
    made[what] = id
    write()
    say(`${found === undefined ? 'made ' : 'kept '} ${what}`)
    return id
  }
  return { take, begin, wasBegun: (key: string) => begun.includes(key), say }
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
