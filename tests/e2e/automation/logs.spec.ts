import type { TimerForm } from '@linewarden/contract'
import { insertTimer } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn } from '../../kit/stack.ts'
import { storeExecutions } from '../../kit/stored-executions.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const hour = 3_600_000
const tagged = { zh: '检修挂牌中：王海峰', en: 'Locked out by Wang Haifeng' }
const wanted = { zh: '定时「夜班」仍需供电', en: 'The timer “Night shift” still wants it on' }
const longName = '一号办公楼西侧三层走廊与会议室照明早晚送电定时'.slice(0, 32)

/** A timer that will be due at 07:30 and 20:00 each day of years to come, so that none of it runs now, and what it and a scene did of late. */
async function seed(stack: Stack): Promise<number> {
  const db = await stack.server.database.connect()
  await db.query('delete from operation_run where automation_run_id is not null')
  await db.query('delete from automation_run')
  await db.query('delete from timer')
  await db.end()
  const client = await signedIn(stack.url, stack.admin)
  const HouseID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  const form: TimerForm = {
    ...{
      Name: longName,
      Function: 'switch',
      Type: 'weekly',
      Period: { Days: 127, FromDate: '2040-01-01' },
      Exceptions: [],
      KeepWhileWanted: true,
    },
    Points: [
      { PointNo: 1, At: '07:30', Action: 'close' },
      { PointNo: 2, At: '20:00', Action: 'trip' },
    ],
    Lines: [1, 2].map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
    Enabled: true,
  }
  const { TimerID } = await client.call(insertTimer, { body: { HouseID, ...form } })
  const now = Date.now()
  const of = { sourceId: TimerID, name: longName }
  const verified = { state: 'ordered' as const, command: 'verified' as const }
  await storeExecutions(stack, [
    { ...of, action: 'close', dueAt: now - 20 * hour, claimedAt: now - 20 * hour + 90_000, state: 'missed', why: 'serverDown' },
    {
      ...{ ...of, action: 'close' as const, dueAt: now - 6 * hour, claimedAt: now - 6 * hour + 40, state: 'partly' as const },
      lines: [
        { lineNo: 1, ...verified },
        { lineNo: 2, state: 'refused', key: 'tagged', text: tagged },
      ],
    },
    {
      ...{ ...of, dueAt: now - 4 * hour, claimedAt: now - 4 * hour + 60, state: 'done' as const },
      lines: [
        { lineNo: 1, ...verified },
        { lineNo: 3, state: 'skipped', key: 'stillWanted', text: wanted },
      ],
    },
    { ...of, dueAt: now - 2 * hour, claimedAt: now - 2 * hour + 50, state: 'done', lines: [{ lineNo: 1, ...verified }] },
    {
      ...{ source: 'scene' as const, sourceId: 1, name: '换型', dueAt: null, claimedAt: now - hour, state: 'partly' as const },
      ...{ actor: '周敏', reason: '换型完成' },
      lines: [
        { lineNo: 4, action: 'trip', ...verified },
        { lineNo: 5, action: 'close', state: 'refused', key: 'tagged', text: tagged },
      ],
    },
  ])
  return TimerID
}

test.beforeEach(async ({ page, stack }) => {
  await seed(stack)
  await keepSession(page, stack)
})

const log = (page: Page, name = '定时日志') => page.getByRole('table', { name })
const runs = (page: Page, name?: string) => log(page, name).locator('tr.run')

test('what was missed or refused stands first, and a run opens to its lines with the words of the permit', async ({ page }) => {
  await page.goto('/timer/log')
  await expect(log(page).locator('tr.group')).toHaveText(['错过、被拒绝与跳过', '完成'])
  await expect(runs(page)).toContainText([
    /合闸.*部分完成.*完成 1 · 被拒绝 1.*A线2：检修挂牌中：王海峰/s,
    /合闸.*错过.*未下发.*服务器未运行/s,
    /分闸.*完成.*完成 1 · 跳过 1.*A线3：定时「夜班」仍需供电/s,
    /分闸.*完成/s,
  ])
  await runs(page).first().getByRole('button').click()
  await expect(log(page).locator('tr.line:not(.about)')).toContainText([
    /1.*A线1.*合闸.*完成.*第 1 轮.*下发 \+0\.00 s › 核实 \+0\.90 s/s,
    /2.*A线2.*被拒绝.*未下发.*检修挂牌中/s,
  ])
  await expect(log(page).locator('.run-trace')).toContainText(/应执行.*UTC\+8.*Asia\/Shanghai.*第 1 版.*李强.*按时处理.*迟到/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])
  await log(page).getByRole('button', { name: /^步骤/ }).first().click()
  await expect(page.getByRole('dialog', { name: '操作步骤' })).toContainText('A线1')
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).first().click()
  await page.reload()
  await expect(log(page).locator('tr.line:not(.about)')).toHaveCount(2)
})

test('the counts narrow the log, and the address keeps what was narrowed', async ({ page }) => {
  await page.goto('/timer/log')
  await page.getByRole('button', { name: /^错过\s*1$/ }).click()
  await expect(runs(page)).toHaveCount(1)
  await expect.poll(() => new URL(page.url()).search).toBe('?state=missed')
  await page.getByRole('button', { name: /^合计\s*4$/ }).click()
  await page.getByRole('button', { name: '错过与拒绝先列' }).click()
  await expect(log(page).locator('tr.group')).toHaveCount(0)
  await expect(runs(page).first()).toContainText('完成 1')
  await page.getByLabel('名称').fill('没有这个')
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('why a timer did nothing is one sentence, then its checks up to the one that fails', async ({ page }) => {
  await page.goto('/timer/log')
  const box = page.getByRole('region', { name: /为什么/ })
  await box.getByRole('button', { name: '查' }).click()
  await expect(box.getByRole('alert')).toHaveText('选择定时')
  await box.getByRole('combobox').click()
  await page.getByRole('option', { name: longName }).click()
  await box.getByRole('textbox', { name: '日期' }).fill('2040-05-07')
  await box.getByRole('textbox', { name: '时刻' }).fill('08:00')
  await box.getByRole('button', { name: '查' }).click()
  await expect(box.getByRole('heading', { level: 3 }).first()).toHaveText('08:00 不是执行时间')
  await expect(box.locator('.why-chain li')).toHaveText([
    '定时启用现在为第 1 版，启用',
    '在起止日期内2040-01-01 – …',
    '不是例外日期0 段例外，不含这一天',
    /日期在周期内2040-05-07 周一，工作日.*周期为每天/,
    '08:00 是执行时间执行时间只有 07:30 合闸、20:00 分闸',
  ])
  await expect(box.locator('.why-chain .failed b')).toHaveText('08:00 是执行时间')
  await expect(box.locator('.why-facts')).toContainText(/当天前一次.*07:30 合闸.*当天后一次.*20:00 分闸/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.reload()
  await expect(box.getByRole('heading', { level: 3 }).first()).toHaveText('08:00 不是执行时间')
})

test('the log of scenes says who ran one and why, also on a phone', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto('/scene/log')
  await expect(runs(page, '场景日志')).toContainText([/换型.*周敏.*部分完成/s])
  await runs(page, '场景日志').first().getByRole('button').click()
  await expect(page.getByText('说明：换型完成')).toBeVisible()
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.goto('/timer/log')
  await expect(runs(page)).toHaveCount(4)
  expect(await tooWide(page)).toEqual([])
})

test('a run that begins while the log is open comes into it by itself, and says so when its position is verified', async ({
  page,
  stack,
}) => {
  await page.goto('/timer/log')
  await expect(runs(page)).toHaveCount(4)
  const HouseID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  const due = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000 + 8 * hour).toISOString()
  const form: TimerForm = {
    ...{ Name: '即时分闸', Function: 'switch', Type: 'once', Period: { Date: due.slice(0, 10) }, Exceptions: [] },
    Points: [{ PointNo: 1, At: due.slice(11, 19), Action: 'trip' }],
    ...{ Lines: [{ ControllerID: 'A-T1', LineNo: 6 }], KeepWhileWanted: true, Enabled: true },
  }
  await stack.client.call(insertTimer, { body: { HouseID, ...form } })
  // Asked for by itself it is only once a minute.
  await expect(runs(page).filter({ hasText: '即时分闸' })).toContainText(/分闸.*完成 1/s, { timeout: 30_000 })
})
