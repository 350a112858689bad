import type { FileReply } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { clearContent, dropLoose, noteUnlisted } from '../store/photos/content.ts'
import type { PhotoOwner, PhotoRow } from '../store/photos/use.ts'
import { contentOf, photosOf, storedPhotos } from '../store/photos/use.ts'
import type { PhotoDeps } from './deps.ts'
import { hashOf, orAway } from './deps.ts'
import { createReceiving } from './receiving.ts'

/** Half-sent photos, what nobody kept and what nobody has stay so long. */
const keptMs = 7 * dayMs

/** So many one after the other that cannot be removed: a folder or bucket that is away is not asked for each. */
const maxInVain = 5

export type Photos = ReturnType<typeof createPhotos>

/**
 * Photos that people take on site: sent piece by piece under the hash of what is sent, stored without metadata under the hash of what is stored,
 * read through what they belong to. Whoever calls has made sure that the actor may write, or read, that.
 */
export function createPhotos(deps: PhotoDeps) {
  const { database, content, clock, log } = deps
  const { general } = database
  return { ...createReceiving(deps), storedOf, listOf, file, tidy }

  /** Those of these, by the hashes they were sent under, that are whole here: the others are missing. */
  function storedOf(owner: PhotoOwner, hashes: readonly string[]): Promise<Set<string>> {
    return storedPhotos(general, owner, hashes)
  }

  /** The photos of something, the oldest first. */
  async function listOf(owner: PhotoOwner): Promise<readonly PhotoRow[]> {
    return (await photosOf(general, owner)).filter(({ kept }) => kept)
  }

  /** A photo of something, by the hash it was sent under. Nothing is answered that is not what it is called. */
  async function file(owner: PhotoOwner, sentHash: string): Promise<FileReply> {
    const found = await contentOf(general, owner, sentHash)
    if (!found) throw new Refusal('photo not exists')
    const bytes = await orAway(deps, () => content.get(found.hash))
    if (bytes && hashOf(bytes) === found.hash) return { type: found.type, bytes: new Uint8Array(bytes), tag: found.hash }
    log.error({ photo: found.hash }, bytes ? 'the file of a photo is damaged' : 'the file of a photo is missing')
    throw new Refusal('photo lost')
  }

  /** Clears away what was never sent to its end, what nobody kept, and contents that nothing has. */
  async function tidy(): Promise<void> {
    const [now, before] = [clock(), new Date(clock() - keptMs)]
    await dropLoose(database, before)
    for await (const hashes of content.hashes(before.getTime())) await noteUnlisted(database, hashes, new Date(now))
    await clear(before, new Date(now))
  }

  /** Each by itself: one that cannot be removed is tried again the next time, and keeps none of the others. */
  async function clear(before: Date, now: Date): Promise<void> {
    for (let inVain = 0; inVain < maxInVain; ) {
      const cleared = await clearContent(database, { before, now }, (hash) => content.remove(hash))
      if (!cleared) return
      inVain = cleared.error === null ? 0 : inVain + 1
      if (cleared.isNew)
        log.error({ err: cleared.error, photo: cleared.hash }, 'a photo could not be cleared away; it is tried again')
    }
  }
}
