/** The last picture of a wall, as it was drawn. */
export interface WallPicture {
  /** Whose it was. */
  readonly account: string
  /** By the server's clock, Unix ms. */
  readonly at: number
  readonly timeZone: string
  /** What was drawn. */
  readonly html: string
}

const name = 'linewarden-wall'
const store = 'picture'
const only = 'last'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore(store)
    asked.onsuccess = () => {
      // Whoever signs out in another tab takes it away.
      asked.result.onversionchange = () => asked.result.close()
      resolve(asked.result)
    }
    asked.onerror = () => reject(asked.error)
  })
}

/** Keeps it in the place of the one before. */
export async function keepPicture(picture: WallPicture): Promise<void> {
  const database = await open()
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite')
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.objectStore(store).put(picture, only)
  }).finally(() => database.close())
}

/** The one that was kept; null: there is none, or this browser keeps nothing. */
export async function keptPicture(): Promise<WallPicture | null> {
  if (typeof indexedDB === 'undefined') return null
  const database = await open()
  const found = await new Promise<WallPicture | undefined>((resolve, reject) => {
    const asked: IDBRequest<WallPicture | undefined> = database.transaction(store).objectStore(store).get(only)
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  }).finally(() => database.close())
  return found ?? null
}

/** Whoever has signed out leaves no picture of the plant on this device. */
export function forgetPicture(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(name)
}
