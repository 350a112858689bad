import type { PhotoReceived } from '@linewarden/contract'
import { photoPieceBytes } from '@linewarden/contract'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** What a photo is called from when it is sent: SHA-256 of its bytes, in hex. */
export const photoHashOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes))

/** What a call carries of a photo beside its hash. */
export interface PhotoPiece {
  readonly Size: number
  readonly Offset: number
  readonly Bytes: string
}

interface Sending {
  /** Where it broke off before, as the server said it. */
  readonly from?: number
  /** How many of its bytes are there; to go on from there the next time. */
  readonly onReceived?: (received: number) => void
}

/** So often a photo is begun anew, where what it had of it is gone at the server. */
const maxRounds = 3

/**
 * Sends a photo piece by piece, until the server says that it holds it: only then may it be forgotten here. Throws whatever `send` throws; the same
 * photo is then sent again from where it was.
 */
export async function sendPhoto(
  bytes: Uint8Array,
  send: (piece: PhotoPiece) => Promise<PhotoReceived>,
  { from = 0, onReceived }: Sending = {},
): Promise<void> {
  const pieces = Math.ceil(bytes.length / photoPieceBytes)
  let next = from < bytes.length ? Math.floor(from / photoPieceBytes) : 0
  for (let sent = 0; sent < pieces * maxRounds; sent++) {
    const Offset = next * photoPieceBytes
    const Bytes = base64Of(bytes.subarray(Offset, Offset + photoPieceBytes))
    const { Stored, Received } = await send({ Size: bytes.length, Offset, Bytes })
    onReceived?.(Stored ? bytes.length : Received)
    if (Stored) return
    next = Math.floor(Received / photoPieceBytes)
  }
  throw new Error('the server takes this photo and never holds it')
}

/** In parts: a browser's functions take only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
