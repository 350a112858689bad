import type { Linkage, LinkageForm } from '@linewarden/contract'
import { insertLinkage, queryLinkages } from '@linewarden/contract'
import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { unreasoned, violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { keepSession } from '../sign-in.ts'
import { expect, forgive, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const at = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const house = (stack: Stack) => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0

const linkage = (Name: string, change: Partial<LinkageForm> = {}): LinkageForm => ({
  ...{ Name, Enabled: true, Mode: 'live', Match: 'all', ActiveHours: [], CooldownS: 300, MaxPerHour: 6, MaxPerDay: 24 },
  MayClose: false,
  Conditions: [{ Kind: 'point', ...at(1), Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 }],
  Actions: [{ Kind: 'trip', ...at(2), DelayS: 0 }],
  ...change,
})
const insert = (stack: Stack, form: LinkageForm): Promise<Linkage> =>
  stack.client.call(insertLinkage, { body: { HouseID: house(stack), ...form } })

async function run(stack: Stack, text: string, values: unknown[] = []): Promise<void> {
  const db = await stack.server.database.connect()
  await db.query(text, values)
  await db.end()
}

test.beforeEach(async ({ stack }) => {
  const { items } = await stack.client.call(queryLinkages, { body: { Size: 100 } })
  await run(stack, 'update linkage set removed_at = now(), enabled = false where linkage_id = any($1::int[])', [
    items.map(({ LinkageID }) => LinkageID),
  ])
})

const list = (page: Page) => page.getByRole('table', { name: '联动' })
const drawer = (page: Page) => page.getByRole('dialog', { name: '联动详情' })

test('what needs somebody comes first, each with its conditions; the address holds filters and the open one', async ({
  page,
  stack,
}) => {
  await keepSession(page, stack)
  await page.goto('/linkage/list')
  await expect(page.getByText('还没有联动')).toBeVisible()
  await insert(stack, linkage('过载分闸'))
  await insert(
    stack,
    linkage('备机投入', {
      ...{ Mode: 'shadow', MayClose: true, Actions: [{ Kind: 'close', ...at(3), DelayS: 5 }] },
      Conditions: [{ Kind: 'link', ...at(0, 'A-Y1'), Key: 'link', Op: '=', Value: 0, ForS: 600 }],
    }),
  )
  const { LinkageID } = await insert(stack, linkage('限流'))
  await run(stack, `update linkage set halted_at = now(), halted_why = 'maxPerHour' where linkage_id = $1`, [LinkageID])
  await page.reload()
  const rows = list(page).locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(
    /限流.*超过每小时上限，已自动停止.*已停.*A线1 总功率\s+> 260 kW.*分闸\s+A线2.*未动作过/s,
  )
  await expect(list(page)).toContainText(/备机投入.*试运行第 1 天.*烟感 通信 = 离线.*合闸\s+A线3\s+延时 5 秒/s)
  await expect(rows.nth(0).locator('.limit-bar s')).toHaveCount(1)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await unreasoned(page)).toEqual([])

  await page.getByRole('button', { name: /^试运行 1$/ }).click()
  await expect(rows).toHaveCount(1)
  await expect.poll(() => new URL(page.url()).search).toBe('?mark=shadow')
  await page.getByRole('searchbox', { name: '联动名 / 线路名' }).fill('没有')
  await page.getByRole('button', { name: '清除筛选' }).click()
  await page.getByRole('button', { name: '备机投入' }).click()
  await expect(drawer(page)).toContainText(/持续 10 分钟.*合闸\s+A线3.*冷却 5 分钟 · 每小时最多 6 次.*允许合闸.*还没有动作记录/s)
  await drawer(page).getByRole('button', { name: '转为生效' }).click()
  const dialog = page.getByRole('dialog', { name: '“备机投入”转为生效' })
  await expect(dialog).toContainText('含合闸的联动建议试运行满 7 天，目前 0 天')
  await dialog.getByRole('button', { name: '转为生效' }).click()
  await expect(drawer(page).locator('header')).toContainText('生效')
  await drawer(page).getByRole('button', { name: '停用', exact: true }).click()
  await page.getByRole('dialog', { name: '停用联动“备机投入”' }).getByRole('button', { name: '停用' }).click()
  await expect(drawer(page).locator('header')).toContainText('停用')

  await page.goto(`/linkage/list?linkage=${LinkageID}`)
  await drawer(page).getByRole('button', { name: '解除停止' }).click()
  await page.getByRole('dialog', { name: '解除“限流”的停止' }).getByRole('button', { name: '解除停止' }).click()
  await expect(drawer(page).getByRole('button', { name: '解除停止' })).toHaveCount(0)
  await drawer(page).getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog', { name: '删除联动“限流”' }).getByRole('button', { name: '删除' }).click()
  await expect(drawer(page)).toHaveCount(0)
  await expect(rows).toHaveCount(2)
})

test('a template and a device make a linkage, which is replayed and saved', async ({ page, stack }) => {
  await keepSession(page, stack)
  await page.goto(`/linkage/list?at=house:${house(stack)}`)
  await page.getByRole('button', { name: '从模板' }).first().click()
  const templates = page.getByRole('dialog', { name: '从模板新建' })
  const smoke = templates.getByRole('listitem').filter({ hasText: '烟感报警 → 分闸本室线路' })
  await expect(smoke).toContainText('分闸 8 路：同一网关下的全部线路')
  await smoke.getByRole('button', { name: '使用' }).click()
  const form = page.getByRole('dialog', { name: '新建联动' })
  await expect(form.getByLabel('名称')).toHaveValue('烟感 烟感分闸')
  await expect(form.locator('.action-editor')).toHaveCount(8)
  expect(await violationsInBothThemes(page)).toEqual([])
  await form.getByRole('button', { name: '开始回放' }).click()
  await expect(form.getByRole('img', { name: /的回放：本应动作 0 次，被抑制 0 次/ })).toBeVisible()
  await form.getByRole('button', { name: '保存' }).click()
  const asked = page.getByRole('dialog', { name: '保存联动“烟感 烟感分闸”' })
  await expect(asked).toContainText('联动动作时不再询问任何人')
  await asked.getByRole('button', { name: '保存' }).click()
  await expect(drawer(page)).toContainText(/烟感 烟雾火警 = 报警.*分闸\s+A线1.*分闸\s+A线8/s)
  await expect(list(page)).toContainText('烟感 烟感分闸')
})

test('everything that is missing or wrong is said at once, and a loop with a close is drawn', async ({
  page,
  stack,
  problems,
}) => {
  forgive(problems, /400/)
  await insert(
    stack,
    linkage('轮换', {
      Conditions: [{ Kind: 'point', ...at(5), Key: 'current.a', Op: '>', Value: 40, ForS: 0 }],
      Actions: [{ Kind: 'trip', ...at(3), DelayS: 0 }],
    }),
  )
  const { LinkageID } = await insert(
    stack,
    linkage('投入', {
      ...{ Mode: 'shadow', MayClose: true, Actions: [{ Kind: 'close', ...at(6), DelayS: 0 }] },
      Conditions: [{ Kind: 'state', ...at(3), Key: 'position', Op: '=', Value: 0, ForS: 10 }],
    }),
  )
  await keepSession(page, stack)
  await page.goto(`/linkage/list?linkage=${LinkageID}&edit=yes`)
  const form = page.getByRole('dialog', { name: '修改联动' })
  await form.getByLabel('名称').fill('')
  await form.locator('.action-editor').getByLabel('延时').fill('很久')
  await form.getByRole('button', { name: '条件', exact: true }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form.getByRole('alert')).toHaveText(['名称不能为空', '请选择线路或设备', '请选择测点', '请填写数值', '请填写整数'])
  await expect(form).toContainText('有 5 处需要修改')
  await form.getByRole('button', { name: '删除此行' }).last().click()
  await form.getByLabel('名称').fill('投入')
  await form.locator('.action-editor').getByLabel('延时').fill('9999')
  const save = async () => {
    await form.getByRole('button', { name: '保存' }).click()
    await page.getByRole('dialog', { name: '保存联动“投入”' }).getByRole('button', { name: '保存' }).click()
  }
  await save()
  await expect(form.locator('.action-editor').getByRole('alert')).toHaveText('应在 0 至 3600 之间')

  await form.locator('.action-editor').getByLabel('延时').fill('0')
  await form.locator('.action-editor').getByRole('combobox', { name: '线路' }).fill('A线5')
  await page.getByRole('option', { name: /A线5/ }).click()
  await save()
  await expect(form.getByRole('alert')).toContainText('不能保存：联动成环，且环中有合闸')
  await expect(form.locator('.loop-box')).toHaveText(['联动投入', '线路A线5', '联动轮换', '线路A线3'])
  await expect(form.getByRole('button', { name: '保存：先解开 1 个环' })).toBeDisabled()
  // Whoever leaves it otherwise than by that button is asked, and the list beside it is narrowed without asking.
  await page.getByRole('searchbox', { name: '联动名 / 线路名' }).fill('投')
  await expect(list(page).locator('tbody tr')).toHaveCount(1)
  const leaving = page.getByRole('dialog', { name: '联动未保存' })
  await form.getByRole('button', { name: '关闭' }).click()
  await leaving.getByRole('button', { name: '留下继续' }).click()
  await expect(form.getByRole('alert')).toContainText('不能保存：联动成环，且环中有合闸')
  await page.getByRole('link', { name: '联动日志' }).first().click()
  await leaving.getByRole('button', { name: '留下继续' }).click()
  await list(page).getByRole('button', { name: '投入' }).click()
  await leaving.getByRole('button', { name: '放弃并离开' }).click()
  await expect(form).toHaveCount(0)
  await list(page).getByRole('button', { name: '投入' }).click()
  await expect(drawer(page)).toContainText('合闸 A线6')
})

/** A condition on the reported load: met as soon as the line carries more than `above` kW. */
const whenAbove = (above: number) => [
  { Kind: 'point' as const, ...at(1), Key: 'power.total', Op: '>' as const, Value: above, ForS: 0 },
]

test('what was met already when it was enabled is run by a person, who sees what it operates and follows it', async ({
  page,
  stack,
}) => {
  await insert(stack, linkage('不成立'))
  const { LinkageID } = await insert(
    stack,
    linkage('立即分闸', {
      Conditions: whenAbove(-1_000),
      Actions: [
        { Kind: 'trip', ...at(2), DelayS: 0 },
        { Kind: 'trip', ...at(3), DelayS: 0 },
      ],
    }),
  )
  await keepSession(page, stack)
  await page.goto('/linkage/list')
  await list(page).getByRole('button', { name: '不成立' }).click()
  await expect(drawer(page).getByRole('button', { name: '立即执行' })).toHaveAccessibleDescription('条件此刻不成立，不能立即执行')
  await page.goto(`/linkage/list?linkage=${LinkageID}`)
  const offer = drawer(page).getByRole('status').filter({ hasText: '启用或修改时条件已成立，未自动动作' })
  await offer.getByRole('button', { name: '立即执行' }).click()
  const asked = page.getByRole('dialog', { name: '立即执行联动“立即分闸”' })
  await expect(asked).toContainText('2 路分闸停电，先下发；不受合闸许可限制。')
  await expect(asked.getByRole('list', { name: '线路' })).toContainText(/A线2.*A线3/s)
  expect(await violationsInBothThemes(page)).toEqual([])
  const go = asked.getByRole('button', { name: '立即执行' })
  await go.click()
  await expect(asked.getByText('请填写原因')).toBeVisible()
  await asked.getByLabel(/^原因/).fill('核对')
  const typed = asked.getByLabel(/^涉及 \d+ 路/)
  if (await typed.count())
    await typed.fill(/\d+/.exec((await asked.locator('label', { hasText: '涉及' }).textContent()) ?? '')?.[0] ?? '')
  await go.click()
  const run = drawer(page).getByRole('region', { name: '执行进度' })
  await expect(run.getByRole('listitem').filter({ hasText: 'A线2' })).toContainText(/分闸 核实/)
  await expect(run.getByRole('listitem').filter({ hasText: 'A线3' })).toContainText(/分闸 核实/)
  await expect(run.locator('h3')).toHaveText('完成')
  expect(await violationsInBothThemes(page)).toEqual([])
  await run.getByRole('button', { name: '返回联动' }).click()
  await expect(offer).toHaveCount(0)
  await expect(drawer(page).getByRole('region', { name: '最近动作' })).toContainText('完成')
})

test('an administrator takes over all linkages that nobody answers for', async ({ page, stack }) => {
  const { LinkageID } = await insert(stack, linkage('无主'))
  await insert(stack, linkage('有主'))
  await run(stack, 'update linkage set owner_id = null where linkage_id = $1', [LinkageID])
  await keepSession(page, stack)
  await page.goto('/linkage/list')
  await expect(page.getByText('1 条联动没有有效负责人')).toBeVisible()
  await page.getByRole('button', { name: '全部接管' }).click()
  const asked = page.getByRole('dialog', { name: '接管 1 条联动' })
  await expect(asked).toContainText(/项目A无有效负责人 1 项/)
  expect(await violationsInBothThemes(page)).toEqual([])
  await asked.getByRole('button', { name: '全部接管' }).click()
  const taken = page.getByRole('dialog', { name: '接管结果' })
  await expect(taken).toContainText('已接管 1 项')
  await taken.getByRole('button', { name: '关闭' }).first().click()
  await expect(page.getByText('没有有效负责人：')).toHaveCount(0)
})

test('what a linkage names and is gone from its project is shown as gone, and has to be taken out before it acts again', async ({
  page,
  stack,
}) => {
  const { LinkageID } = await insert(
    stack,
    linkage('缺一路', {
      Match: 'any',
      Conditions: [1, 4].map((LineNo) => ({ Kind: 'point', ...at(LineNo), Key: 'power.total', Op: '>', Value: 260, ForS: 0 })),
      Actions: [2, 3].map((LineNo) => ({ Kind: 'trip', ...at(LineNo), DelayS: 0 })),
    }),
  )
  const idOf = (lineNo: number) => stack.server.plant.lineAt('B-T1', lineNo)?.id
  await run(stack, 'update linkage_condition set line_id = $2 where linkage_id = $1 and position = 1', [LinkageID, idOf(4)])
  await run(stack, 'update linkage_action set line_id = $2 where linkage_id = $1 and position = 1', [LinkageID, idOf(3)])
  await run(stack, `update linkage set halted_at = now(), halted_why = 'broken', version = version + 1 where linkage_id = $1`, [
    LinkageID,
  ])
  await keepSession(page, stack)
  await page.goto('/linkage/list')
  await expect(list(page).locator('tbody tr')).toContainText(
    /缺一路.*引用的线路或场景已不在项目中，已自动停止.*已停.*A线1 总功率\s+> 260 kW.*B线4 总功率\s+> 260 kW.*已不在项目中.*分闸\s+A线2.*分闸\s+B线3.*已不在项目中/s,
  )
  expect(await violationsInBothThemes(page)).toEqual([])
  await list(page).getByRole('button', { name: '缺一路' }).click()
  await expect(drawer(page).getByRole('button', { name: '解除停止' })).toHaveAccessibleDescription(
    '引用的线路或场景已不在项目中，请先在“修改”中删除或改选',
  )
  await expect(drawer(page).getByRole('button', { name: '停用', exact: true })).toBeEnabled()
  expect(await unreasoned(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
  await drawer(page).getByRole('button', { name: '修改', exact: true }).click()
  const form = page.getByRole('dialog', { name: '修改联动' })
  const gone = '已不在项目中，请删除此行或改选'
  await expect(form.getByRole('alert')).toHaveText([gone, gone])
  await expect(form.locator('.condition-editor').nth(1).getByRole('combobox', { name: '线路或设备' })).toHaveValue('B线4')
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toContainText('有 2 处需要修改')
  expect(await violationsInBothThemes(page)).toEqual([])
  await form.locator('.condition-editor').nth(1).getByRole('button', { name: '删除此行' }).click()
  await form.locator('.action-editor').nth(1).getByRole('combobox', { name: '线路' }).fill('A线3')
  await page.getByRole('option', { name: /A线3/ }).click()
  await expect(form.getByRole('alert')).toHaveCount(0)
  await form.getByRole('button', { name: '保存' }).click()
  await page.getByRole('dialog', { name: '保存联动“缺一路”' }).getByRole('button', { name: '保存' }).click()
  await expect(drawer(page).locator('header')).toContainText('生效')
  await expect(drawer(page)).toContainText(/分闸\s+A线2.*分闸\s+A线3/s)
})

test('on a phone it is read and switched, in English and in the dark; conditions are not edited', async ({ page, stack }) => {
  await insert(stack, linkage('过载分闸'))
  await keepSession(page, stack)
  await page.addInitScript(() => localStorage.setItem('linewarden.language', 'EN'))
  await page.setViewportSize(phone)
  await page.goto('/linkage/list')
  await expect(page.getByRole('table', { name: 'Linkages' })).toContainText(/过载分闸.*A线1 Total power > 260 kW/s)
  expect(await tooWide(page)).toEqual([])
  await page.getByRole('button', { name: '过载分闸' }).click()
  const open = page.getByRole('dialog', { name: 'Linkage', exact: true })
  await expect(open.getByRole('button', { name: 'Edit' })).toHaveAttribute('title', 'Linkages are edited on a wider screen')
  expect(await tooWide(page)).toEqual([])
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('whoever may not switch lines reads, and is told why nothing can be changed', async ({ browser, stack }) => {
  await insert(stack, linkage('过载分闸'))
  const { accounts } = stack.server
  const roleId = await accounts.createRole({
    ...{ number: 'reader', name: 'reader', privileges: ['timer', 'linkage.list'], buttons: ['manageScene'] },
  })
  const admin = { userName: 'reader', password: 'Duty-7391' }
  await accounts.createAccount({ ...admin, kind: 'sub', roleId, projectIds: [house(stack)] })
  const page = await browser.newPage()
  await keepSession(page, { url: stack.url, admin })
  await page.goto(`${stack.url}/linkage/list`)
  await page.getByRole('button', { name: '过载分闸' }).click()
  for (const name of ['停用', '修改', '删除'])
    await expect(drawer(page).getByRole('button', { name, exact: true })).toHaveAccessibleDescription(
      '您没有“线路分合闸”权限，不能管理联动，请联系管理员',
    )
  await drawer(page).getByRole('button', { name: '开始回放' }).click()
  await expect(drawer(page).getByRole('img', { name: /的回放/ })).toBeVisible()
  await page.close()
})
