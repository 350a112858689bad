import type { TimerForm } from '@linewarden/contract'
import { insertTimer, queryTimers } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'
import { fromNow, inMidstOfDay } from './shanghai.ts'

test.use({ options: { plan: smallPlan } })

const weekly = (Name: string, points: readonly [string, 'trip' | 'close'][], lines: readonly number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Exceptions: [], KeepWhileWanted: true, Enabled: true },
  Points: points.map(([At, Action], index) => ({ PointNo: index + 1, At, Action })),
  Lines: lines.map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
})

const insert = (stack: Stack, form: TimerForm & { readonly ConflictReason?: string }) => {
  const HouseID = stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  return stack.client.call(insertTimer, { body: { HouseID, ...form } })
}

async function clear(stack: Stack): Promise<void> {
  const db = await stack.server.database.connect()
  await db.query('delete from automation_run; delete from timer_due; delete from timer_line; delete from timer')
  await db.end()
}

const bySubUsers = 'a sub-user operates timers with both permissions, and else reads which one is missing'

test.beforeEach(async ({ page, stack }, { title }) => {
  await clear(stack)
  // An account has five sessions, and the oldest gives way: that of the stack's own client would be it.
  if (title !== bySubUsers) await keepSession(page, stack)
})

const list = (page: Page) => page.getByRole('table', { name: '定时列表' })

test('timers are listed with what each does next; the address holds the filters; whoever is asked disables one', async ({
  page,
  stack,
}) => {
  const at = fromNow()
  await page.goto('/timer/list')
  await expect(page.getByText('还没有定时')).toBeVisible()
  await page.getByRole('button', { name: '从模板' }).click()
  await expect(page.getByRole('button', { name: '走廊照明 日落开日出关' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('button', { name: '新建', exact: true })).toBeVisible()
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        [at(6), 'close'],
        [at(12), 'trip'],
      ],
      [1, 2, 3],
    ),
  )
  await insert(stack, { ...weekly('旧仓库照明', [[at(16), 'trip']], [4]), Enabled: false })
  await page.reload()
  await expect(list(page).locator('tbody tr')).toHaveCount(2)
  await expect(list(page)).toContainText(
    /早班送电.*每周 · 每天.*分合闸.*[今明]天 \d\d:\d\d [分合]闸.*后.*3 路.*A线1、A线2 等.*未执行过/s,
  )
  await expect(list(page)).toContainText(/旧仓库照明.*已停用/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])

  await page.getByRole('combobox', { name: '启用与停用' }).selectOption('no')
  await expect(list(page).locator('tbody tr')).toHaveCount(1)
  await expect.poll(() => new URL(page.url()).search).toBe('?on=no')
  await page.getByRole('button', { name: '无有效负责人', exact: true }).click()
  await page.getByRole('button', { name: '清除筛选' }).click()
  await page.getByRole('treeitem', { name: /项目B/ }).click()
  await expect(page.getByText('还没有定时')).toBeVisible()
  await page.getByRole('treeitem', { name: /项目A/ }).click()

  await list(page).getByRole('switch', { name: '停用 早班送电' }).click()
  const dialog = page.getByRole('dialog', { name: '停用 早班送电' })
  await expect(dialog).toContainText(/下一次 [今明]天 \d\d:\d\d [分合]闸 将不执行/)
  await dialog.getByRole('button', { name: '停用', exact: true }).click()
  await expect(list(page).getByRole('switch', { name: '启用 早班送电' })).toHaveAttribute('aria-checked', 'false')
})

test('the drawer says what comes next and what will go wrong; a run is skipped and unskipped; another takes over; it is removed', async ({
  page,
  stack,
}) => {
  const at = fromNow()
  await insert(
    stack,
    weekly(
      '夜班',
      [
        [at(6, 300), 'close'],
        [at(12, 1_200), 'trip'],
      ],
      [2],
    ),
  )
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        [at(6), 'close'],
        [at(12), 'trip'],
      ],
      [1, 2],
    ),
  )
  const opposite = weekly(
    '夜烘',
    [
      [at(12, 30), 'close'],
      [at(12, 900), 'trip'],
    ],
    [1],
  )
  await insert(stack, { ...opposite, ConflictReason: '试产' })
  const db = await stack.server.database.connect()
  await db.query("update timer set owner_id = null where name = '夜班'")
  await db.query(`insert into automation_run (run_id, source, source_id, project_id, name, point_no, due_at, claimed_at, ended_at, state, why, actor, trace)
    select gen_random_uuid(), 'timer', timer_id, project_id, name, 1, now() - interval '3 days', now() - interval '3 days', now() - interval '3 days',
      'missed', 'serverDown', 'admin', '{"action":"close"}' from timer where name = '早班送电'`)
  await db.end()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/timer/list?sort=Name')
  await expect(list(page)).toContainText(/夜班.*无有效负责人/s)
  await expect(list(page)).toContainText(/早班送电.*错过 1/s)
  await page.getByRole('button', { name: '看 早班送电' }).click()
  const drawer = page.getByRole('dialog', { name: '定时详情' })
  await expect(page).toHaveURL(/timer=\d+/)
  await expect(drawer).toContainText(`分合闸 · 每周 每天 · ${at(6)} 合闸，${at(12)} 分闸 · 2 路`)
  await expect(drawer.locator('.timer-next li')).toHaveCount(5)
  await expect(drawer.getByRole('region', { name: '一周' })).toContainText(/A线1.*A线2/s)
  await expect(drawer.getByRole('region', { name: '冲突' })).toContainText('A线1：与“夜烘”在 60 秒内动作相反')
  await expect(drawer.getByRole('region', { name: '执行记录' })).toContainText(/合闸.*错过.*未下发.*服务器停机/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])

  await drawer.getByRole('button', { name: /^跳过 / }).click()
  const skip = page.getByRole('dialog', { name: '跳过 早班送电 的下一次' })
  await expect(skip).toContainText(/将不执行，之后照常.*以下线路届时不[分合]闸.*A线1.*A线2/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  await skip.getByRole('button', { name: '跳过', exact: true }).click()
  await expect(drawer.locator('.timer-next li').first()).toContainText('已跳过')
  await drawer.getByRole('button', { name: '取消跳过' }).click()
  await page.getByRole('dialog', { name: '取消跳过 早班送电' }).getByRole('button', { name: '取消跳过' }).click()
  await expect(drawer.locator('.timer-next li').first()).not.toContainText('已跳过')

  await expect(page.getByRole('dialog', { name: '取消跳过 早班送电' })).toHaveCount(0)
  await drawer.getByRole('button', { name: '关闭' }).click()
  await expect(drawer).toHaveCount(0)
  await page.getByRole('button', { name: '看 夜班' }).click()
  await expect(drawer).toContainText('A线2 将被拒绝，负责人已无权操作')
  await drawer.getByRole('button', { name: '接管' }).click()
  await page.getByRole('dialog', { name: '接管 夜班' }).getByRole('button', { name: '接管', exact: true }).click()
  await expect(drawer.getByText('无有效负责人')).toHaveCount(0)
  await drawer.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog', { name: '删除 夜班' }).getByRole('button', { name: '删除', exact: true }).click()
  await expect(drawer).toHaveCount(0)
  await expect(list(page).locator('tbody tr')).toHaveCount(2)
})

test('above the list stands what is wrong; all without an owner are taken over at once; a day has what happened and what will; what is late is said on every page', async ({
  page,
  stack,
}) => {
  await inMidstOfDay()
  const at = fromNow()
  const calendar = weekly(
    '早班送电',
    [
      [at(6), 'close'],
      [at(12), 'trip'],
    ],
    [1, 2],
  )
  await insert(stack, { ...calendar, Type: 'calendar', Period: { Classes: ['workday', 'restday', 'holiday', 'special'] } })
  await insert(stack, weekly('夜班', [[at(11), 'trip']], [3]))
  const db = await stack.server.database.connect()
  await db.query("update timer set owner_id = null where name = '夜班'")
  await db.query(`insert into automation_run (run_id, source, source_id, project_id, name, point_no, due_at, claimed_at, ended_at, state, why, actor, trace)
    select gen_random_uuid(), 'timer', timer_id, project_id, name, 1, at, at + interval '40 s', at + interval '40 s', 'missed', 'serverDown', 'admin',
      '{"action":"close"}' from timer, (select date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as at) as midnight
    where name = '早班送电'`)
  const { HouseID } = (await stack.client.call(queryTimers, { body: { Text: '夜班' } })).items[0] ?? { HouseID: 0 }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/timer/list?at=house:${HouseID}`)
  const strip = page.getByRole('region', { name: '定时概况' })
  await expect(strip).toContainText(/启用2共 2.*今日点次\d+已执行 \d+ · 待执行 \d+.*下一次.*无有效负责人1.*7 天内错过1次/s)
  await strip.getByRole('button', { name: /无有效负责人/ }).click()
  await expect(list(page).locator('tbody tr')).toHaveCount(1)
  await expect(page).toHaveURL(/owner=none/)
  await page.getByRole('button', { name: '全部接管' }).click()
  const all = page.getByRole('dialog', { name: '接管 1 个定时' })
  await expect(all).toContainText('项目A无有效负责人 1 项')
  expect(await violationsInBothThemes(page)).toEqual([])
  await all.getByRole('button', { name: '全部接管' }).click()
  await expect(page.getByRole('dialog', { name: '接管结果' })).toContainText('项目A已接管 1 项')
  await page.getByRole('dialog', { name: '接管结果' }).getByRole('button', { name: '关闭' }).click()
  await expect(strip).toContainText('无有效负责人0')

  // No run is stored while it is held up: what is due then stays unclaimed.
  await db.query('begin; lock table automation_run in share mode')
  const other = await stack.server.database.connect()
  await other.query(
    "update timer_due set due_at = now() - interval '40 s' where timer_id = (select timer_id from timer where name = '夜班')",
  )
  await other.end()
  try {
    await page.goto(`/timer/list?at=house:${HouseID}&day=1`)
    const day = page.getByRole('main')
    await expect(day.locator('.day-item').first()).toContainText(
      /00:00.*合闸.*早班送电.*2 路.*A线1、A线2.*错过.*到点时服务器未运行/s,
    )
    await expect(day.locator('.day-item', { hasText: '夜班' }).first()).toContainText(/到点未处理，已迟/)
    await expect(page.getByRole('alert').filter({ hasText: '1 个定时到点未处理' })).toBeVisible()
    await expect(day.locator('[aria-current=time]')).toContainText('现在')
    expect(await violationsInBothThemes(page)).toEqual([])
    expect(await unreasoned(page)).toEqual([])
    await day.getByRole('button', { name: '后一天' }).click()
    await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/)
    await expect(day.locator('.day-item')).toHaveCount(3)
    await day.getByRole('searchbox', { name: '定时名、线路' }).fill('夜班')
    await expect(day.locator('.day-item')).toHaveCount(1)
    await day.getByRole('button', { name: '看 夜班' }).click()
    await expect(page.getByRole('dialog', { name: '定时详情' })).toContainText('夜班')
    await page.setViewportSize(phone)
    await page.goto(`/timer/list?at=house:${HouseID}&day=1`)
    await expect(day.locator('.day-item').first()).toBeVisible()
    expect(await tooWide(page)).toEqual([])
  } finally {
    await db.query('rollback')
    await db.end()
  }
})

test('on a phone the list fits, in English and in the dark', async ({ page, stack }) => {
  const at = fromNow()
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        [at(6), 'close'],
        [at(12), 'trip'],
      ],
      [1, 2, 3],
    ),
  )
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/timer/list')
  await expect(page.getByRole('table', { name: 'Timers' })).toContainText(/早班送电.*Weekly · every day.*Trip \/ close/s)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Show 早班送电' }).click()
  const drawer = page.getByRole('dialog', { name: 'Timer details' })
  await expect(drawer).toContainText(/Next five runs.*Week.*Conflicts.*Runs/s)
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})

const people = [
  { buttons: [], reason: '没有“管理定时”权限，请联系管理员' },
  { buttons: ['lineSwitch'], reason: '没有“管理定时”权限，请联系管理员' },
  { buttons: ['manageTiming'], reason: '没有“线路分合闸”权限，不能操作定时，请联系管理员' },
  { buttons: ['lineSwitch', 'manageTiming'], reason: null },
] as const

test(bySubUsers, async ({ browser, stack }) => {
  const at = fromNow()
  await insert(
    stack,
    weekly(
      '早班送电',
      [
        [at(6), 'close'],
        [at(12), 'trip'],
      ],
      [1],
    ),
  )
  const { accounts, plant } = stack.server
  const project = plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
  for (const [index, { buttons, reason }] of people.entries()) {
    const admin = { userName: `1380000030${index}`, password: 'Duty-7391' }
    const role = { number: admin.userName, name: admin.userName, privileges: ['timer', 'timer.list'], buttons: [...buttons] }
    await accounts.createAccount({ ...admin, kind: 'sub', roleId: await accounts.createRole(role), projectIds: [project] })
    const page = await browser.newPage()
    await keepSession(page, { url: stack.url, admin })
    await page.goto(`${stack.url}/timer/list`)
    const toggle = list(page).getByRole('switch', { name: '停用 早班送电' })
    const remove = page.getByRole('dialog', { name: '定时详情' }).getByRole('button', { name: '删除' })
    if (reason === null) await expect(toggle).not.toHaveAttribute('aria-disabled', 'true')
    else await expect(toggle).toHaveAccessibleDescription(reason)
    await page.getByRole('button', { name: '看 早班送电' }).click()
    if (reason === null) await expect(remove).not.toHaveAttribute('aria-disabled', 'true')
    else await expect(remove).toHaveAccessibleDescription(reason)
    await page.close()
  }
})
