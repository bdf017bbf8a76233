/** The publisher and the origin of published documents. Both are settings, never a request's Host. */
export type Publication = {
  /** The domain in identifiers. */
  publisher: string
  /** Scheme and host of the API, such as `https://api.agentcred.example`. */
  origin: string
}

/** Returns the base URL of the search API, to which ARD adds `search`, `explore` and `agents`. */
export const registryUrl = ({ origin }: Publication): string => `${origin}/v1/ard/`
