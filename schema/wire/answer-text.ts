import * as v from 'valibot'
import { constrain, UNTRUSTED } from '../docs.ts'

/*
 * The texts of answers. Each field states who wrote its text, because language models read answers: they must
 * take the texts of others as data. The generator of the API description refuses a text that states nothing.
 */

/** Text that a user or another host wrote, even if the service checked it: a name, a URL, a reason. */
export const UserText = /* @__PURE__ */ v.string()
/** A value of any type in which a user or another host may have written texts. */
export const UserValue = /* @__PURE__ */ v.unknown()

/** Text that only the service words: sentences, and values such as addresses, signatures and cursors. */
export const OwnText = /* @__PURE__ */ v.string()
/** A value of any type with texts of the service alone. */
export const OwnValue = /* @__PURE__ */ v.unknown()

for (const schema of [UserText, UserValue]) constrain(schema, { [UNTRUSTED]: true })
for (const schema of [OwnText, OwnValue]) constrain(schema, { [UNTRUSTED]: false })
