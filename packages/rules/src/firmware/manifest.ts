import { readVersion } from './version.ts'

/** `receiving`: not all of it is here yet. `withdrawn`: no new campaign may use it. */
export const imageStates = ['receiving', 'ready', 'withdrawn'] as const
export type ImageState = (typeof imageStates)[number]

/** What an image says of itself. The signature is over exactly the bytes it was read from. */
export interface FirmwareManifest {
  readonly model: string
  readonly version: string
  /** Bytes of the image. */
  readonly size: number
  /** Of the image, lower-case hex. */
  readonly sha256: string
  /** What is new in it, for people; may be empty. */
  readonly notes: string
}

/** Names what is signed, so that a signature over something else is never taken for one over an image. */
export const firmwareFormat = 'linewarden-firmware-1'
export const maxFirmwareBytes = 32 * 1024 * 1024
export const maxManifestBytes = 4_096

const fields: ReadonlySet<string> = new Set(['format', 'model', 'version', 'size', 'sha256', 'notes'])

/** Reads a manifest; a string names the part that cannot be used. Whoever reads must have checked the signature, or check it before use. */
export function readManifest(text: string): FirmwareManifest | string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return 'json'
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'json'
  const unknown = Object.keys(parsed).find((key) => !fields.has(key))
  if (unknown !== undefined) return unknown.slice(0, 64)
  const { format, model, version, size, sha256, notes = '' } = parsed as Record<string, unknown>
  if (format !== firmwareFormat) return 'format'
  if (typeof model !== 'string' || !/^[A-Za-z0-9._-]{1,64}$/.test(model)) return 'model'
  if (typeof version !== 'string' || !readVersion(version)) return 'version'
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > maxFirmwareBytes) return 'size'
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return 'sha256'
  if (typeof notes !== 'string' || notes.length > 1_000) return 'notes'
  return { model, version, size, sha256, notes }
}
