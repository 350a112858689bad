import { insertLinkage } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, startLinkageHouse } from '../../kit/linkage-house.ts'

// A linkage whose evaluation fails: no plant can bring that about, so that here what it asks of a line does.
let house: LinkageHouse
const logged: string[] = []
const words = 'a linkage cannot be evaluated'
const expects = {
  test(line: string) {
    if (line.includes(words)) logged.push(line)
    return line.includes(words)
  },
} as RegExp
beforeAll(async () => {
  house = await startLinkageHouse({ expects })
})
afterAll(() => house?.stack.close())

test('a linkage that cannot be evaluated is logged once, again when it fails after it went well, and keeps no other back', async () => {
  const position = { Kind: 'state', ...at(4), Key: 'position', Op: '=', Value: 0, ForS: 0 } as const
  await house.stack.client.call(insertLinkage, {
    body: house.form('坏', { Conditions: [position], Actions: [does('raise', 4)] }),
  })
  const { LinkageID } = await house.made('好', { Conditions: [above(2)], Actions: [does('trip', 2)] })
  await house.reported()
  const { ingest, plant } = house.stack.server
  const [line, ask] = [plant.lineAt('A-T1', 4), ingest.hasValidPosition.bind(ingest)]
  const fails = (isFailing: boolean) =>
    Object.assign(ingest, {
      hasValidPosition(of: typeof line & object) {
        if (isFailing && of === line) throw new Error('on purpose')
        return ask(of)
      },
    })
  const looked = async () => {
    await house.reported()
    await house.engine().tick()
    return logged.length
  }
  fails(true)
  expect([await looked(), await looked()]).toEqual([1, 1])
  await house.currentOf(2, 60)
  await house.stands(2, 'open')
  expect((await house.logOf(LinkageID)).length).toBe(1)
  fails(false)
  await looked()
  house.pass(60_000)
  fails(true)
  expect([await looked(), await looked()]).toEqual([2, 2])
  fails(false)
})
