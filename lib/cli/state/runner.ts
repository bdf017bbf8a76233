import { Fault } from '../setup/faults.ts'

/**
 * Refuses to make keys where they would be lost: a runner of CI throws its files away when it ends.
 * @param names of the secrets that the command makes
 * @param by the command as it is run on a machine that keeps them
 * @throws Fault
 */
export function requireKeptFolder({ CI }: NodeJS.ProcessEnv, names: string[], by: string): void {
  if (CI && CI !== 'false')
    throw new Fault(
      `This makes ${names.join(', ')}, and a runner of CI throws secrets.json away: run ${by} once on a machine that keeps it, and give the runner its text (lib/cli/deploy/README.md). Nothing was done.`,
    )
}
