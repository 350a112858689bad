/** The place of a record: whose it is, what it is, and which. */
export type Place = readonly [account: string, kind: string, id: string]

/** What a person has written, as it lies on the device. Only with the account's key it can be read. */
export interface Sealed {
  /** Of the server's secret that the key was made of. */
  readonly version: number
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
}

export interface Change {
  readonly at: Place
  /** Null: take it away. */
  readonly to: Sealed | null
}

const name = 'linewarden'

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('keys')
      asked.result.createObjectStore('kept')
    }
    asked.onsuccess = () => {
      // Another tab has a newer console: it must not wait for this one.
      asked.result.onversionchange = () => {
        asked.result.close()
        opened = null
      }
      resolve(asked.result)
    }
    asked.onerror = () => reject(asked.error)
  }).catch((error) => {
    opened = null
    throw error
  })
  return opened
}

/** Resolves once it is on the disk: what was answered survives that the page is killed a moment later. */
async function write(store: 'keys' | 'kept', work: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(store, 'readwrite', { durability: 'strict' })
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  work(transaction.objectStore(store))
  await done
}

const answer = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

const reading = async (store: 'keys' | 'kept'): Promise<IDBObjectStore> =>
  (await open()).transaction(store, 'readonly').objectStore(store)

/** All or nothing. */
export const writeAll = (changes: readonly Change[]): Promise<void> =>
  write('kept', (store) => {
    for (const { at, to } of changes) {
      if (to === null) store.delete([...at])
      else store.put(to, [...at])
    }
  })

export async function readOne(at: Place): Promise<Sealed | null> {
  const found: Sealed | undefined = await answer((await reading('kept')).get([...at]))
  return found ?? null
}

/** Every record of one kind of an account, by its id. */
export async function readKind(
  account: string,
  kind: string,
): Promise<readonly { readonly id: string; readonly sealed: Sealed }[]> {
  const store = await reading('kept')
  const range = IDBKeyRange.bound([account, kind], [account, kind, []])
  const [keys, all] = await Promise.all([answer(store.getAllKeys(range)), answer<Sealed[]>(store.getAll(range))])
  return all.map((sealed, index) => ({ id: String((keys[index] as unknown as Place | undefined)?.[2]), sealed }))
}

/** Keys of an account by the version of the server's secret that they were made of. They can be used here, and not read. */
export type Keys = ReadonlyMap<number, CryptoKey>

export async function readKeys(account: string): Promise<Keys | null> {
  const found: Keys | undefined = await answer((await reading('keys')).get(account))
  return found ?? null
}

export const writeKeys = (account: string, keys: Keys): Promise<void> => write('keys', (store) => void store.put(keys, account))

/** Whoever has signed out has no key here any more: what is not sent yet stays, and nobody can read it. */
export async function forgetKeys(): Promise<void> {
  if (typeof indexedDB === 'undefined') return
  await write('keys', (store) => void store.clear())
}
