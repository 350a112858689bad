import type { Client } from '@linewarden/client'
import { getRound, inspectionLabels, startRound } from '@linewarden/contract'
import type { BrowserContext, Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, signedIn } from '../../kit/stack.ts'
import { violationsInBothThemes } from '../axe.ts'
import { phone, tooWide } from '../looks.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const houseOf = ({ server }: Stack) => [...server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0

async function person(stack: Stack, userName: string, nickName: string) {
  const { accounts, database } = stack.server
  const privileges = ['hazard', 'hazard.patrol']
  const roleId = await accounts.createRole({ number: userName, name: nickName, privileges, buttons: [] })
  await accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds: [houseOf(stack)] })
  await database.general.updateTable('account').set({ nick_name: nickName }).where('user_name', '=', userName).execute()
  return { userName, password: 'Duty-7391' }
}

/** A phone: its own storage, its own service worker. Whoever is signed in stays signed in when its page is killed. */
async function phoneOf(stack: Stack, browser: { newContext: (options: object) => Promise<BrowserContext> }) {
  return browser.newContext({ viewport: phone, baseURL: stack.url, serviceWorkers: 'allow', hasTouch: true })
}

async function begin(context: BrowserContext, stack: Stack, admin: { userName: string; password: string }): Promise<Page> {
  const session = await sessionOf(stack.url, admin)
  const page = await context.newPage()
  await page.goto('/login')
  await page.evaluate(
    ({ userId, token }) => localStorage.setItem('linewarden.session', JSON.stringify({ userId, token })),
    session,
  )
  return page
}

async function round(stack: Stack, client: Client, Name: string) {
  const RoundID = crypto.randomUUID()
  const HouseID = houseOf(stack)
  const { items: labels } = await client.call(inspectionLabels, {
    body: { HouseID, Of: [{ Place: '1# 配电间' }, { Place: '2# 配电间' }] },
  })
  await client.call(startRound, {
    body: {
      ...{ HouseID, RoundID },
      Without: {
        ...{ Name, Kind: 'onSite', Stops: [{ Place: '1# 配电间' }, { Place: '2# 配电间' }], OwnItems: [] },
        LeftOut: [],
        ...{ Signature: 'inspector', PhotoOn: 'never' },
      },
    },
  })
  const { Checklists } = await client.call(getRound, { params: { RoundID } })
  return { RoundID, items: Checklists[0]?.Items ?? [], codes: labels.map(({ Code }) => Code) }
}

/** All items of the stop that is open. */
async function answerAll(page: Page, result: string): Promise<void> {
  const open = page.locator('.phone-item')
  // They come once it is on the disk that somebody has arrived.
  await expect(open.first()).toBeVisible()
  for (let left = await open.count(); left > 0; left--) {
    const camera = open.first().locator('input[type=file]')
    if (result === '正常' && (await camera.count()) > 0) {
      await camera.setInputFiles({ name: 'place.png', mimeType: 'image/png', buffer: await page.screenshot() })
      await expect(open).toHaveCount(left - 1)
      continue
    }
    const figure = open.first().getByRole('textbox', { name: '数值' })
    if (result === '正常' && (await figure.count()) > 0) await figure.fill('21')
    else await open.first().getByRole('button', { name: result, exact: true }).click()
    await expect(open).toHaveCount(left - 1)
  }
}

const worker = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

test('a round without a network, killed and opened again, comes whole and once', async ({ browser, stack }) => {
  const admin = await person(stack, '13700000031', '孙伟')
  const client = await signedIn(stack.url, admin)
  const { RoundID, items, codes } = await round(stack, client, '地下室月检')
  const context = await phoneOf(stack, browser)
  const first = await begin(context, stack, admin)
  await first.goto('/hazard/patrol/phone')
  await worker(first)
  await first.getByRole('button', { name: '下载到本机' }).click()
  await expect(first).toHaveURL(new RegExp(`/phone/${RoundID}$`))
  await expect(first.getByRole('link', { name: /1# 配电间/ })).toBeVisible()
  expect(await tooWide(first)).toEqual([])
  expect(await violationsInBothThemes(first)).toEqual([])

  // Down the stairs: no network any more.
  await context.setOffline(true)
  await first.getByRole('link', { name: /1# 配电间/ }).click()
  await first.getByRole('button', { name: '扫码' }).last().click()
  await first.getByRole('textbox', { name: '标签上的编号' }).fill(codes[0] ?? '')
  await first.getByRole('button', { name: '打开', exact: true }).click()
  await expect(first.getByText(/扫码到达/)).toBeVisible()
  expect(await tooWide(first)).toEqual([])
  expect(await violationsInBothThemes(first)).toEqual([])
  await answerAll(first, '正常')
  await expect(first.getByRole('link', { name: `待上传 1 张照片、${items.length + 1} 条答案` })).toBeVisible()

  // Killed, and opened again where it was.
  const address = first.url()
  await first.close()
  const second = await context.newPage()
  await second.goto(address)
  await expect(second.getByRole('link', { name: `待上传 1 张照片、${items.length + 1} 条答案` })).toBeVisible()
  await expect(second.getByRole('button', { name: '下一站：2# 配电间' })).toBeEnabled()
  await second.getByRole('button', { name: '下一站：2# 配电间' }).click()
  await second.getByRole('button', { name: '扫不了码…' }).click()
  await second.getByRole('button', { name: '标签损坏' }).click()
  await answerAll(second, '不适用')
  await second.getByRole('button', { name: '回到巡检' }).click()
  await second.getByRole('button', { name: '完成巡检' }).click()
  const pad = second.getByRole('img', { name: /在此签名/ })
  const box = await pad.boundingBox()
  if (!box) throw new Error('the field to sign in is not there')
  await second.mouse.move(box.x + 20, box.y + 20)
  await second.mouse.down()
  await second.mouse.move(box.x + 120, box.y + 60, { steps: 8 })
  await second.mouse.up()
  await second.getByRole('dialog').getByRole('button', { name: '完成巡检' }).click()
  await expect(second.getByRole('link', { name: /待上传 .*1 次提交/ })).toBeVisible()
  expect((await client.call(getRound, { params: { RoundID } })).Answers).toEqual([])
  await second.goto('/hazard/patrol/phone/waiting')
  await expect(second.getByRole('button', { name: '立即上传：没有网络' })).toBeDisabled()
  expect(await tooWide(second)).toEqual([])
  expect(await violationsInBothThemes(second)).toEqual([])

  // Up again, with two pages of the same phone open.
  const third = await context.newPage()
  await third.goto('/hazard/patrol/phone')
  await context.setOffline(false)
  await expect(second.getByRole('heading', { name: '全部已上传' })).toBeVisible()
  const known = await client.call(getRound, { params: { RoundID } })
  expect(known.Round).toMatchObject({ State: 'finished', Answered: 2 * items.length, Flagged: 0 })
  expect(known.Answers).toHaveLength(2 * items.length)
  expect(known.Answers.every(({ Rev, Flagged }) => Rev === 1 && !Flagged)).toBe(true)
  expect(known.Answers.flatMap(({ Photos }) => Photos)).toHaveLength(1)
  expect(known.Answers.flatMap(({ MissingPhotos }) => MissingPhotos)).toEqual([])
  expect(known.Stops.map(({ Arrived }) => Arrived?.How)).toEqual(['qr', 'list'])
  await context.close()
})

test('who signs out with unsent answers is warned; another account sees and sends none of them; the same one goes on', async ({
  browser,
  stack,
}) => {
  const mine = await person(stack, '13700000032', '王海峰')
  const other = await person(stack, '13700000033', '陈志远')
  const client = await signedIn(stack.url, mine)
  const { RoundID } = await round(stack, client, '二层月检')
  const context = await phoneOf(stack, browser)
  const page = await begin(context, stack, mine)
  await page.goto('/hazard/patrol/phone')
  await worker(page)
  await page.getByRole('button', { name: '下载到本机' }).click()
  await expect(page).toHaveURL(new RegExp(`/phone/${RoundID}$`))
  // The server does not answer what is sent: the network is there, and the answers stay.
  await context.route(`**/api/v1/patrols/${RoundID}/answers`, (route) => route.abort())
  await page.getByRole('link', { name: /1# 配电间/ }).click()
  await page.getByRole('button', { name: '扫不了码…' }).click()
  await page.getByRole('button', { name: '没有标签' }).click()
  await answerAll(page, '正常')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/hazard/patrol')
  await page.locator('.user > button').click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  const warning = page.getByRole('dialog', { name: '退出登录' })
  await expect(warning).toContainText('没有上传')
  await warning.getByRole('button', { name: '退出登录' }).click()
  await expect(page).toHaveURL(/login/)
  // What lies on the disk has no key beside it.
  const keys = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const asked = indexedDB.open('linewarden')
          asked.onerror = () => reject(asked.error)
          asked.onsuccess = () => {
            const count = asked.result.transaction('keys').objectStore('keys').count()
            count.onsuccess = () => resolve(count.result)
          }
        }),
    )
  await expect.poll(keys).toBe(0)
  await page.close()

  const theirs = await begin(context, stack, other)
  await theirs.goto('/hazard/patrol/phone/waiting')
  await expect(theirs.getByRole('heading', { name: '全部已上传' })).toBeVisible()
  await theirs.evaluate(() => localStorage.removeItem('linewarden.session'))
  await theirs.close()

  await context.unroute(`**/api/v1/patrols/${RoundID}/answers`)
  const again = await begin(context, stack, mine)
  await again.goto('/hazard/patrol/phone/waiting')
  await expect(again.getByRole('heading', { name: '全部已上传' })).toBeVisible()
  await expect
    .poll(async () => (await client.call(getRound, { params: { RoundID } })).Answers.filter(({ StopID }) => StopID === 1).length)
    .toBeGreaterThan(0)
  await context.close()
})
