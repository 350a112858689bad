import type { Keys, Place, Sealed } from './db.ts'

const encoder = new TextEncoder()

/** Bound to its place: a record that was put under another account, or in the place of another record, does not open. */
const boundTo = (at: Place): Uint8Array<ArrayBuffer> => encoder.encode(at.join('\n'))

const newest = (keys: Keys): number => Math.max(...keys.keys())

export async function seal(keys: Keys, at: Place, bytes: BufferSource): Promise<Sealed> {
  const version = newest(keys)
  const key = keys.get(version)
  if (!key) throw new Error('an account has at least one key')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: boundTo(at) }, key, bytes)
  return { version, iv, data }
}

/** Null: it is not this account's, or its key is no longer given. */
export async function unseal(keys: Keys, at: Place, { version, iv, data }: Sealed): Promise<ArrayBuffer | null> {
  const key = keys.get(version)
  if (!key) return null
  try {
    return await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: boundTo(at) }, key, data)
  } catch {
    return null
  }
}

export const sealText = (keys: Keys, at: Place, value: unknown): Promise<Sealed> =>
  seal(keys, at, encoder.encode(JSON.stringify(value)))

export async function unsealText<T>(keys: Keys, at: Place, sealed: Sealed): Promise<T | null> {
  const bytes = await unseal(keys, at, sealed)
  return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as T)
}

/** A key that the server gave, for use on this device and no other way. */
export const importKey = (base64Url: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    Uint8Array.from(atob(base64Url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  )
