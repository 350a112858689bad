import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from '../apps/server/src/store/core/test-folder.ts'
import { serverRole, superuser } from '../apps/server/src/store/embedded/roles.ts'

const bin = '/usr/lib/postgresql/15/bin'

/**
 * Runs `work` against a throw-away PostgreSQL 15 from Debian's package, the oldest version we support. Installs the package on Debian as
 * root; elsewhere, without the package, says so and runs `work` without one.
 */
export async function withPostgres15(work: (settings: string | null) => void): Promise<void> {
  const root = process.getuid?.() === 0
  if (!existsSync(bin) && root && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql-15'], { stdio: 'ignore', env })
  }
  if (!existsSync(bin)) {
    process.stdout.write('\n== PostgreSQL 15 is not installed here: everything is checked on the embedded one\n')
    return work(null)
  }
  const folder = await testFolder()
  const data = join(folder, 'data')
  const as = root ? ['unshare', '-U', '--map-user=1000', '--map-group=1000'] : []
  const run = (...command: string[]) =>
    spawnSync([...as, ...command][0] ?? '', [...as, ...command].slice(1), { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  try {
    // Its texts are UTF-8 whatever the language of the shell is.
    if (!run(`${bin}/initdb`, '-D', data, '-U', superuser, '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-sync'))
      throw new Error('initdb of PostgreSQL 15 failed')
    const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=200`
    if (!run(`${bin}/pg_ctl`, '-D', data, '-l', join(folder, 'log'), '-o', options, '-w', 'start'))
      throw new Error('PostgreSQL 15 did not start')
    try {
      work(JSON.stringify({ host: folder, port: 5432, user: serverRole, database: serverRole }))
    } finally {
      run(`${bin}/pg_ctl`, '-D', data, '-m', 'fast', '-w', 'stop')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
