import * as Type from 'typebox'
import { exact } from './schemas.ts'

/** Photos come scaled down: this is enough for a readable picture of a padlock and its label, or of a terminal. */
export const maxPhotoBytes = 400_000

/** A photo that somebody sends; no log tells it. */
export const Photo = Type.Object(
  {
    Type: Type.Enum(['image/jpeg', 'image/png', 'image/webp']),
    Data: Type.String({
      minLength: 4,
      maxLength: Math.ceil(maxPhotoBytes / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      description: 'Base64',
    }),
  },
  { ...exact, secret: true },
)
export type Photo = Type.Static<typeof Photo>

/** One that is read. */
export const StoredPhoto = Type.Object({ Type: Type.String(), Data: Type.String({ description: 'Base64' }) }, exact)
