import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

const byName = { name: ({ name }: { name: string | null }) => name }
const people = new Intl.Collator('zh-CN', { numeric: true })

test('names are ordered as people do, whatever was ordered before', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 })), (names) => {
      const sorted = inOrder(
        names.map((name, at) => ({ name, at })),
        'name',
        byName,
      )
      for (const [index, { name, at }] of sorted.entries()) {
        const before = sorted[index - 1]
        if (!before) continue
        const order = people.compare(before.name, name)
        expect(order <= 0).toBe(true)
        // What is alike stays in the order it came in.
        if (order === 0) expect(before.at).toBeLessThan(at)
      }
    }),
  )
})

test('downwards is upwards from the end; what is not known stands at the end of both', () => {
  const items = ['10#', null, '2#', '2#'].map((name, at) => ({ name, at }))
  expect(inOrder(items, 'name', byName).map(({ at }) => at)).toEqual([2, 3, 0, 1])
  expect(inOrder(items, '-name', byName).map(({ at }) => at)).toEqual([0, 3, 2, 1])
  expect(inOrder(items, undefined, byName)).toBe(items)
})
