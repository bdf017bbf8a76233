import { generateSessionKeys } from './session-keys.ts'

/**
 * `npm run keys`: prints a fresh session key pair as two lines of a .env file. With SESSION_JWKS set (the
 * deployment's present one), tokens signed by its newest key stay valid: that is a rotation.
 */
const keys = await generateSessionKeys(new Date(), process.env.SESSION_JWKS || undefined)
for (const [name, value] of Object.entries(keys)) console.log(`${name}='${value}'`)
