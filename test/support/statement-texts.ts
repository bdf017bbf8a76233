import { agentSorts, chargeRoles, deliveryStates } from '../../schema/values.ts'

/** Declares a statement (lib/db/statement.ts), for any parameters, builder and shape. */
export type Declaring = (
  declared: object,
  build: object,
) => { item(values: object, shape: Record<string, unknown>): { text: string } }

/** The words that a switch of this name may be; the others are booleans. */
const DOCS: Record<string, readonly string[]> = {
  by: [...chargeRoles, 'hire', 'agent'],
  keyed: [...chargeRoles, 'agent'],
  column: ['secret', 'previousSecret'],
  owner: ['wallet', 'agent'],
  role: chargeRoles,
  side: chargeRoles,
  sort: agentSorts,
  source: ['account', 'due', 'hire'],
  status: [...deliveryStates, 'any'],
}

class Asked extends Error {
  readonly switch: string
  constructor(name: string) {
    super(name)
    this.switch = name
  }
}

/** Returns a statement's texts in all its shapes: both values of every switch that its builder reads. */
export function textsOf(
  make: Declaring,
  declared: object,
  build: object,
  known: Record<string, unknown> = {},
): string[] {
  const shape = new Proxy(known, {
    get(target, name: string) {
      if (name in target || name === 'toJSON') return target[name]
      throw new Asked(name)
    },
  })
  try {
    return [make(declared, build).item({}, shape).text]
  } catch (error) {
    if (!(error instanceof Asked)) throw error
    const values = DOCS[error.switch] ?? [true, false]
    return values.flatMap((value) => textsOf(make, declared, build, { ...known, [error.switch]: value }))
  }
}
