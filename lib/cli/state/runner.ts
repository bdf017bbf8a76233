import { CommandError } from '../setup/errors.ts'

/**
 * Refuses to make keys on a runner of CI: its files are deleted at its end, and the keys would be lost.
 * @param names of the secrets that the command makes
 * @param by the command to run on a machine that keeps the keys
 * @throws CommandError
 */
export function requirePersistentFolder({ CI }: NodeJS.ProcessEnv, names: string[], by: string): void {
  if (CI && CI !== 'false')
    throw new CommandError(
      `This would make ${names.join(', ')}, but a CI runner discards secrets.json: run ${by} once on a machine that keeps it, and give the runner its text (lib/cli/state/README.md). Nothing was changed.`,
    )
}
