import { readFile } from 'node:fs/promises'
import { insertScene } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const HouseID = (stack: Stack) => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const made = (stack: Stack, Name: string) =>
  stack.client.call(insertScene, {
    body: {
      ...{ HouseID: HouseID(stack), Name, Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ControllerID: 'A-T1', LineNo: 2, Action: 'trip', Order: 0 }],
    },
  })

test('scenes are ordered and exported as they are listed, and an administrator takes over those that nobody answers for', async ({
  page,
  stack,
}) => {
  const [first] = [await made(stack, '甲场景'), await made(stack, '乙场景'), await made(stack, '丙场景')]
  const db = await stack.server.database.connect()
  await db.query('update scene set owner_id = null where scene_id = $1', [first.SceneID])
  await db.end()
  await keepSession(page, stack)
  await page.goto('/scene/list')
  const names = page.locator('.scene-card h2')
  await page.getByRole('combobox', { name: '排序' }).selectOption({ label: '按修改时间' })
  await expect(page).toHaveURL(/sort=-Changed/)
  await expect(names).toHaveText(['丙场景', '乙场景', '甲场景'])
  await page.getByRole('button', { name: '倒序' }).click()
  await expect(names).toHaveText(['甲场景', '乙场景', '丙场景'])
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出' }).click()])
  const rows = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
  expect(rows.map((row) => row.match(/[甲乙丙]场景/)?.[0] ?? row.includes('名称'))).toEqual([true, '甲场景', '乙场景', '丙场景'])
  expect(rows[1]).toMatch(/项目A.*分闸 A线2.*从未执行.*admin · 无有效负责人/)

  await expect(page.getByText('1 个场景没有有效负责人')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize(phone)
  expect(await tooWide(page)).toEqual([])
  await page.getByRole('button', { name: '全部接管' }).click()
  const asked = page.getByRole('dialog', { name: '接管 1 个场景' })
  await expect(asked).toContainText(/项目A无有效负责人 1 项/)
  await asked.getByRole('button', { name: '全部接管' }).click()
  await expect(page.getByRole('dialog', { name: '接管结果' })).toContainText('已接管 1 项')
})
