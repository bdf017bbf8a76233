import * as v from 'valibot'

export const ApiInfo = v.strictObject({
  name: v.string(),
  version: v.string(),
  status: v.string(),
  endpoints: v.array(v.string()),
})
