import type { Photo } from '@linewarden/contract'
import { maxPhotoBytes, Refusal } from '@linewarden/contract'
import { pictureIn } from '../lib/picture.ts'

/** Who opens a picture must have room for it, however small its file is. */
const maxPhotoSide = 4_096

/** A photo that somebody sent, as it is kept; refuses with `photo malformed` what is none. */
export function readPhoto({ Type, Data }: Photo): { type: Photo['Type']; bytes: Buffer } {
  const bytes = Buffer.from(Data, 'base64')
  const picture = pictureIn(bytes)
  // By what its bytes say: what somebody calls a picture and is none is not kept.
  const isPhoto = picture?.type === Type && Math.max(picture.width, picture.height) <= maxPhotoSide
  if (bytes.length > maxPhotoBytes || !isPhoto) throw new Refusal('photo malformed', { side: maxPhotoSide })
  return { type: Type, bytes }
}
