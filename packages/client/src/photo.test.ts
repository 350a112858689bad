import { createHash, randomBytes } from 'node:crypto'
import { photoPieceBytes } from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { PhotoPiece } from './photo.ts'
import { photoHashOf, sendPhoto } from './photo.ts'

const photo = new Uint8Array(randomBytes(300_000))

/** A server that keeps pieces. */
function keeping() {
  const kept = new Map<number, string>()
  const offsets: number[] = []
  return {
    kept,
    offsets,
    async send({ Size, Offset, Bytes }: PhotoPiece) {
      offsets.push(Offset)
      kept.set(Offset, Bytes)
      const whole = Buffer.concat([...kept].toSorted(([a], [b]) => a - b).map(([, bytes]) => Buffer.from(bytes, 'base64')))
      const Stored = whole.length === Size
      return { Stored, Received: Stored ? Size : kept.has(0) ? whole.length : 0 }
    },
    bytes: () => Buffer.concat([...kept].toSorted(([a], [b]) => a - b).map(([, bytes]) => Buffer.from(bytes, 'base64'))),
  }
}

test('a photo is called by the hash of its bytes', () => {
  expect(photoHashOf(photo)).toBe(createHash('sha256').update(photo).digest('hex'))
})

test('a photo is sent piece by piece, and how far it has come is reported', async () => {
  const [server, received] = [keeping(), [] as number[]]
  await sendPhoto(photo, server.send, { onReceived: (count) => received.push(count) })
  expect([server.offsets, received]).toEqual([
    [0, photoPieceBytes],
    [photoPieceBytes, photo.length],
  ])
  expect(server.bytes().equals(photo)).toBe(true)
})

test('what broke off goes on from there, and begins anew where the server has forgotten it', async () => {
  const server = keeping()
  await server.send({ Size: photo.length, Offset: 0, Bytes: Buffer.from(photo.subarray(0, photoPieceBytes)).toString('base64') })
  await sendPhoto(photo, server.send, { from: photoPieceBytes })
  expect(server.offsets).toEqual([0, photoPieceBytes])
  const forgetful = keeping()
  await sendPhoto(photo, forgetful.send, { from: photoPieceBytes })
  expect(forgetful.offsets).toEqual([photoPieceBytes, 0])
  expect(forgetful.bytes().equals(photo)).toBe(true)
})

test('what fails is thrown to whoever sends, and a server that never holds a photo is not asked for ever', async () => {
  await expect(sendPhoto(photo, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  let asked = 0
  const never = async () => {
    asked++
    return { Stored: false, Received: 0 }
  }
  await expect(sendPhoto(photo, never)).rejects.toThrow('never holds')
  expect(asked).toBe(6)
})
