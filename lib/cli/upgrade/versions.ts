import type { CloudflareClient } from '../setup/cloudflare.ts'
import { commandErrorOf } from '../setup/errors.ts'

/** The percentage of requests that each version of a Worker gets, by the version's id. */
type Shares = Record<string, number>

/** The annotation with a version's tag, by which a run finds the version that a killed run uploaded. */
const TAG = 'workers/tag'

export type Versions = ReturnType<typeof openVersions>

/**
 * Opens Workers' versions and deployments at Cloudflare.
 * @param message describes each deployment in Cloudflare's dashboard
 */
export function openVersions(client: CloudflareClient, account: string, message: string) {
  const at = (script: string, what: string) => `/accounts/${account}/workers/scripts/${script}/${what}`
  const get = async <T>(script: string, what: string): Promise<T> => {
    try {
      return (await client.get<{ result: T }>(at(script, what))).result
    } catch (error) {
      throw commandErrorOf(error, `reading the ${what} of ${script}`, 'Workers Scripts: Edit')
    }
  }
  return {
    /**
     * Returns the deployed Workers, each with the tag of its last Durable Object migration.
     * @throws CommandError
     */
    async scripts(): Promise<Map<string, string | undefined>> {
      const { result } = await client
        .get<{ result: { id: string; migration_tag?: string }[] }>(`/accounts/${account}/workers/scripts`)
        .catch((error) => {
          throw commandErrorOf(error, 'looking for the Workers', 'Workers Scripts: Edit')
        })
      return new Map(result.map(({ id, migration_tag }) => [id, migration_tag]))
    },

    /** Returns the present share of each deployed version. @throws CommandError */
    async shares(script: string): Promise<Shares> {
      type Deployments = { deployments: { versions: { version_id: string; percentage: number }[] }[] }
      const { deployments } = await get<Deployments>(script, 'deployments')
      // The first deployment in Cloudflare's list is the active one.
      const versions = deployments[0]?.versions ?? []
      return Object.fromEntries(versions.map(({ version_id, percentage }) => [version_id, percentage]))
    },

    /** Returns the id of the newest version with a tag. @throws CommandError */
    async find(script: string, tag: string): Promise<string | undefined> {
      type Items = { items: { id: string; annotations?: Record<string, string> }[] }
      const { items } = await get<Items>(script, 'versions')
      // Cloudflare lists the newest version first. This reads only the first page.
      return items.find(({ annotations }) => annotations?.[TAG] === tag)?.id
    },

    /**
     * Gives each version its share of the requests, and all others none.
     * @param isForced allows versions from before a change of the Worker's secrets, which Cloudflare refuses
     *   otherwise (10220)
     * @throws CommandError
     */
    async deploy(script: string, shares: Shares, isForced = false): Promise<void> {
      const versions = Object.entries(shares).map(([version_id, percentage]) => ({ version_id, percentage }))
      await client.workers.scripts.deployments
        .create(script, {
          account_id: account,
          strategy: 'percentage',
          versions,
          ...(isForced && { force: true }),
          annotations: { 'workers/message': message },
        })
        .catch((error) => {
          throw commandErrorOf(error, `deploying versions of ${script}`, 'Workers Scripts: Edit')
        })
    },
  }
}

/** Returns the id of the version with all or most requests; undefined without a deployed version. */
export const mainOf = (shares: Shares): string | undefined =>
  Object.entries(shares).toSorted(([, a], [, b]) => b - a)[0]?.[0]

/** Checks whether a version gets all requests, and no other one is deployed, not even at 0 %. */
export const isAlone = (shares: Shares, id: string | undefined): boolean =>
  id !== undefined && shares[id] === 100 && Object.keys(shares).length === 1
