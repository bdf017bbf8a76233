/** Stands for every Worker where only its way to Cloudflare is tested. */
export default { fetch: () => new Response() }
export class Health {}
export class Clock {}
export class LiveLog {}
export class Second {}
