import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dayMs } from '@linewarden/equipment'
import type { ContentStore } from './content-store.ts'

const atOnce = 500

/** Contents as files, `ab/cdef…`, readable by this user alone. */
export function photoFolder(folder: string): ContentStore {
  const placeOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2))
  const coming = join(folder, 'coming')

  return {
    /** A file appears whole or not at all, also where the power fails. */
    async put(hash, { bytes }) {
      const place = placeOf(hash)
      if ((await sizeOf(place)) === bytes.length) return
      await mkdir(coming, { recursive: true, mode: 0o700 })
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      const draft = join(coming, randomUUID())
      try {
        await written(draft, bytes)
        await rename(draft, place)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      // The folder's entry, and that of the folder itself.
      for (const each of [dirname(place), folder]) await flushed(each)
    },

    get: (hash) => readFile(placeOf(hash)).catch(unlessMissing),

    remove: (hash) => rm(placeOf(hash), { force: true }),

    async *hashes(before) {
      await clearDrafts(coming, Date.now() - dayMs)
      for (const shard of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(shard)) continue
        const found: string[] = []
        for (const name of await namesIn(join(folder, shard))) {
          if (!/^[0-9a-f]{62}$/.test(name)) continue
          const since = await stat(join(folder, shard, name)).catch(unlessMissing)
          if (since && since.mtimeMs < before) found.push(shard + name)
        }
        for (let at = 0; at < found.length; at += atOnce) yield found.slice(at, at + atOnce)
      }
    },
  }
}

/** What a server that was killed left half written. */
async function clearDrafts(coming: string, before: number): Promise<void> {
  for (const name of await namesIn(coming)) {
    const draft = await stat(join(coming, name)).catch(unlessMissing)
    if (draft && draft.mtimeMs < before) await rm(join(coming, name), { force: true })
  }
}

async function written(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function flushed(folder: string): Promise<void> {
  // Windows has no such thing as flushing a folder.
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}

const sizeOf = async (path: string): Promise<number | null> => (await stat(path).catch(unlessMissing))?.size ?? null

const namesIn = async (folder: string): Promise<readonly string[]> => (await readdir(folder).catch(unlessMissing)) ?? []

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
