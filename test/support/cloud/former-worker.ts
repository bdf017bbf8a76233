/** A Worker of the release before ./worker.ts: it lacks a class. */
export default { fetch: () => new Response() }
export class Health {}
export class Clock {}
