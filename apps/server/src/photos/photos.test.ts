import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { photoPieceBytes, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import type { TestDatabase } from '../store/core/test-database.ts'
import { testDatabase } from '../store/core/test-database.ts'
import { wantContent } from '../store/photos/content.ts'
import { keepPhotos, linkPhotos } from '../store/photos/use.ts'
import { photoFolder } from './photo-folder.ts'
import { createPhotos } from './photos.ts'
import type { PhotoOwner } from './receiving.ts'
import { exifWithGps, jpegPhoto, pngPhoto } from './test-photos.ts'

// Photos on the real database, in a real folder, by a clock that only tests move on.
let house: TestDatabase
let folder: string
let now: number
let project: number
let others: number
const anna = { accountId: '00000000-0000-4000-8000-00000000000a', userName: 'anna', nickName: '安娜' } as Actor
const bert = { accountId: '00000000-0000-4000-8000-00000000000b', userName: 'bert', nickName: '' } as Actor

beforeAll(async () => {
  house = await testDatabase()
  const client = await house.database.connect()
  await client.query(`insert into account (account_id, user_name, kind, password_hash)
    values ('${anna.accountId}', 'anna', 'project', ''), ('${bert.accountId}', 'bert', 'project', '')`)
  const { rows } = await client.query(`insert into project (city_id, owner_id, name, time_zone)
    select (select city_id from city limit 1), '${anna.accountId}', name, 'UTC' from unnest(array['a', 'b']) name returning project_id`)
  ;[project, others] = rows.map(({ project_id }) => project_id) as [number, number]
  await client.end()
})
afterAll(() => house?.drop())
beforeEach(async () => {
  const { general } = house.database
  for (const table of ['photo_use', 'photo_content', 'photo_piece'] as const) await general.deleteFrom(table).execute()
  folder = await mkdtemp(join(tmpdir(), 'photos-'))
  now = Date.now()
  return () => rm(folder, { recursive: true, force: true })
})

/** A server: whatever it remembers it remembers in the database and the folder. */
const server = (quotaBytes = 1e9) =>
  createPhotos({
    database: house.database,
    content: photoFolder(folder),
    quotaBytes,
    clock: () => now,
    log: pino({ level: 'silent' }),
  })
const order = (id = '1', projectId = project): PhotoOwner => ({ kind: 'workOrder', id, projectId })
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pieceOf = (bytes: Buffer, index = 0, Hash = hashOf(bytes)) => ({
  ...{ Hash, Size: bytes.length, Offset: index * photoPieceBytes },
  Bytes: bytes.subarray(index * photoPieceBytes, (index + 1) * photoPieceBytes).toString('base64'),
})
const most = 24
const sendAll = async (bytes: Buffer, { by = anna, to = order(), photos = server(), as = { most } } = {}) => {
  let received = { Stored: false, Received: 0 }
  for (let index = 0; index * photoPieceBytes < bytes.length; index++)
    received = await photos.receive(by, to, pieceOf(bytes, index), as)
  return received
}
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => (error instanceof Refusal ? error.key : Promise.reject(error)),
  )
/** Files by their hashes. */
const stored = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => parentPath.slice(-2) + name)
const large = jpegPhoto({ bytes: 300_000 })

describe('a photo', () => {
  test('is whole once its last piece is here, in whatever order they come, and is stored under what it is', async () => {
    expect(await server().receive(anna, order(), pieceOf(large, 1), { most })).toEqual({ Stored: false, Received: 0 })
    expect(await stored()).toEqual([])
    expect(await server().receive(anna, order(), pieceOf(large, 0), { most })).toEqual({ Stored: true, Received: large.length })
    expect(await stored()).toEqual([hashOf(large)])
    expect(Buffer.from((await server().file(order(), hashOf(large))).bytes).equals(large)).toBe(true)
    expect(await house.database.general.selectFrom('photo_piece').selectAll().execute()).toEqual([])
  })

  test('that broke off goes on where it was, at another server too, and the same piece again changes nothing', async () => {
    const first = { Stored: false, Received: photoPieceBytes }
    expect(await server().receive(anna, order(), pieceOf(large, 0), { most })).toEqual(first)
    expect(await server().receive(anna, order(), pieceOf(large, 0), { most })).toEqual(first)
    expect(await server().receive(anna, order(), pieceOf(large, 1), { most })).toMatchObject({ Stored: true })
    expect(await server().receive(anna, order(), pieceOf(large, 0), { most })).toMatchObject({ Stored: true })
    expect(await server().listOf(order())).toMatchObject([{ sender: '安娜', sent_hash: hashOf(large), role: 'other' }])
  })

  test('is stored without where it was taken, and is called as it was sent', async () => {
    const sent = jpegPhoto({ extra: [exifWithGps] })
    await sendAll(sent)
    const [hash = ''] = await stored()
    expect(hash).not.toBe(hashOf(sent))
    const file = await readFile(join(folder, hash.slice(0, 2), hash.slice(2)))
    expect([hashOf(file), file.includes('GPS')]).toEqual([hash, false])
    const read = await server().file(order(), hashOf(sent))
    expect([read.type, read.tag, Buffer.from(read.bytes).includes('GPS')]).toEqual(['image/jpeg', hash, false])
    expect(await outcome(server().file(order(), hash))).toBe('photo not exists')
  })

  test('of two phones at once, of one account or of two, is there once of each that it belongs to', async () => {
    const all = [
      ...[anna, anna, bert].map((by) => sendAll(large, { by })),
      ...[sendAll(large, { to: order('2') }), sendAll(large, { by: bert, to: order('9', others) })],
    ]
    for (const received of await Promise.all(all)) expect(received.Received).toBeGreaterThanOrEqual(0)
    // Whoever lost the race for the last piece asks again, as its sender does.
    for (const to of [order(), order('2'), order('9', others)]) {
      for (const by of [anna, bert]) await sendAll(large, { by, to })
      expect(await server().listOf(to)).toHaveLength(1)
    }
    expect(await stored()).toEqual([hashOf(large)])
  })

  test('belongs to what it was sent for alone: whoever knows its name has not got it by that', async () => {
    await sendAll(large)
    const [theirs, hash] = [order('9', others), hashOf(large)]
    expect(await outcome(server().file(theirs, hash))).toBe('photo not exists')
    expect(await server().receive(bert, theirs, pieceOf(large, 1), { most })).toEqual({ Stored: false, Received: 0 })
    expect([...(await server().storedOf(order(), [hash, 'a'.repeat(64)]))]).toEqual([hash])
    expect([...(await server().storedOf(theirs, [hash]))]).toEqual([])
  })
})

describe('is refused, and nothing of it is kept:', () => {
  test.each([
    ['what is not what it is called', pieceOf(pngPhoto(), 0, 'a'.repeat(64)), 'photo damaged'],
    ['what is no photo', pieceOf(Buffer.from('<!doctype html><script>1</script>')), 'photo malformed'],
    ['a photo that is cut off', pieceOf(pngPhoto().subarray(0, -4)), 'photo malformed'],
    ['a piece in between', { ...pieceOf(large), Offset: 1 }, 'photo piece wrong'],
    ['a piece that is too short', { ...pieceOf(large), Bytes: 'AAAA' }, 'photo piece wrong'],
    ['a piece beyond the end', { ...pieceOf(large, 1), Offset: 2 * photoPieceBytes }, 'photo piece wrong'],
  ])('%s', async (_, piece, key) => {
    expect(await outcome(server().receive(anna, order(), piece, { most }))).toBe(key)
    expect(await stored()).toEqual([])
    expect(await house.database.general.selectFrom('photo_piece').selectAll().execute()).toEqual([])
    expect(await server().listOf(order())).toEqual([])
  })

  test('a wrong first piece shows by the whole, spoils what nobody else sends, and can be sent anew', async () => {
    const wrong = { ...pieceOf(large), Bytes: Buffer.alloc(photoPieceBytes).toString('base64') }
    await server().receive(anna, order(), wrong, { most })
    await server().receive(bert, order(), pieceOf(large), { most })
    expect(await outcome(server().receive(anna, order(), pieceOf(large, 1), { most }))).toBe('photo damaged')
    expect(await server().receive(bert, order(), pieceOf(large, 1), { most })).toMatchObject({ Stored: true })
    expect(await sendAll(large, { to: order('2') })).toMatchObject({ Stored: true })
  })

  test('one more than there may be, also of two that are sent at once', async () => {
    const as = { most: 2 }
    await sendAll(pngPhoto(), { as })
    const last = await Promise.all([outcome(sendAll(pngPhoto(), { as })), outcome(sendAll(pngPhoto(), { as }))])
    expect(last.toSorted()).toEqual(['done', 'too many'])
    expect(await server().listOf(order())).toHaveLength(2)
    expect(await outcome(sendAll(pngPhoto(), { as: { most: 2, note: 'comment' } as typeof as }))).toBe('done')
  })

  test('what the project has no room for, and nothing is lost of what others have', async () => {
    const [one, two] = [jpegPhoto({ bytes: 100_000 }), jpegPhoto({ bytes: 100_000 })]
    const photos = server(250_000)
    await sendAll(one, { photos })
    // The same content takes no more room.
    await sendAll(one, { photos, to: order('2') })
    const both = await Promise.all([two, jpegPhoto({ bytes: 100_000 })].map((each) => outcome(sendAll(each, { photos }))))
    expect(both.toSorted()).toEqual(['done', 'photos full'])
    expect(await outcome(sendAll(jpegPhoto({ bytes: 100_000 }), { photos }))).toBe('photos full')
    expect(await outcome(sendAll(two, { photos, to: order('9', others) }))).toBe('done')
  })

  test('so many begun and never finished, of one account', async () => {
    const begun = (by: Actor) => {
      const each = jpegPhoto({ bytes: 300_000 })
      return server().receive(by, order(), pieceOf(each), { most })
    }
    for (let count = 0; count < 50; count++) await begun(anna)
    expect(await outcome(begun(anna))).toBe('photos unfinished')
    expect(await outcome(begun(bert))).toBe('done')
    expect(await outcome(sendAll(pngPhoto()))).toBe('done')
  })
})

describe('a folder', () => {
  test('that cannot be written keeps nothing of a photo, and tells its sender to keep it', async () => {
    const bytes = pngPhoto()
    const shard = join(folder, hashOf(bytes).slice(0, 2))
    await writeFile(shard, 'in the way')
    expect(await outcome(sendAll(bytes))).toBe('photos away')
    expect(await server().listOf(order())).toEqual([])
    await rm(shard)
    expect(await sendAll(bytes)).toMatchObject({ Stored: true })
  })

  test('that lost a file, or has another in its place, answers neither', async () => {
    const bytes = pngPhoto()
    await sendAll(bytes)
    const hash = hashOf(bytes)
    const place = join(folder, hash.slice(0, 2), hash.slice(2))
    await writeFile(place, pngPhoto())
    expect(await outcome(server().file(order(), hash))).toBe('photo lost')
    await rm(place)
    expect(await outcome(server().file(order(), hash))).toBe('photo lost')
  })
})

describe('clearing up', () => {
  const later = (days: number) => {
    now += days * dayMs
    return server().tidy()
  }

  test('takes what was never finished after a week, and not before', async () => {
    await server().receive(anna, order(), pieceOf(large), { most })
    await later(6.9)
    expect(await server().receive(anna, order(), pieceOf(large, 1), { most })).toMatchObject({ Stored: true })
    await server().receive(anna, order('2'), pieceOf(large), { most })
    await later(7.1)
    expect(await house.database.general.selectFrom('photo_piece').selectAll().execute()).toEqual([])
    expect(await stored()).toEqual([hashOf(large)])
  })

  test('takes a photo whose comment never came, and leaves one whose comment did, or that something else has', async () => {
    const [lost, kept, linked] = [pngPhoto(), pngPhoto(), pngPhoto()]
    for (const each of [lost, kept, linked]) await sendAll(each, { as: { most, note: 'c', kept: false } as { most: number } })
    expect(await server().listOf(order())).toEqual([])
    await house.database.general.transaction().execute(async (trx) => {
      expect(await keepPhotos(trx, order(), 'c', [hashOf(kept), 'b'.repeat(64)])).toBe(1)
      expect(await linkPhotos(trx, order(), { kind: 'hazard', id: '7' }, [hashOf(linked)])).toBe(1)
      expect(await linkPhotos(trx, order(), { kind: 'hazard', id: '7' }, [hashOf(linked)])).toBe(1)
    })
    await later(7.1)
    expect((await stored()).toSorted()).toEqual([hashOf(kept), hashOf(linked)].toSorted())
    expect(await server().listOf({ kind: 'hazard', id: '7' })).toMatchObject([{ sent_hash: hashOf(linked), sender: '安娜' }])
    expect(await outcome(server().file(order(), hashOf(lost)))).toBe('photo not exists')
  })

  test('takes a file that nobody knows a week after it was found, and what a killed server left half written', async () => {
    const [bytes, old] = [pngPhoto(), new Date(now - 8 * dayMs)]
    const [shard, name] = [join(folder, 'ab'), 'c'.repeat(62)]
    const coming = join(folder, 'coming')
    for (const each of [shard, coming]) await mkdir(each)
    for (const each of [join(shard, name), join(coming, 'half')]) {
      await writeFile(each, bytes)
      await utimes(each, old, old)
    }
    await writeFile(join(folder, 'readme.txt'), 'whoever runs it put it here')
    await later(0)
    expect([existsSync(join(shard, name)), existsSync(join(coming, 'half'))]).toEqual([true, false])
    await later(7.1)
    expect([existsSync(join(shard, name)), existsSync(join(folder, 'readme.txt'))]).toEqual([false, true])
  })

  test('goes on behind a file that cannot be removed, says so once, and tries it again', async () => {
    const hashes = [jpegPhoto(), jpegPhoto(), jpegPhoto()].map(hashOf)
    const [broken = ''] = hashes
    for (const [index, hash] of hashes.entries())
      await wantContent(house.database, {
        ...{ hash, type: 'image/jpeg', size: 1, width: 1, height: 1 },
        wanted_at: new Date(now + index),
      })
    const logged: string[] = []
    const [removed, away] = [new Set<string>(), new Set([broken])]
    const photos = createPhotos({
      ...{ database: house.database, quotaBytes: 1e9, clock: () => now },
      content: {
        ...photoFolder(folder),
        async remove(hash) {
          if (away.has(hash)) throw new Error('held by another program')
          removed.add(hash)
        },
      },
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
    })
    now += 7.1 * dayMs
    await photos.tidy()
    expect([...removed]).toEqual(hashes.slice(1))
    now += 3_600_000
    await photos.tidy()
    expect(logged.map((line) => JSON.parse(line).photo)).toEqual([broken])
    const left = await house.database.general.selectFrom('photo_content').select(['hash', 'removal_failed']).execute()
    expect(left).toEqual([{ hash: broken, removal_failed: 'held by another program' }])
    away.clear()
    now += 3_600_000
    await photos.tidy()
    expect(await house.database.general.selectFrom('photo_content').selectAll().execute()).toEqual([])
    expect(removed.has(broken)).toBe(true)
  })

  test('leaves what somebody is just about to use, and two servers at once take everything once', async () => {
    const [unwanted, wanted] = [jpegPhoto(), jpegPhoto()]
    const content = photoFolder(folder)
    for (const bytes of [unwanted, wanted]) {
      const hash = hashOf(bytes)
      await wantContent(house.database, { hash, type: 'image/jpeg', size: 1, width: 1, height: 1, wanted_at: new Date(now) })
      await content.put(hash, { bytes, type: 'image/jpeg' })
    }
    now += 7.1 * dayMs
    const coming = { hash: hashOf(wanted), type: 'image/jpeg', size: 1, width: 1, height: 1, wanted_at: new Date(now) } as const
    await wantContent(house.database, coming)
    await Promise.all([server().tidy(), server().tidy()])
    expect(await stored()).toEqual([hashOf(wanted)])
  })
})
