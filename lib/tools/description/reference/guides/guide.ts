/** A way through the API: what each step is for, and its code. */
export type Guide = {
  id: string
  title: string
  lead: string
  steps: Step[]
  /** Operations that its code needs and does not call by name, as `GET /agents`. */
  needs?: string[]
}

export type Step = {
  words: string
  language: 'ts' | 'sh' | 'py' | 'json'
  /** The name that the code is saved under, where it is a whole file. */
  file?: string
  code: string
}
