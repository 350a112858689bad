import type { LinkageForm } from '@linewarden/contract'
import { insertLinkage } from '@linewarden/contract'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const form: LinkageForm = {
  ...{
    Name: '过载分闸',
    Enabled: false,
    Mode: 'live',
    Match: 'all',
    ActiveHours: [],
    CooldownS: 300,
    MaxPerHour: 6,
    MaxPerDay: 24,
  },
  MayClose: false,
  Conditions: [{ Kind: 'point', ControllerID: 'A-T1', LineNo: 1, Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 }],
  Actions: [{ Kind: 'trip', ControllerID: 'A-T1', LineNo: 2, DelayS: 0 }],
}
const first = '0193a0f0-0000-5000-8000-000000000001'
const second = '0193a0f0-0000-5000-8000-000000000002'

/** A firing, one in shadow mode that it caused, and one that a cooldown left out. */
async function happened(stack: Stack): Promise<void> {
  const line = stack.server.plant.lineAt('A-T1', 1)
  const other = stack.server.plant.lineAt('A-T1', 2)
  if (!line || !other) throw new Error('the small plan has eight lines')
  const HouseID = line.device.gateway.project.id
  const { LinkageID } = await stack.client.call(insertLinkage, { body: { HouseID, ...form } })
  const at = Date.now() - 600_000
  const trace = (mode: string, value: number, acts: boolean) => ({
    ...{ at, mode, match: 'all', version: 1 },
    conditions: [
      { kind: 'point', lineId: line.id, key: 'power.total', op: '>', limit: 260, value, ageMs: 800, truth: true, since: at },
    ],
    wouldHave: acts ? [] : [{ kind: 'trip', lineId: other.id, sceneId: null }],
  })
  const db = await stack.server.database.connect()
  const add = (id: string, state: string, why: string | null, cause: string[], what: object) =>
    db.query(
      `insert into automation_run (run_id, source, source_id, project_id, name, claimed_at, ended_at, state, why, actor, cause, trace)
       values ($1, 'linkage', $2, $3, '过载分闸', $4, $4, $5, $6, 'admin', $7, $8)`,
      [id, LinkageID, HouseID, new Date(at), state, why, cause, what],
    )
  await add(first, 'done', null, [], trace('live', 281.5, true))
  await add(second, 'skipped', 'shadow', [first], trace('shadow', 290, false))
  await db.query(
    `insert into linkage_near (linkage_id, project_id, why, slot, at, name, mode, trace) values ($1, $2, 'cooldown', 1, $3, '过载分闸', 'live', $4)`,
    [LinkageID, HouseID, new Date(at), trace('live', 275, false)],
  )
  await db.end()
}

test('firings with their values, those in shadow mode marked, what nearly fired where it is asked for, and their cause', async ({
  page,
  stack,
}) => {
  await keepSession(page, stack)
  await page.goto('/linkage/log')
  await expect(page.getByText('这段时间没有联动动作')).toBeVisible()
  await happened(stack)
  await page.reload()
  const rows = page.getByRole('table', { name: '联动日志' }).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: '完成' })).toContainText(/过载分闸.*A线1 总功率\s+281\.50 kW > 260 kW/s)
  await expect(rows.filter({ hasText: '试运行' })).toContainText(/本应分闸\s+A线2/)
  await page.getByRole('button', { name: /^险些动作\s*1$/ }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('冷却中')
  await page.getByRole('combobox', { name: '全部原因' }).selectOption('冷却中 1')
  await expect.poll(() => new URL(page.url()).search).toBe('?which=near&why=cooldown')
  await page.getByRole('button', { name: /^动作与险些动作\s*3$/ }).click()
  await expect(rows).toHaveCount(3)
  await rows.filter({ hasText: '试运行' }).getByRole('button').click()
  const details = page.locator('tr.details')
  await expect(details).toContainText(
    /A线1 总功率\s+> 260 kW.*290 kW.*成立 · 0\.8 秒前的值.*没有下发.*权限人 admin.*由以下执行引起.*过载分闸/s,
  )
  expect(await violationsInBothThemes(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  expect((await download).suggestedFilename()).toMatch(/^联动日志-.*\.csv$/)
  await details.getByRole('link').click()
  await expect(rows.filter({ hasText: '281.50 kW' }).first()).toBeVisible()
  await expect.poll(() => new URL(page.url()).search).toBe(`?run=${first}`)

  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/linkage/log?which=both')
  await expect(page.getByRole('table', { name: 'Linkage log' })).toContainText(/Nearly fired/)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})
