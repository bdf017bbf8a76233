/** A guide to the API: the purpose of each step, and its code. */
export type Guide = {
  id: string
  /** A further anchor, which documents elsewhere name for good. */
  anchor?: string
  title: string
  lead: string
  steps: Step[]
  /** The operations that it needs, as `GET /agents`, if they differ from the calls in its code. */
  needs?: string[]
}

export type Step = {
  words: string
  language: 'ts' | 'sh' | 'py' | 'json'
  /** The file's name, if the code is a whole file. */
  file?: string
  code: string
}
