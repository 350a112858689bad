import { taggedLines } from '@linewarden/contract'
import { tagsInForce } from '@linewarden/rules/control'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Which lines are tagged, for pages that watch none of them.
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  calm(stack)
})
afterAll(() => stack?.close())

test('whoever sees a line learns of its tags, whatever pages they may open, and by whichever server a tag was hung', async () => {
  const { accounts, database, plant } = stack.server
  const roleId = await accounts.createRole({ number: 'log', name: '审计', privileges: ['system', 'system.log'], buttons: [] })
  const projectIds = [...plant.projects.values()].filter(({ name }) => name === '项目A').map(({ id }) => id)
  await accounts.createAccount({ userName: 'auditor', password: 'Duty-7391', kind: 'sub', roleId, projectIds })
  const auditor = await signedIn(stack.url, { userName: 'auditor', password: 'Duty-7391' })
  const ids = [plant.lineAt('A-T1', 3), plant.lineAt('B-T1', 1)].map((line) => line?.id ?? 0)
  const tagged = async () =>
    (await auditor.call(taggedLines)).items.flatMap(({ LineID, Tags }) => (ids.includes(LineID) ? { LineID, Tags } : []))
  expect(await tagged()).toEqual([])
  const db = await database.connect()
  for (const id of ids)
    await db.query(
      `insert into tag (tag_id, line_id, kind, holder, reason, placed_at) values ($1, $2, 'tag', '另一台服务器', '检修', now())`,
      [crypto.randomUUID(), id],
    )
  const line = plant.lineAt('A-T1', 3)
  expect(line && tagsInForce(line)).toEqual([])
  expect(await tagged()).toEqual([{ LineID: ids[0], Tags: 1 }])
  await db.query(`update tag set removed_at = now(), removed_by = holder where holder = '另一台服务器'`)
  await db.end()
  expect(await tagged()).toEqual([])
})
