import { INPUTS, read, write } from '../../wallet/remembered.ts'

/** The most jobs whose input is stored. */
const MAX_INPUTS = 20

const stored = () => read<[string, string][]>(() => localStorage, INPUTS)

/** Returns the input that the visitor wrote when ordering a job, which goes out with the payment. */
export const inputOf = (jobId: string): string | undefined => stored()?.find(([id]) => id === jobId)?.[1]

/** Keeps the input of a job in this browser until it is paid. */
export const keepInput = (jobId: string, input: string): void =>
  write(() => localStorage, INPUTS, [[jobId, input], ...(stored() ?? [])].slice(0, MAX_INPUTS))
