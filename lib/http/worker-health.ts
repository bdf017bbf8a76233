import { WorkerEntrypoint } from 'cloudflare:workers'

/**
 * The health of a Worker, for root: its version, and whether the database has the functions of its release.
 */
export type WorkerHealth = { version: string; database?: boolean }

/**
 * Returns the id of the running version; empty on the local platform. A deployment binds it to each Worker.
 */
export const versionOf = (env: object): string =>
  (Reflect.get(env, 'VERSION') as { id: string } | undefined)?.id ?? ''

/**
 * The entrypoint by which root checks a Worker over a service binding. It uses fetch, because a method call
 * can't be sent to a specific version of a Worker.
 */
export class Health<Env extends object = object> extends WorkerEntrypoint<Env> {
  async health(): Promise<WorkerHealth> {
    return { version: versionOf(this.env) }
  }

  override async fetch(): Promise<Response> {
    return Response.json(await this.health())
  }
}
