import { WorkerEntrypoint } from 'cloudflare:workers'

/**
 * The health of a Worker, for root: its version, and whether the database has the functions of its release.
 */
export type WorkerHealth = { version: string; database?: boolean }

/**
 * Returns the id of the running version, from the binding VERSION that every deployment has; `''` on the
 * local platform.
 */
export const versionOf = (env: object): string =>
  (Reflect.get(env, 'VERSION') as { id: string } | undefined)?.id ?? ''

/**
 * The entrypoint by which root reads a Worker's health over a service binding. It uses fetch, because
 * Cloudflare can send a fetch to a chosen version of a Worker, but not a method call.
 */
export class Health<Env extends object = object> extends WorkerEntrypoint<Env> {
  async health(): Promise<WorkerHealth> {
    return { version: versionOf(this.env) }
  }

  override async fetch(): Promise<Response> {
    return Response.json(await this.health())
  }
}
