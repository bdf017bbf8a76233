import type { DeploymentFolder } from '../deploy/deployment.ts'
import { CommandError, commandErrorOf } from './errors.ts'

/** What setup has begun. After a kill the next run goes on from it. */
export type Journal = {
  /** The options of the runs before deployment.json was written, which replaces them. */
  options?: KeptOptions | undefined
  /** The keys of the things that were begun. */
  begun: string[]
  /** The ids of the things that were made, by key. */
  made: Record<string, string>
}

/** Options as on the command line, by name. */
export type KeptOptions = Record<string, string | string[]>

export const SETUP = 'setup.json'

/** @returns an empty journal if there is none */
export const readJournal = (folder: DeploymentFolder, file = SETUP): Journal => ({
  begun: [],
  made: {},
  ...(folder.read(file) as Partial<Journal> | undefined),
})

/** Entries of a journal without options that have the deployment's name. */
const NAMED = /^the (?:KV namespace (.+)-nonces|Neon project (.+))$/

/** Returns the name of the deployment that was begun; undefined if nothing was. */
export function nameIn({ options, begun }: Journal): string | undefined {
  if (options) return String(options.name)
  return begun.flatMap((key) => NAMED.exec(key)?.slice(1).find(Boolean) ?? [])[0]
}

/** Returns the journal's key of a deployment's project at Neon. */
export const projectKey = (name: string): string => `the Neon project ${name}`

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
  const journal = readJournal(folder, file)
  const { begun, made } = journal
  const write = () => folder.writeJson(file, journal)
  /** Records that a thing was begun. Call it before a thing is made without `take`. */
  const begin = (key: string): void => {
    if (begun.includes(key)) return
    begun.push(key)
    write()
  }
  /** @throws CommandError if a thing that exists was not begun here. It names the way out. */
  const requireBegun = (what: string, otherwise: string): void => {
    if (begun.includes(what)) return
    throw new CommandError(`${upper(what)} already exists, and this deployment did not make it: ${otherwise}`)
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
    if (found !== undefined) requireBegun(what, otherwise)
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
  return {
    take,
    begin,
    requireBegun,
    wasBegun: (key: string) => begun.includes(key),
    /** Returns the id of a thing that was made. */
    idOf: (key: string): string | undefined => made[key],
    /** Keeps the options of a first setup for its next run. @param options undefined to forget them */
    keepOptions(options: KeptOptions | undefined): void {
      if (isPlan || options === journal.options) return
      journal.options = options
      write()
    },
    say,
  }
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
