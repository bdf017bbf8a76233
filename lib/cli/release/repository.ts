import { execFileSync } from 'node:child_process'

/** Opens a git repository for a release. It pushes nothing. */
export function openRepository(root: string) {
  const git = (args: string[], input = ''): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], input })
  return {
    /** Returns the files that differ from the last commit, including untracked ones. */
    changes: () => git(['status', '--porcelain']).split('\n').filter(Boolean),
    head: () => git(['rev-parse', 'HEAD']).trim(),
    hasTag: (tag: string) => git(['tag', '--list', tag]) !== '',
    /** Commits only these files and folders. */
    commit(message: string, paths: string[]) {
      git(['add', '--all', '--', ...paths])
      git(['commit', '--quiet', '--file', '-'], message)
    },
    /** Makes an annotated tag of the last commit. Lines that begin with # are text. */
    tag: (name: string, message: string) =>
      git(['tag', '--annotate', name, '--cleanup=verbatim', '--file', '-'], message),
    /** Resets the branch, and only these files and folders, to a commit, and removes a tag. */
    undo(head: string, paths: string[], tag: string) {
      git(['reset', '--quiet', '--soft', head])
      git(['reset', '--quiet', '--', ...paths])
      const known = git(['ls-files', '-z', '--', ...paths])
      git(['restore', '--', ...known.split('\0').filter(Boolean)])
      git(['clean', '--quiet', '--force', '-d', '--', ...paths])
      if (git(['tag', '--list', tag]) !== '') git(['tag', '--delete', tag])
    },
  }
}
