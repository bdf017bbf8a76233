import { existsSync, renameSync, rmSync } from 'node:fs'
import { applyMigrations } from './migrations.ts'
import { openPglite } from './pglite.ts'

/** A process of its own that makes the folder of which lib/local/database.ts tells: `<folder>`. */
const [folder = ''] = process.argv.slice(2)
const made = `${folder}.${process.pid}`
const database = await openPglite(made)
await applyMigrations(database)
await database.close()
// Whole or not at all; another process may have made it meanwhile.
if (existsSync(folder)) rmSync(made, { recursive: true })
else renameSync(made, folder)
