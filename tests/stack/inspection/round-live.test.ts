import { once } from 'node:events'
import type { Client } from '@linewarden/client'
import type { LiveMessage } from '@linewarden/contract'
import { abandonRound, finishRound, livePath, liveTicket } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { OrderHouse } from '../../kit/order-house.ts'
import { allFine, detailsOf, phone, started } from '../../kit/round-house.ts'

// That something became of a round is told to whoever sees it, so that a page follows what phones send.
let house: OrderHouse
const sockets: WebSocket[] = []

beforeAll(async () => {
  house = await OrderHouse.start()
})
afterAll(() => {
  for (const socket of sockets) socket.terminate()
  return house?.stack.close()
})

/** Rounds that a live socket was told of. */
async function publishedTo(client: Client): Promise<string[]> {
  const { Ticket } = await client.call(liveTicket)
  const socket = new WebSocket(`${house.stack.url.replace('http', 'ws')}${livePath}?ticket=${Ticket}`)
  sockets.push(socket)
  const rounds: string[] = []
  socket.on('message', (bytes) => {
    for (const message of JSON.parse(String(bytes)) as LiveMessage[])
      if (message.t === 'inspectionRound') rounds.push(message.RoundID)
  })
  await once(socket, 'open')
  return rounds
}

test('a start, answers, an end and a refusal: the page is told once of each that became something, and nobody who has no such page', async () => {
  const privileges = ['hazard', 'hazard.patrol']
  const inspector = await house.person('王海峰', { privileges })
  const published = await publishedTo((await house.person('周敏', { privileges })).client)
  const elsewhere = await publishedTo((await house.person('李强', { privileges: ['hazard', 'hazard.workorder'] })).client)
  const round = await started(house, inspector)
  const times = (count: number) => vi.waitFor(() => expect(published).toEqual(Array(count).fill(round.RoundID)))
  await times(1)
  await allFine(inspector, round, phone())
  await times(2)
  await inspector.client.call(finishRound, { params: { RoundID: round.RoundID }, body: {} })
  await times(3)
  const { Version } = (await detailsOf(inspector, round)).Round
  const again = inspector.client.call(abandonRound, {
    params: { RoundID: round.RoundID },
    body: { Version, Reason: '已经完成' },
  })
  await expect(again).rejects.toThrow()
  const other = await started(house, inspector)
  await vi.waitFor(() => expect(published).toEqual([...Array(3).fill(round.RoundID), other.RoundID]))
  expect(elsewhere).toEqual([])
})
