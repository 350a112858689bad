import type { PhotoReceived } from '@linewarden/contract'
import { photoPieceBytes, Refusal } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../access/actor.ts'
import { Limits } from '../lib/limits.ts'
import type { AuditEntry } from '../store/audit/append.ts'
import type { Schema } from '../store/core/schema.ts'
import { wantContent } from '../store/photos/content.ts'
import type { PhotoOnItsWay } from '../store/photos/piece.ts'
import { forgetPieces, keepPiece, piecesOf } from '../store/photos/piece.ts'
import type { PhotoRow, PhotoOwner as StoredOwner } from '../store/photos/use.ts'
import { addPhotoUse, countPhotos, hasPhoto, photoBytes } from '../store/photos/use.ts'
import type { BarePhoto } from './bare-photo.ts'
import { barePhoto, maxPhotoSide } from './bare-photo.ts'
import type { PhotoDeps } from './deps.ts'
import { hashOf, orAway } from './deps.ts'

/** Whose a photo is to be, and whose room it takes. */
export interface PhotoOwner extends StoredOwner {
  readonly projectId: number
}

/** A piece of a photo, as the contract carries it (`photoPiece`), with the photo's hash. */
export interface SentPiece {
  readonly Hash: string
  readonly Size: number
  readonly Offset: number
  readonly Bytes: string
  readonly TakenAt?: number
}

interface SentAs {
  readonly role?: PhotoRow['role']
  /** What it comes with inside its owner, such as the id of a comment. */
  readonly note?: string
  /** At most so many of its owner under this note. */
  readonly most: number
  /** False: it goes after a week unless what it comes with has come by then (`keepPhotos`). */
  readonly kept?: boolean
  /** Written once, when the photo is whole. */
  readonly audit?: AuditEntry | null
  /** Throws where its owner takes no more of them by the time that it is whole; asked in the transaction that stores it. */
  readonly still?: (trx: Kysely<Schema>) => Promise<void>
}

/** So many photos one account may have begun and not sent to their end. */
const maxBegun = 50
/** A round's nine hundred photos come in two pieces each. */
const [burst, aSecond] = [200, 20]

const photos = { zh: '照片', en: 'photos' } as const

const always = async (): Promise<void> => {}

/** Takes photos piece by piece, and stores what is whole. */
export function createReceiving(deps: PhotoDeps) {
  const { database, content, quotaBytes, clock } = deps
  const { general } = database
  const limits = new Limits(burst, aSecond)
  return { receive }

  /** Takes one piece. What was sent before is told again, and changes nothing. */
  async function receive(actor: Actor, owner: PhotoOwner, sent: SentPiece, as: SentAs): Promise<PhotoReceived> {
    if (!limits.take(actor.accountId, clock())) throw new Refusal('too many requests')
    const { note = '' } = as
    const { Hash, Size } = sent
    if (await hasPhoto(general, owner, { note, sent_hash: Hash })) return { Stored: true, Received: Size }
    if ((await countPhotos(general, owner, note)) >= as.most) throw new Refusal('too many', { what: photos, most: as.most })
    // Of the first piece alone: what counts is asked once more where it is stored.
    if (sent.Offset === 0 && (await photoBytes(general, owner.projectId)) + Size > quotaBytes) throw full()
    const way = { accountId: actor.accountId, projectId: owner.projectId, sentHash: Hash, size: Size }
    const come = await gathered(way, sent)
    if ('Stored' in come) return come
    const photo = await checked(way, come.whole)
    await stored(actor, owner, sent, { ...as, note }, { photo, way })
    return { Stored: true, Received: Size }
  }

  /** What is here with this piece: all of it, or how far it has come. */
  async function gathered(way: PhotoOnItsWay, { Size, Offset, Bytes }: SentPiece): Promise<PhotoReceived | { whole: Buffer }> {
    const bytes = Buffer.from(Bytes, 'base64')
    const isPiece = Offset % photoPieceBytes === 0 && bytes.length === Math.min(photoPieceBytes, Size - Offset)
    if (!isPiece) throw new Refusal('photo piece wrong', { received: received(await piecesOf(database, way)) })
    if (bytes.length === Size) return { whole: bytes }
    const kept = await keepPiece(database, way, {
      ...{ piece: Offset / photoPieceBytes, bytes, at: new Date(clock()), most: maxBegun },
    })
    if (!kept) throw new Refusal('photos unfinished', { most: maxBegun })
    const pieces = await piecesOf(database, way)
    const Received = received(pieces)
    return Received < Size ? { Stored: false, Received } : { whole: Buffer.concat(pieces.map((piece) => piece.bytes)) }
  }

  /** What is stored of it; what is not what it is called, or no photo, is forgotten. */
  async function checked(way: PhotoOnItsWay, whole: Buffer): Promise<BarePhoto> {
    const photo = hashOf(whole) === way.sentHash ? barePhoto(whole) : 'damaged'
    if (photo !== null && photo !== 'damaged') return photo
    await forgetPieces(general, way)
    throw photo === null ? new Refusal('photo malformed', { side: maxPhotoSide }) : new Refusal('photo damaged')
  }

  async function stored(
    actor: Actor,
    owner: PhotoOwner,
    { Hash, TakenAt }: SentPiece,
    { role = 'other', note, most, kept = true, audit = null, still = always }: SentAs & { readonly note: string },
    { photo: { bytes, type, width, height }, way }: { readonly photo: BarePhoto; readonly way: PhotoOnItsWay },
  ): Promise<void> {
    const [hash, now] = [hashOf(bytes), new Date(clock())]
    const use = {
      ...{ project_id: owner.projectId, note, role, kept, sent_hash: Hash, hash, sent_at: now },
      ...{ sender_id: actor.accountId, sender: actor.nickName.trim() || actor.userName },
      taken_at: TakenAt === undefined ? null : new Date(TakenAt),
    }
    // A row before the content, and whose it is after: whatever is cut off in between is cleared away, and never read.
    const added = await inTime(async () => {
      await wantContent(database, { hash, type, size: bytes.length, width, height, wanted_at: now })
      await orAway(deps, () => content.put(hash, { bytes, type }))
      return addPhotoUse(database, owner, use, { most, quotaBytes }, { onItsWay: way, audit, still })
    })
    if (added === 'many') throw new Refusal('too many', { what: photos, most })
    if (added === 'full') throw full()
  }

  function full(): Refusal {
    return new Refusal('photos full', { quota: Math.floor(quotaBytes / 1_048_576) })
  }
}

/** Content that was cleared away between being stored and being used is stored once more. */
async function inTime<T>(work: () => Promise<T | 'gone'>): Promise<T> {
  for (let tries = 0; tries < 2; tries++) {
    const done = await work()
    if (done !== 'gone') return done
  }
  throw new Refusal('photos away')
}

/** Bytes that are here without a gap. */
function received(pieces: readonly { readonly piece: number; readonly bytes: Buffer }[]): number {
  let bytes = 0
  for (const [index, each] of pieces.entries()) {
    if (each.piece !== index) break
    bytes += each.bytes.length
  }
  return bytes
}
