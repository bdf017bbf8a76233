/** Stands for a Worker of a release before that of ./worker.ts: it lacks a class. */
export default { fetch: () => new Response() }
export class Health {}
export class Clock {}
