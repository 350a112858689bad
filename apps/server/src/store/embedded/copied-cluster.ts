import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from './embedded.ts'

/**
 * For tests that need a cluster and are not about making one: it is made once a file, and copied with its owners and rights. `close` removes
 * the original.
 */
export async function clusterToCopy(): Promise<{ into(dataDir: string): void; close(): Promise<void> }> {
  const original = await mkdtemp(join(tmpdir(), 'lw-original-'))
  await (await startEmbeddedPostgres({ dataDir: original, log: () => {} })).stop()
  return {
    into: (dataDir) => copyCluster(original, dataDir),
    close: () => rm(original, { recursive: true, force: true }),
  }
}

/** Copies the stopped cluster of one data folder into another. */
export function copyCluster(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', join(from, 'postgres'), to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
