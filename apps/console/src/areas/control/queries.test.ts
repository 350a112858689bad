import type { CommandRecord, List } from '@linewarden/contract'
import { lineCommands } from '@linewarden/contract'
import { expect, test, vi } from 'vitest'
import { keyOf } from '../../app/net/keys.ts'
import { inTestBrowser } from '../../dev/test-browser.ts'

inTestBrowser()

const sent: CommandRecord = {
  CommandID: 'c1',
  LineID: 7,
  ControllerID: 'A-1',
  LineNo: 1,
  Action: 'trip',
  State: 'sent',
  Outcome: null,
  Actor: 'admin',
  Source: 'console',
  Reason: { zh: '检修', en: '检修' },
  RequestedAt: 1_000,
  Deadline: 31_000,
  SentAt: 1_010,
  AcknowledgedAt: null,
  VerifiedAt: null,
  EndedAt: null,
  TripMs: null,
  RunID: null,
}
const verified: CommandRecord = { ...sent, State: 'verified', AcknowledgedAt: 1_020, VerifiedAt: 1_400, EndedAt: 1_400 }
const ofTime = (RequestedAt: number): CommandRecord => ({ ...verified, CommandID: `c${RequestedAt}`, RequestedAt })

/** A line's ledger in an open drawer. Each load takes a second and brings what the server held when it began; null: it fails. */
async function drawerOf(stored: readonly CommandRecord[] | null) {
  vi.resetModules()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('../../app/net/query-client.ts')
  const { putCommand, putOrdered } = await import('./queries.ts')
  const server = { stored }
  const observer = new QueryObserver<List<CommandRecord>>(queryClient, {
    queryKey: keyOf(lineCommands, { params: { ControllerID: 'A-1', LineNo: 1 }, query: { Size: 5 } }),
    queryFn: async () => {
      const items = server.stored
      await new Promise((done) => setTimeout(done, 1_000))
      if (items === null) throw new Error('the server did not answer')
      return { items: [...items], total: items.length }
    },
    retry: false,
  })
  observer.subscribe(() => {})
  return {
    putCommand,
    putOrdered,
    server,
    loads: () => vi.advanceTimersByTimeAsync(1_000),
    shown: () => observer.getCurrentResult().data?.items.map(({ CommandID, State }) => [CommandID, State]) ?? null,
  }
}

test('the answer to an order that comes after its last step does not set that back', async () => {
  const { putCommand, putOrdered, loads, shown } = await drawerOf([])
  await loads()
  putCommand(verified)
  putOrdered(sent)
  expect(shown()).toEqual([['c1', 'verified']])
  putCommand({ ...sent, CommandID: 'c2', RequestedAt: 2_000 })
  putCommand({ ...verified, CommandID: 'c2', RequestedAt: 2_000 })
  expect(shown()).toEqual([
    ['c2', 'verified'],
    ['c1', 'verified'],
  ])
})

test('a step during the first load is seen: what was read before it is read again', async () => {
  const { putCommand, server, loads, shown } = await drawerOf([sent])
  await vi.advanceTimersByTimeAsync(500)
  server.stored = [verified]
  putCommand(verified)
  await loads()
  expect(shown()).toEqual([['c1', 'verified']])
})

test('a step during a later load is not set back by it', async () => {
  const { putCommand, server, loads, shown } = await drawerOf([sent])
  await loads()
  const { queryClient } = await import('../../app/net/query-client.ts')
  void queryClient.invalidateQueries({ queryKey: keyOf(lineCommands) })
  await vi.advanceTimersByTimeAsync(500)
  server.stored = [verified]
  putCommand(verified)
  expect(shown()).toEqual([['c1', 'verified']])
  await loads()
  expect(shown()).toEqual([['c1', 'verified']])
})

test('where the ledger could not be loaded, an order makes it be asked for again', async () => {
  const { putOrdered, server, loads, shown } = await drawerOf(null)
  await loads()
  expect(shown()).toBeNull()
  server.stored = [sent]
  putOrdered(sent)
  await loads()
  expect(shown()).toEqual([['c1', 'sent']])
})

test('a sixth command leaves the newest five', async () => {
  const { putCommand, loads, shown } = await drawerOf([5, 4, 3, 2, 1].map(ofTime))
  await loads()
  putCommand(ofTime(6))
  expect(shown()?.map(([id]) => id)).toEqual(['c6', 'c5', 'c4', 'c3', 'c2'])
})

test('a step of a line that no drawer has open asks for nothing', async () => {
  const { putCommand, loads, shown } = await drawerOf([])
  await loads()
  const { queryClient } = await import('../../app/net/query-client.ts')
  putCommand({ ...verified, LineNo: 2 })
  expect(queryClient.isFetching()).toBe(0)
  expect(
    queryClient.getQueryData(keyOf(lineCommands, { params: { ControllerID: 'A-1', LineNo: 2 }, query: { Size: 5 } })),
  ).toBeUndefined()
  expect(shown()).toEqual([])
})
