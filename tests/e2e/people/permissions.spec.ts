import type { ButtonPermission, Page as PageData } from '@linewarden/contract'
import { buttons, listProjects, pages, platformPages, reportPages, transferProject } from '@linewarden/contract'
import type { Locator, Page } from '@playwright/test'
import type { Stack } from '../../kit/stack.ts'
import { announced } from '../announced.ts'
import { builtRoutes } from '../built-routes.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

/**
 * Every menu entry and every button that a permission is for, for each kind of person. What should be there is worked out from the privilege data
 * of the contract: a page or a button that is added there is walked the same day.
 */

const everyPrivilege = (pages as readonly PageData[]).flatMap(({ key, subs = [] }) => [key, ...subs.map((sub) => sub.key)])
const everyButton = Object.keys(buttons) as ButtonPermission[]
const ofMonitoring = everyPrivilege.filter((key) => key.startsWith('devmon'))

interface Person {
  readonly who: string
  readonly userName: string | null
  readonly kind: 'platform' | 'project' | 'sub' | 'shared'
  readonly privileges: readonly string[]
  readonly buttons: readonly ButtonPermission[]
}

const people: readonly Person[] = [
  { who: 'the platform administrator', userName: null, kind: 'platform', privileges: everyPrivilege, buttons: everyButton },
  { who: 'a project administrator', userName: '13800000101', kind: 'project', privileges: everyPrivilege, buttons: everyButton },
  { who: 'a sub-user without buttons', userName: '13800000102', kind: 'sub', privileges: everyPrivilege, buttons: [] },
  {
    who: 'a sub-user who may only switch',
    userName: '13800000103',
    kind: 'sub',
    privileges: ofMonitoring,
    buttons: ['lineSwitch'],
  },
  { who: 'a shared account', userName: '13800000104', kind: 'shared', privileges: everyPrivilege, buttons: everyButton },
]

const password = 'Walker-7391'

/** Makes the person, with equipment to look at, and signs them in. */
async function become(page: Page, stack: Stack, { userName, kind, who, privileges, buttons: granted }: Person): Promise<void> {
  if (userName === null) {
    await enter(page, stack)
    return
  }
  const { accounts, plant } = stack.server
  const [first] = plant.projects.values()
  const isSub = kind === 'sub' || kind === 'shared'
  const role = async () =>
    accounts.createRole({ number: userName, name: who, privileges: [...privileges], buttons: [...granted] })
  const given = isSub ? { roleId: await role(), projectIds: [first?.id ?? 0] } : {}
  await accounts.createAccount({ userName, password, kind, ...given })
  if (kind === 'project') {
    const { items } = await stack.client.call(listProjects, { query: {} })
    const theirs = items.find(({ HouseID, GatewayCount }) => HouseID !== first?.id && GatewayCount > 0)
    if (!theirs) throw new Error('the demo has only one project')
    await stack.client.call(transferProject, { body: { HouseID: theirs.HouseID, UserName: userName, Version: theirs.Version } })
  }
  await enter(page, { ...stack, admin: { userName, password } })
}

/** The name of a project that the person has nothing to do with. */
async function foreign({ server, client }: Stack, { kind }: Person): Promise<string> {
  const { items } = await client.call(listProjects, { query: {} })
  const [first] = server.plant.projects.values()
  const of = (houseId: number) => server.plant.projects.get(houseId)?.ownerId ?? null
  const found = items.find(({ HouseID }) => (kind === 'project' ? of(HouseID) === null : HouseID !== first?.id))
  if (!found) throw new Error('everything is theirs')
  return found.Name
}

/** Pages about the owner's people, which an organisation that looks in never has. */
const ofPeople = ['system.city', 'system.roles', 'system.users', 'system.log', 'hazard.workorder']

/** What changes something: a shared account finds no such button on any page, or it is greyed out. With a number it filters a list. */
const changing =
  /^(新增|添加|编辑|修改|改名|删除|迁移|移到|移动|批量|导入|确认$|重置|更换|推送|启用(?!状态)|停用(?! \d)|(?:分闸|合闸)(?! ?\d)|消音|自检|挂牌|摘牌|下发|套用|回退|撤销|忽略|登记|保存|上传|停止)/

/** Once the page is there, and nothing on it is being fetched for the first time. */
async function loaded(page: Page): Promise<void> {
  await expect(page.locator('main').getByRole('heading').first()).toBeVisible()
  await expect(page.getByRole('status', { name: '加载中' })).toHaveCount(0)
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

/** What opens beside a list and has buttons of its own. */
const drawers: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'devmon.realtime': async (page) => {
    await page.getByRole('row').filter({ hasText: '照明' }).first().click()
    await expect(page.locator('.operate-foot')).toBeVisible()
  },
  'system.geteway': async (page) => {
    await page.getByRole('button', { name: '查看网关' }).first().click()
    await expect(page.getByRole('region', { name: '设备与线路' })).toBeVisible()
  },
}

/** The pages of a section that somebody with these privileges has; the reports come whole. */
const pagesOf = (section: PageData, { kind, privileges }: Pick<Person, 'kind' | 'privileges'>): readonly PageData[] => [
  ...(section.subs ?? [])
    .filter(({ key }) => privileges.includes(key) && !(kind === 'shared' && ofPeople.includes(key)))
    .flatMap((sub) => (sub.key === 'system.report' ? reportPages : [sub])),
  ...(section.key === 'system' && kind === 'platform' ? platformPages : []),
]

/** Where a button stands, and how it is found once its page is open. Null: nothing that it is for is built. */
const places: Readonly<
  Record<ButtonPermission, { page: string; find: (page: Page) => Promise<ReturnType<Page['locator']>> } | null>
> = {
  lineSwitch: {
    page: 'devmon.realtime',
    async find(page) {
      // A lighting circuit stands in every project of the demo, and nobody is told not to switch it.
      await page.getByRole('row').filter({ hasText: '照明' }).first().click()
      return page.locator('.operate-foot').getByRole('button', { name: '分闸' })
    },
  },
  tagLines: {
    page: 'devmon.realtime',
    async find(page) {
      await page.getByRole('row').filter({ hasText: '照明' }).first().click()
      await page.getByRole('tab', { name: '挂牌' }).click()
      return page.getByRole('region', { name: '挂牌与巡检' }).getByRole('button', { name: '挂牌', exact: true })
    },
  },
  gatewayEnable: {
    page: 'system.geteway',
    find: async (page) => page.getByRole('button', { name: '停用', exact: true }).first(),
  },
  manageTiming: null,
  manageScene: null,
}

for (const person of people)
  test(`${person.who} has each menu and button that is theirs, and no other`, async ({ page, stack }) => {
    const built = await builtRoutes()
    const isBuilt = ({ route }: PageData) => built.has(route)
    await become(page, stack, person)
    await expect(page).toHaveURL(/realtime/)
    const menu = page.getByRole('navigation', { name: '主菜单' }).getByRole('button')
    const section = page.getByRole('navigation', { name: '页面' }).getByRole('button')
    const words = '正在努力开发中...'
    const wip = page.getByText(words)
    /** It is told for a moment and by this very click. */
    const marksUnfinished = async (button: Locator) => {
      await expect(wip).toHaveCount(0)
      await Promise.all([announced(page, words), button.click()])
    }
    const sections = (pages as readonly PageData[]).filter(({ key }) => person.privileges.includes(key))
    await expect(menu).toHaveText(sections.map(({ name }) => name.zh))

    for (const each of sections) {
      const theirs = pagesOf(each, person)
      const entry = menu.filter({ hasText: each.name.zh })
      if (!theirs.some(isBuilt)) {
        await marksUnfinished(entry)
        continue
      }
      await entry.click()
      await expect(section).toHaveText(theirs.map(({ name }) => name.zh))
      for (const one of theirs) {
        const own = section.filter({ hasText: new RegExp(`^${one.name.zh}$`) })
        if (!isBuilt(one)) {
          await marksUnfinished(own)
          continue
        }
        await own.click()
        await expect(own).toHaveAttribute('aria-current', 'page')
        await expect(page).toHaveURL(new RegExp(`${one.route}(\\?|$)`))
        await expect(page.locator('main')).toBeVisible()
        // A page that asks for what its reader may not have would say so here, and in the browser's console.
        await expect(page.getByText('没有权限', { exact: true })).toHaveCount(0)
        if (person.kind === 'platform') continue
        await loaded(page)
        await expect(page.locator('main')).not.toContainText(await foreign(stack, person))
        if (person.kind !== 'shared') continue
        const enabled = page.getByRole('button', { name: changing, disabled: false })
        await expect(enabled).toHaveCount(0)
        const open = drawers[one.key]
        if (!open) continue
        await open(page)
        await loaded(page)
        await expect(enabled).toHaveCount(0)
      }
    }

    const granted = new Set(sections.flatMap((each) => pagesOf(each, person)).map(({ route }) => route))
    const others = (pages as readonly PageData[])
      .flatMap((each) => pagesOf(each, { kind: 'platform', privileges: everyPrivilege }))
      .filter(({ route }) => !granted.has(route))
    for (const { route } of others) {
      await page.goto(route)
      await expect(page).toHaveURL(/Notfound/)
    }

    for (const button of everyButton) {
      const place = places[button]
      const where = (pages as readonly PageData[]).flatMap(({ subs = [] }) => subs).find(({ key }) => key === place?.page)
      if (!place || !where || !granted.has(where.route)) continue
      await page.goto(where.route)
      const found = await place.find(page)
      await expect(found).toBeVisible()
      const may = person.kind !== 'shared' && person.buttons.includes(button)
      await (may ? expect(found).toBeEnabled() : expect(found).toBeDisabled())
    }
  })

test.describe('what pops up', () => {
  test.use({ popUpsStay: true })

  test('is shown to a shared account, and not offered to be acknowledged', async ({ page, stack }) => {
    const person = { ...people[4], who: 'a shared account at an alarm', userName: '13800000105' } as Person
    await become(page, stack, person)
    await expect(page).toHaveURL(/realtime/)
    const [project] = stack.server.plant.projects.values()
    const line = [...stack.server.plant.lines.values()].find(
      ({ device, lineNo }) => device.gateway.project === project && device.family.key.startsWith('breaker') && lineNo > 0,
    )
    stack.fleet.run('leakageTrip', { controllerId: line?.device.controllerId ?? '', lineNo: line?.lineNo ?? 0 })
    const pop = page.locator('.pops article').first()
    await expect(pop.getByRole('button', { name: '查看' })).toBeVisible()
    await expect(page.locator('.pops').getByRole('button', { name: '确认' })).toHaveCount(0)
  })
})
