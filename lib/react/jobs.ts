import type { Job, RequestOf } from '../client/index.ts'
import { type Loaded, type Paged, useOne, usePages } from './pages.ts'
import { useSession, useStore } from './provider.ts'

/** The side, filters and page size of `GET /jobs`. */
export type JobsQuery = RequestOf<'GET /jobs'>['query']

export type JobList = Paged & { jobs: Job[] }

/**
 * Lists jobs of the wallet, newest first: `useJobs({ role: 'agent', status: 'funded' })`. The list is empty
 * until the wallet has logged in (`useLogin`).
 */
export function useJobs(query: JobsQuery = {}): JobList {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { pages, ...paged } = usePages('GET /jobs', { query }, isLoggedIn)
  return { ...paged, jobs: pages.flatMap(({ jobs }) => jobs) }
}

/**
 * Reads one job that the wallet ordered, works on or judges. `job` is undefined until it has loaded, which
 * needs a login.
 */
export function useJob(id: string): Loaded & { job: Job | undefined } {
  const isLoggedIn = useSession(useStore()) !== undefined
  const { answer: job, ...loaded } = useOne('GET /jobs/{id}', { path: { id } }, isLoggedIn)
  return { job, ...loaded }
}
