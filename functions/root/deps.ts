/** The root Worker serves what needs no database: its description and the built API reference. */
export type Deps = { assets: Fetcher }

export const deps = (env: Cloudflare.RootEnv): Deps => ({ assets: env.ASSETS })
