import { expect, test } from 'vitest'
import { allCalls } from '../catalogue.ts'

/** The platform makes ids of version 5 of what they are about; anybody could know the next one of a linkage or a timer. */
const guessable = '4a7b6c1d-0000-5000-8000-000000000001'
const ownId = '4a7b6c1d-0000-4000-8000-000000000001'

interface Property {
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
}

test('an id that a caller makes of an order is none that the platform would make', () => {
  const made = allCalls.flatMap(({ name, body }) =>
    Object.entries((body as { properties?: Record<string, Property> } | undefined)?.properties ?? {})
      .filter(([key, { format }]) => format === 'uuid' && (key === 'CommandID' || key === 'BatchID' || key === 'RunID'))
      .map(([key, { pattern = '' }]) => ({
        call: `${name} ${key}`,
        taken: [guessable, ownId].map((id) => new RegExp(pattern).test(id)),
      })),
  )
  // What names an order that is there already, whoever made its id.
  const naming = ['linkageLog RunID', 'settingHistory BatchID', 'sceneLog RunID', 'stopScene RunID', 'listRuns RunID']
  const orders = made.filter(({ call }) => !naming.includes(call))
  expect(orders.map(({ call }) => call)).toEqual(
    expect.arrayContaining(['operateLine CommandID', 'runLinkage RunID', 'switchScene RunID']),
  )
  expect(orders.filter(({ taken: [byThePlatform, own] }) => byThePlatform || !own)).toEqual([])
})
