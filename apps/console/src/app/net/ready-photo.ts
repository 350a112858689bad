import { photoHashOf } from '@linewarden/client'
import { maxPhotoBytes } from '@linewarden/contract'
import { smallJpeg } from '../../ui/small-jpeg.ts'

/** Enough to read the label of a breaker by. */
const maxPixels = 1_600

/** A photo as it is sent, whenever that is. */
export interface ReadyPhoto {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** By which it is called from here on. */
  readonly hash: string
  /** By the clock of this device. */
  readonly takenAt: number
}

/** Scales a photo down and turns it upright; what its camera wrote into it about place and time is not in it any more. Null: it cannot be read. */
export async function readyPhoto(file: File): Promise<ReadyPhoto | null> {
  const data = await smallJpeg(file, maxPhotoBytes, maxPixels).catch(() => '')
  if (data === '') return null
  const text = atob(data)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return { bytes, hash: photoHashOf(bytes), takenAt: Math.min(file.lastModified, Date.now()) }
}
