/** Under whose name we publish, and where. Both are settings: a request's Host decides nothing. */
export type Publication = {
  /** The domain that stands in identifiers. */
  publisher: string
  /** Scheme and host of the API, such as `https://api.agentcred.example`. */
  origin: string
}

/** The base URL of the search API, to which ARD adds `search`, `explore` and `agents`. */
export const registryUrl = ({ origin }: Publication): string => `${origin}/v1/ard/`
