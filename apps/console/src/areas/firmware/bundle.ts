/** A firmware file as `npm run firmware:sign` makes it: one line of JSON with manifest and signature, then the image. */
export interface Bundle {
  /** Base64, as they were signed. */
  readonly manifest: string
  readonly signature: string
  readonly model: string
  readonly version: string
  /** Where the image begins in the file. */
  readonly from: number
}

/** The first line is shorter than this, or it is none of ours. */
const maxHead = 16_384

/** Reads the head of a firmware file; null when it is none. Whether the signature is right only the server says. */
export async function readBundle(file: Blob): Promise<Bundle | null> {
  const head = new Uint8Array(await file.slice(0, maxHead).arrayBuffer())
  const end = head.indexOf(10)
  if (end < 0) return null
  try {
    const line: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, end)))
    if (typeof line !== 'object' || line === null) return null
    const { format, manifest, signature } = line as Record<string, unknown>
    if (format !== 'linewarden-firmware-file-1' || typeof manifest !== 'string' || typeof signature !== 'string') return null
    const { model, version } = JSON.parse(atob(manifest)) as Record<string, unknown>
    if (typeof model !== 'string' || typeof version !== 'string') return null
    return { manifest, signature, model, version, from: end + 1 }
  } catch {
    return null
  }
}

/** Bytes as base64; a call with every byte as an argument would be too long for some browsers. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
