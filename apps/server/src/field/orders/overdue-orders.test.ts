import { pino } from 'pino'
import { expect, test } from 'vitest'
import { watchOverdueOrders } from './overdue-orders.ts'

const order = (commandId: string) => ({ commandId })

/** What two looks in a row find, and what a dispatcher follows at each; answers what is ended. */
async function swept(looks: readonly (readonly string[])[], openAt: readonly (readonly string[])[]): Promise<readonly string[]> {
  let look = 0
  const ended: string[] = []
  const overdueOrders = watchOverdueOrders({
    async overdue() {
      look += 1
      return (looks[look - 1] ?? []).map(order)
    },
    isOpen: (id) => openAt[look - 1]?.includes(id) ?? false,
    async end(orders) {
      ended.push(...orders.map(({ commandId }) => commandId))
    },
    clock: () => 0,
    log: pino({ level: 'silent' }),
  })
  await overdueOrders.tick()
  return ended
}

test('an order that nobody carries at two looks in a row is ended', async () => {
  expect(await swept([['a'], ['a']], [[], []])).toEqual(['a'])
})

test('what is over at the second look, was carried at the first, or is taken up meanwhile, is left alone', async () => {
  expect(await swept([['a', 'b'], ['b']], [[], []])).toEqual(['b'])
  expect(
    await swept(
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      [['a'], []],
    ),
  ).toEqual(['b'])
  expect(
    await swept(
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      [[], ['a']],
    ),
  ).toEqual(['b'])
  expect(await swept([['b'], ['a', 'b']], [[], []])).toEqual(['b'])
})
