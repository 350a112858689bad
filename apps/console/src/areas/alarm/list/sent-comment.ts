import { newId } from '../../../app/net/new-id.ts'

/** A comment as it goes to the server. `data`: the photo as base64, empty where it cannot be read; null without one. */
export interface SentComment {
  readonly id: string
  readonly text: string
  readonly photo: File | null
  readonly data: string | null
}

/**
 * What is to be sent. The same as was tried last is that one, down to the bytes of its photo, because it may have arrived without an answer;
 * with another text or photo it is a comment of its own.
 */
export async function toSend(
  tried: SentComment | null,
  { text, photo }: Pick<SentComment, 'text' | 'photo'>,
  read: (photo: File) => Promise<string>,
): Promise<SentComment> {
  if (tried !== null && tried.text === text && tried.photo === photo && tried.data !== '') return tried
  return { id: newId(), text, photo, data: photo && (await read(photo).catch(() => '')) }
}
