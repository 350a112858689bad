import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImpacts } from './impact.ts'
import { testLines } from './test-lines.ts'

let house: Awaited<ReturnType<typeof testLines>>
beforeAll(async () => {
  house = await testLines()
  await house.database.control.schema.alterTable('line').renameTo('away').execute()
})
afterAll(() => house?.drop())

test('a trip of one line, and a silence, wait for no answer of the database; a trip of two and a close do', async () => {
  const impacts = createImpacts({ database: house.database, plant: house.plant, confirmAboveLines: 10, clock: () => 0 })
  const [line, other] = [house.line(1), house.line(2)]
  await impacts.refuseUnlessConfirmed([line], 'trip', null)
  await impacts.refuseUnlessConfirmed([line, other], 'silence', null)
  await expect(impacts.refuseUnlessConfirmed([line, other], 'trip', null)).rejects.toThrow('"line"')
  await expect(impacts.refuseUnlessConfirmed([line], 'close', null)).rejects.toThrow('"line"')
})
