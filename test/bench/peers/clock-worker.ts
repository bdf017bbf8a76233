import { WorkerEntrypoint } from 'cloudflare:workers'

/** Stands for the Clock and the live Worker: it is told, and does nothing. */
export default class extends WorkerEntrypoint {
  override fetch = () => new Response('empty')
  wakeBy() {}
  nudge() {}
}
