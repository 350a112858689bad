import { beforeEach, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import { Downloads } from './downloads.ts'

const someone = (accountId: string, tenant: string | null) =>
  ({ accountId, sessionId: `session of ${accountId}`, tenant }) as Actor
const file = {
  fileName: 'a.csv',
  type: 'text/csv',
  async *bytes() {
    yield new Uint8Array(1)
  },
}

let now = 0
let downloads: Downloads
beforeEach(() => {
  now = 0
  downloads = new Downloads(() => now)
})

/** One that somebody fetches and reads no further. */
const begin = (actor: Actor) => {
  const taken = downloads.take(downloads.issue(actor, file).Ticket)
  if (!taken) throw new Error('it did not begin')
  return taken
}

test('tickets that are only asked for hold up nobody else', () => {
  for (let each = 0; each < 20; each++) downloads.issue(someone(`b${each}`, 'bert'), file)
  expect(() => begin(someone('anna', 'anna'))).not.toThrow()
})

test('who reads no further holds up their own tenant and no other', () => {
  for (let each = 0; each < 3; each++) begin(someone(`b${each}`, 'bert'))
  expect(() => begin(someone('b9', 'bert'))).toThrow('Too many downloads')
  expect(() => begin(someone('anna', 'anna'))).not.toThrow()
})

test('of tickets from before the tenant was full none begins', () => {
  const { Ticket } = downloads.issue(someone('b9', 'bert'), file)
  for (let each = 0; each < 3; each++) begin(someone(`b${each}`, 'bert'))
  expect(() => downloads.take(Ticket)).toThrow('Too many downloads')
})

test('all tenants together have a limit too', () => {
  for (let each = 0; each < 12; each++) begin(someone(`a${each}`, `tenant ${each}`))
  expect(() => begin(someone('anna', 'anna'))).toThrow('Too many downloads')
})

test('the end of a session ends what was prepared in it and what is being fetched, and no other', () => {
  const bert = someone('bert', 'bert')
  const waiting = downloads.issue(bert, file).Ticket
  const { signal } = begin(bert)
  const other = begin(someone('anna', 'anna'))
  downloads.endSession(bert.sessionId)
  expect([downloads.take(waiting), signal.aborted, other.signal.aborted]).toEqual([null, true, false])
})

test('one that is read to its end makes room for the next', async () => {
  for (let each = 0; each < 4; each++) {
    const { bytes } = begin(someone(`b${each}`, 'bert'))
    for await (const piece of bytes) expect(piece).toHaveLength(1)
  }
})
