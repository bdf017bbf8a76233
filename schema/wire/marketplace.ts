import * as v from 'valibot'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const ProtocolStats = v.strictObject({
  totalPioneers: Count,
  totalAgents: Count,
  totalAttestations: Count,
  totalValueLocked: Count,
  spotsRemaining: Count,
})
