import { phoneKeys } from '@linewarden/contract'
import { create } from 'zustand'
import { api } from '../net/api.ts'
import type { Change, Keys, Place } from './db.ts'
import { readKeys, readKind, readOne, writeAll, writeKeys } from './db.ts'
import type { Entry } from './entry.ts'
import { phoneId } from './phone-id.ts'
import { importKey, seal, sealText, unseal, unsealText } from './seal.ts'

/** What this device keeps of who is signed in. */
interface Kept {
  readonly account: string | null
  readonly state: KeptState
  readonly entries: readonly Entry[]
}

export type KeptState =
  | 'closed'
  | 'opening'
  | 'open'
  /** Its key is not here, and the server that gives it was not reached. */
  | 'locked'
  /** A browser gives neither keys nor locks to a page that did not come by HTTPS. */
  | 'impossible'

export const useKept = create<Kept>(() => ({ account: null, state: 'closed', entries: [] }))

const changeLock = 'linewarden.kept'
const channelName = 'linewarden.kept'

let keys: Keys | null = null
let channel: BroadcastChannel | null = null

/** Decrypting is dear: what lies there as it did is not read again. */
let known = new Map<string, { readonly iv: string; readonly entry: Entry }>()

export const canKeep = (): boolean => isSecureContext && 'locks' in navigator && typeof indexedDB !== 'undefined'

/** Whoever asks while it is being opened waits for it. */
let opening: Promise<void> = Promise.resolve()

/** Opens what this device keeps of an account. The key comes from this device, or from the server. */
export function openKept(account: string): Promise<void> {
  const now = useKept.getState()
  if (now.account !== account || (now.state !== 'open' && now.state !== 'opening')) opening = openAnew(account)
  return opening
}

async function openAnew(account: string): Promise<void> {
  closeKept()
  if (!canKeep()) {
    useKept.setState({ account, state: 'impossible' })
    return
  }
  useKept.setState({ account, state: 'opening' })
  const found = await keysOf(account)
  // Somebody else has signed in meanwhile.
  if (useKept.getState().account !== account) return
  if (!found) {
    useKept.setState({ state: 'locked' })
    return
  }
  keys = found
  channel = new BroadcastChannel(channelName)
  channel.onmessage = () => void readAgain().catch(reportError)
  useKept.setState({ state: 'open', entries: await load(account, found) })
}

/** Nobody is signed in any more, or somebody else: nothing of it stays in memory. */
export function closeKept(): void {
  keys = null
  known = new Map()
  channel?.close()
  channel = null
  useKept.setState({ account: null, state: 'closed', entries: [] })
}

async function keysOf(account: string): Promise<Keys | null> {
  try {
    const here = await readKeys(account)
    if (here) return here
    const { Keys: given } = await api.call(phoneKeys, {}, { timeoutMs: 15_000 })
    const made = new Map(await Promise.all(given.map(async ({ Version, Key }) => [Version, await importKey(Key)] as const)))
    // From now on there is something to forget when the session ends.
    phoneId()
    await writeKeys(account, made)
    return made
  } catch {
    return null
  }
}

function opened(): { readonly account: string; readonly keys: Keys } {
  const { account } = useKept.getState()
  if (account === null || keys === null) throw new Error('nothing is kept before it is opened')
  return { account, keys }
}

async function load(account: string, own: Keys): Promise<readonly Entry[]> {
  const before = known
  const entries = await Promise.all(
    (await readKind(account, 'entry')).map(async ({ id, sealed }) => {
      const iv = sealed.iv.join()
      const same = before.get(id)
      const entry = same?.iv === iv ? same.entry : await unsealText<Entry>(own, [account, 'entry', id], sealed)
      return entry && { id, iv, entry }
    }),
  )
  const read = entries.flatMap((each) => each ?? [])
  known = new Map(read.map(({ id, iv, entry }) => [id, { iv, entry }]))
  return read.map(({ entry }) => entry).toSorted((one, other) => one.seq - other.seq)
}

/** As it is on this device now, whichever tab has written it. */
export async function readAgain(): Promise<readonly Entry[]> {
  const { account, keys: own } = opened()
  const entries = await load(account, own)
  if (useKept.getState().account === account) useKept.setState({ entries })
  return entries
}

/** Photos beside entries, by the hash of their bytes. */
export interface KeptPhoto {
  readonly hash: string
  readonly bytes: ArrayBuffer
}

/**
 * Changes what is kept, alone among all tabs. Resolves when it lies on the disk. `photos` are put beside it, `gone` taken away: both together
 * with the entries, or nothing of it.
 */
export async function changeKept(
  work: (entries: readonly Entry[]) => readonly Entry[],
  { photos = [], gone = [] }: { readonly photos?: readonly KeptPhoto[]; readonly gone?: readonly string[] } = {},
): Promise<readonly Entry[]> {
  const { account, keys: own } = opened()
  const after = await navigator.locks.request(changeLock, async () => {
    const before = await load(account, own)
    const next = work(before)
    const changes: Change[] = await Promise.all(
      next
        .filter((entry) => !before.includes(entry))
        .map(async (entry): Promise<Change> => {
          const at: Place = [account, 'entry', entry.id]
          return { at, to: await sealText(own, at, entry) }
        }),
    )
    const stays = new Set(next.map(({ id }) => id))
    for (const { id } of before) if (!stays.has(id)) changes.push({ at: [account, 'entry', id], to: null })
    for (const { hash, bytes } of photos) {
      const at: Place = [account, 'photo', hash]
      changes.push({ at, to: await seal(own, at, bytes) })
    }
    // One picture may belong to two things, or have been added again while it was sent.
    const wanted = new Set(next.flatMap(({ kind, state, body }) => (kind === 'photo' && state !== 'held' ? hashIn(body) : [])))
    for (const hash of gone) if (!wanted.has(hash)) changes.push({ at: [account, 'photo', hash], to: null })
    if (changes.length > 0) await writeAll(changes)
    return load(account, own)
  })
  if (useKept.getState().account === account) useKept.setState({ entries: after })
  channel?.postMessage(null)
  return after
}

/** The photo that an entry is about. */
export const hashIn = (body: unknown): string[] =>
  typeof body === 'object' && body !== null && 'Hash' in body && typeof body.Hash === 'string' ? [body.Hash] : []

/** The bytes of a photo that was not sent yet; null: it is not here. */
export async function photoOf(hash: string): Promise<ArrayBuffer | null> {
  const { account, keys: own } = opened()
  const at: Place = [account, 'photo', hash]
  const sealed = await readOne(at)
  return sealed && unseal(own, at, sealed)
}

/** Something whole that is looked at without the server, such as a round with its checklists. */
export async function keepThing(kind: string, id: string, value: unknown): Promise<void> {
  const { account, keys: own } = opened()
  const at: Place = [account, kind, id]
  await writeAll([{ at, to: value === null ? null : await sealText(own, at, value) }])
  channel?.postMessage(null)
}

export async function keptThing<T>(kind: string, id: string): Promise<T | null> {
  const { account, keys: own } = opened()
  const at: Place = [account, kind, id]
  const sealed = await readOne(at)
  return sealed && unsealText<T>(own, at, sealed)
}

export async function keptThings<T>(kind: string): Promise<readonly T[]> {
  const { account, keys: own } = opened()
  const all = await Promise.all(
    (await readKind(account, kind)).map(({ id, sealed }) => unsealText<T>(own, [account, kind, id], sealed)),
  )
  return all.flatMap((each) => (each === null ? [] : [each]))
}
