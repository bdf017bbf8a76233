/** A way through the API: what each step is for, and its code. */
export type Guide = {
  id: string
  title: string
  lead: string
  steps: Step[]
  /** The operations that it needs, as `GET /agents`, where these are not the calls of its code. */
  needs?: string[]
}

export type Step = {
  words: string
  language: 'ts' | 'sh' | 'py' | 'json'
  /** The name that the code is saved under, where it is a whole file. */
  file?: string
  code: string
}
