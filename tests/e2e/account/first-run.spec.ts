import { demoPlan, startFleet } from '@linewarden/simulator'
import { signIn } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: [] } })

test('an empty installation leads from the first project to the first live line', async ({ page, stack }) => {
  await page.goto('/login')
  await signIn(page, stack)
  await expect(page.getByRole('heading', { name: '开始使用' })).toBeVisible()
  await page.getByRole('button', { name: '新建项目' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('项目名称').fill('第一个项目')
  await form.getByLabel('负责人').fill('李工')
  await form.getByLabel('联系电话').fill('0571-8888 8888')
  await form.getByLabel('省').selectOption({ label: '其他地区（手工填写）' })
  await form.getByLabel('省').fill('Bayern')
  await form.getByLabel('市').fill('München')
  await form.getByLabel('区县').fill('Mitte')
  await form.getByRole('button', { name: '保存' }).click()

  await page.getByRole('button', { name: '添加网关' }).click()
  await form.getByRole('button', { name: '自动编号' }).click()
  await expect(form.getByLabel('网关编号')).not.toHaveValue('')
  await form.getByLabel('网关名称').fill('第一台网关')
  await form.getByLabel('IMEI').fill('490154203237518')
  await form.getByLabel('对接平台').selectOption('sparkplug')
  await form.getByLabel('设备类型').selectOption('4G')
  await form.getByRole('button', { name: '新增网关' }).click()
  const facts = page.getByRole('dialog', { name: /连接信息/ })
  await expect(facts).toContainText('mqtt://')
  const [secret = '', url = '', number = ''] = await facts.locator('code').allTextContents()
  await expect(page.getByText('等待网关首次连接')).toBeVisible()

  const [plan] = demoPlan().flatMap(({ gateways }) => gateways)
  if (!plan) throw new Error('the demo has no gateway')
  const fleet = startFleet([{ ...plan, number, secret }], { url })
  await fleet.ready
  const [line] = [...fleet.gateways.values()].flatMap((gateway) => gateway.lines())
  // Its lines are there, and the secret that is shown once can still be read.
  await expect(page.locator('button', { hasText: '批量操作' })).toBeEnabled()
  await expect(facts.locator('code').first()).toHaveText(secret)
  await facts.getByRole('button', { name: '已保存，关闭' }).click()
  await expect(page.getByRole('row', { name: line?.name ?? '' }).first()).toContainText('合闸')
  await fleet.close()
})
