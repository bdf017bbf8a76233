import { existsSync, renameSync, rmSync } from 'node:fs'
import { applyMigrations } from '../../migrations/migrations.ts'
import { openPglite } from './pglite.ts'

/** Makes the template folder for lib/local/database.ts in a separate process: `<folder>`. */
const [folder = ''] = process.argv.slice(2)
const made = `${folder}.${process.pid}`
const database = await openPglite(made)
await applyMigrations(database)
await database.close()
// In one step. Another process may have made it meanwhile.
if (existsSync(folder)) rmSync(made, { recursive: true })
else renameSync(made, folder)
