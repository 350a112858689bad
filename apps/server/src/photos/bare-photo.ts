import type { Picture } from '../lib/picture.ts'
import { pictureIn } from '../lib/picture.ts'
import { bareJpeg } from './jpeg.ts'
import { barePng } from './png.ts'
import { bareWebp } from './webp.ts'

/** Who opens a photo must have room for it, however small its file is. */
export const maxPhotoSide = 4_096

/** A photo as it is stored: of what makes the picture, and nothing else. */
export interface BarePhoto extends Picture {
  readonly bytes: Buffer
}

const bareOf = { 'image/jpeg': bareJpeg, 'image/png': barePng, 'image/webp': bareWebp } as const

/** What is stored of what was sent, by its content; null: it is no photo that can be shown whole. */
export function barePhoto(sent: Buffer): BarePhoto | null {
  const type = pictureIn(sent)?.type
  const bytes = type ? bareOf[type](sent) : null
  // As it is once it is bare: what was taken out decides nothing.
  const picture = bytes && pictureIn(bytes)
  if (!bytes || !picture || picture.type !== type || Math.max(picture.width, picture.height) > maxPhotoSide) return null
  return { ...picture, bytes }
}
