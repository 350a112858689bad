import * as Type from 'typebox'
import { exact, optional, time } from './schemas.ts'

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

/** What a photo may be; by its content, whatever it is called. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** One piece of a photo that is sent by its hash; the last may be shorter. */
export const photoPieceBytes = 256 * 1024

/** The largest body of a call that carries such a piece. */
export const photoBodyBytes = 400_000

/** SHA-256 of a photo as it is sent, in lower-case hex: it is called by that from then on. */
export const PhotoHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the photo as it is sent, in hex' })

/** What a piece of a photo carries beside the photo's hash. */
export const photoPiece = {
  Size: Type.Integer({ minimum: 1, maximum: maxPhotoBytes, description: 'Bytes of the whole photo' }),
  Offset: Type.Integer({
    minimum: 0,
    maximum: maxPhotoBytes,
    description: `Where the piece begins: a multiple of ${photoPieceBytes}`,
  }),
  Bytes: Type.String({
    secret: true,
    minLength: 4,
    maxLength: Math.ceil(photoPieceBytes / 3) * 4,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: `Base64 of ${photoPieceBytes} bytes, the last piece of what is left`,
  }),
  TakenAt: optional(time('when it was taken, by the clock of whoever took it')),
} as const

/** How far a photo has come. */
export const PhotoReceived = Type.Object(
  {
    Stored: Type.Boolean({ description: 'It is whole and stored: only then may its sender forget it' }),
    Received: Type.Integer({ description: 'Bytes that are here without a gap: sending goes on from there' }),
  },
  exact,
)
export type PhotoReceived = Type.Static<typeof PhotoReceived>
