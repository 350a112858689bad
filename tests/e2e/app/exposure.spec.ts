import type { Page } from '@playwright/test'
import { smallPlan } from '../../kit/small-plan.ts'
import { violations } from '../axe.ts'
import { raise } from '../raise.ts'
import { enter, signIn } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ popUpsStay: true, options: { plan: smallPlan, env: { LINEWARDEN_HOST: '0.0.0.0', LINEWARDEN_MQTT_HOST: '0.0.0.0' } } })

const notice = (page: Page) => page.getByRole('region', { name: /^(安全提示|Security notice)$/ })

test('who runs the installation is told what is not protected and what to do, and can put it away', async ({ page, stack }) => {
  await enter(page, stack)
  await expect(notice(page)).toContainText('未加密且超出本机范围：控制台、网关（MQTT）。')
  await notice(page).getByText('处理方法').click()
  await expect(notice(page).getByRole('listitem')).toContainText(['LINEWARDEN_TLS_CERT', 'LINEWARDEN_MQTT_PORT=off'])
  expect(await violations(page)).toEqual([])
  // However much is told above the page, a pop-up leaves its tools free.
  const [line] = stack.server.plant.lines.values()
  if (!line) throw new Error('the plant has no line')
  await raise(stack, line, ['甲'])
  await expect(page.locator('.pop')).toBeVisible()
  const between = () =>
    page.evaluate(() => {
      const popTop = document.querySelector('.pop')?.getBoundingClientRect().top ?? 0
      return popTop - (document.querySelector('main .head')?.getBoundingClientRect().bottom ?? Infinity)
    })
  await expect.poll(between).toBeGreaterThanOrEqual(0)
  await page.getByRole('button', { name: /切换语言/ }).click()
  await expect(notice(page)).toContainText('Without TLS beyond this machine: console, gateways (MQTT).')
  await notice(page).getByRole('button', { name: 'Hide for now' }).click()
  await expect(notice(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Live' })).toBeVisible()
  await expect(notice(page)).toBeHidden()
})

test('nobody else is', async ({ page, stack }) => {
  const admin = { userName: '13900000001', password: 'Owner-7391' }
  await stack.server.accounts.createAccount({ ...admin, kind: 'project' })
  await page.goto(`${stack.url}/login`)
  const answered = page.waitForResponse((reply) => /\/api\/v1\/users(\?|$)/.test(reply.url()))
  await signIn(page, { ...stack, admin })
  expect((await (await answered).json()).Data.Exposures).toEqual([])
  await expect(page.locator('.side')).toBeVisible()
  await expect(notice(page)).toBeHidden()
})
