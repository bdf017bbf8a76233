import { HttpOptions_Style } from '../../tools/miniflare.ts'
import type { BuiltWorker } from '../build.ts'
import type { OutboundServer } from './outbound.ts'

export const PLATFORM_WORKER = 'local-platform'

/** The entrypoint that replaces the Clock and the live log if their Workers do not run. */
export const NOBODY_CLASS = `export class Nobody extends WorkerEntrypoint {
  wakeBy() {}
  nudge() {}
}`

/**
 * The platform's own Worker. With one call it passes the clock's new offset to every Worker, inside workerd,
 * and makes the Clock set its alarm. In tests it makes the Clock run due jobs. It replaces the Clock or the
 * live log if the jobs or the live Worker does not run. It passes requests not sent by the Workers' `fetch`
 * to our server, so that nothing reaches a network.
 */
const PLATFORM_SCRIPT = `import { WorkerEntrypoint } from 'cloudflare:workers'
export default {
  async fetch(request, { outbound, CLOCK, LIVELOG, ...clocks }) {
    const { offsetMs, method, kind, wallet } = await request.json()
    const clock = wallet ? LIVELOG.getByName(wallet) : CLOCK?.getByName('clock')
    if (offsetMs === undefined) return Response.json((await clock[method](kind)) ?? null)
    await Promise.all(Object.values(clocks).map((clock) => clock.moveTo(offsetMs)))
    if (method) await clock?.[method]()
    return new Response()
  },
}
${NOBODY_CLASS}
export class Outbound extends WorkerEntrypoint {
  fetch(request) {
    return this.env.outbound.fetch(request)
  }
}`

/** Switches off two unused features, which cost time at every request or start. */
export const UNUSED = { stripCfConnectingIp: false, cacheAPI: false }

export const externalOf = ({ address, header }: OutboundServer) => ({
  external: { address, http: { style: HttpOptions_Style.PROXY, injectRequestHeaders: [header] } },
})

export const platformOptions = (workers: BuiltWorker[], outbound: OutboundServer) => ({
  name: PLATFORM_WORKER,
  modules: true as const,
  script: PLATFORM_SCRIPT,
  compatibilityDate: String(workers[0]?.options.compatibilityDate),
  ...UNUSED,
  durableObjects: Object.fromEntries(
    workers.flatMap(({ name, objects }) =>
      objects.map((className) => [className.toUpperCase(), { className, scriptName: name, useSQLite: true }]),
    ),
  ),
  serviceBindings: {
    ...Object.fromEntries(workers.map(({ group, name }) => [group, { name, entrypoint: 'LocalClock' }])),
    outbound: externalOf(outbound),
  },
})
