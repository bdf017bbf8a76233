/** A way through the API: what each step is for, and its code. */
export type Guide = { id: string; title: string; lead: string; steps: Step[] }

export type Step = { words: string; language: 'ts' | 'sh' | 'py'; code: string }
